// porter kittens: ThunderKittens' interface with tiles at wave width. One warp is one wavefront of 64 lanes; tiles are
// laid out for MFMA. What is not here is not ported: a program that asks for it does not compile.
#ifndef PORTER_KITTENS_KITTENS_H
#define PORTER_KITTENS_KITTENS_H

#include "group.h"

#endif  // PORTER_KITTENS_KITTENS_H
