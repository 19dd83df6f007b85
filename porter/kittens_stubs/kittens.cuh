// porter's library of ThunderKittens' operations, as the parser sees it in the place of ThunderKittens' own.
#pragma once
#include <porter/kittens/kittens.h>
