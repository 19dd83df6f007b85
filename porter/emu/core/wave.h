// How a wave begins.
#pragma once

#include "ops.h"

void start_wave(Group *g, u32 number, Worker *worker);
void fill_with_poison(u32 *words, u64 count);
