// The chip's clocks.
#pragma once
#include "image.h"

u64 clock_now(void);                // cycles when a launch that begins now begins
void clock_reached(u64 cycles);     // a launch has ended there
u64 wave_clock(const Wave *w);      // cycles at the beginning of its running block
u64 wave_work(const Wave *w);        // instructions that count towards the limit
void clock_find_waits(Image *image);  // marks the looks at the clock of loops that do nothing else
