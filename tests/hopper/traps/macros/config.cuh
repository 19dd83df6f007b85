#pragma once
#define at 3
#define lds 17
