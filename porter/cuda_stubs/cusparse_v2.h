// porter stub headers: cuSPARSE.
#pragma once

#include "cusparse.h"
