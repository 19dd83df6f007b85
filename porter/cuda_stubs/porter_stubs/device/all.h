// porter stub headers: everything that device code may call without an include.
#pragma once

#include "atomic_operations.h"
#include "atomics.h"
#include "cached_access.h"
#include "cluster.h"
#include "common.h"
#include "double_intrinsics.h"
#include "intrinsics.h"
#include "legacy.h"
#include "math.h"
#include "runtime.h"
#include "surface.h"
#include "texture.h"
#include "warp.h"
