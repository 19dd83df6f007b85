// Work for a process of porter's own Python: a folder with a request comes in, and the answer goes into it.
#pragma once

#include <filesystem>

#include "host.h"

namespace host {

// A folder that goes away with its contents; an empty path where none can be made.
struct Folder {
  std::filesystem::path path;

  Folder();
  ~Folder();
  bool write(const std::string &name, std::string_view text) const;
  std::string read(const char *name) const;
};

// The exit code of MODULE's main(folder); -1 where the process does not start or a signal ends it.
int python(const char *module, const Folder &folder);

}  // namespace host
