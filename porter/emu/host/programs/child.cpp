#include "programs/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>

extern char **environ;
extern "C" const char porter_python[], porter_folder[];

namespace host {

Folder::Folder() {
  std::error_code error;
  std::string form = (std::filesystem::temp_directory_path(error) / "porter-XXXXXX").string();
  if (mkdtemp(form.data())) path = form;
}
Folder::~Folder() {
  std::error_code error;
  if (!path.empty()) std::filesystem::remove_all(path, error);
}
bool Folder::write(const std::string &name, std::string_view text) const {
  std::ofstream out(path / name, std::ios::binary);
  out.write(text.data(), (std::streamsize)text.size());
  return (bool)out.flush();
}
std::string Folder::read(const char *name) const {
  std::ifstream in(path / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int python(const char *module, const Folder &folder) {
  const std::string program = std::string("import sys; sys.path[0] = sys.argv[1]\nfrom ") + module +
                              " import main\nsys.exit(main(sys.argv[2]))";
  const std::string where = folder.path.string();
  const char *const words[] = {porter_python, "-c", program.c_str(), porter_folder, where.c_str(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, 2, 1);  // what it prints is no output of the program
  pid_t child;
  const int failed = posix_spawn(&child, porter_python, &actions, nullptr, (char *const *)words, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  if (failed) return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace host
