// Matrix instructions write and read registers long after they were issued, and nothing makes the next instruction
// wait: software has to put enough others, or s_nop, between two that depend on each other.
#pragma once
#include "image.h"

// An issued instruction: the wait states that had passed after it, and its place in the image plus 1 (0: none)
typedef struct { u32 after, number; } Issued;

typedef struct {
  u32 clock;                               // wait states since the wave began: one an instruction, s_nop N counts N + 1
  Issued writes[CHIP_VGPRS + CHIP_AGPRS];  // the vector instruction that wrote a row last
  Issued reads[CHIP_VGPRS + CHIP_AGPRS];   // the matrix instruction that last took the row as its C
  Issued writes_exec, f64;                 // the last v_cmpx, the last f64 matrix instruction
} Hazards;

void check_hazards(Wave *w, const Ins *I, const Regs *r);
// Whether any way through the program brings two instructions too near to each other.
bool hazards_possible(const Image *image);
