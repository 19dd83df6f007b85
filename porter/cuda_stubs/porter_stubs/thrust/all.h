// porter stub headers: Thrust, all algorithms; its own headers include one another just as freely.
#pragma once
#include "copy.h"
#include "execution.h"
#include "functional.h"
#include "iterators.h"
#include "pointer.h"
#include "reduce.h"
#include "remove.h"
#include "scan.h"
#include "search.h"
#include "sort.h"
#include "transform.h"
#include "tuple.h"
