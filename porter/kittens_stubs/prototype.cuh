// Likewise, in the place of ThunderKittens' prototypes.
#pragma once
#include <porter/kittens/prototype.h>
