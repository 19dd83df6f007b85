// porter's stand-ins for ROCm's libraries: a program that calls one says so once.
#ifndef PORTER_STANDIN_SAID_H
#define PORTER_STANDIN_SAID_H

#include <cstdio>

namespace porter {
// True, so that it may begin a static variable: `static const bool said = say_standin(...)`.
inline bool say_standin(const char *library, const char *what) {
  std::fprintf(stderr, "porter: %s is porter's stand-in here: %s\n", library, what);
  return true;
}
}  // namespace porter

#endif  // PORTER_STANDIN_SAID_H
