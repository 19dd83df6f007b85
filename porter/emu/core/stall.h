// Finding out that nothing advances any more.
#pragma once
#include "image.h"

#define NEVER_QUIET (~0ull)

bool wave_repeats(Wave *w);                                 // whether its state was seen at one of its last turns
bool worker_watches(const Worker *worker, u32 active);      // whether it is time to compare states
// After a turn without progress; `full`: no further workgroup may be taken in. True: no wave of the launch gets on by itself.
bool worker_gives_up(Worker *worker, u32 active, bool repeated, bool full);
bool memory_rests(Launch *launch);                         // whether global memory is as it was when this was last asked
