// Checks of a run: who touched what, when.
#include "image.h"

void check_access(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access) {}
