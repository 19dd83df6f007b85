// porter stub headers: cuDNN.
#pragma once

#include "cudnn.h"
