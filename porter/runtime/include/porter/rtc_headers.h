// porter runtime: the texts of porter's headers, for programs that are compiled while the program runs. `porter convert` writes
// another file of this name beside a port, with the texts in it; this one reads them where porter is installed.
#ifndef PORTER_RTC_HEADERS_H
#define PORTER_RTC_HEADERS_H

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace porter {

struct rtc_header {
  std::string name, text;
};

inline std::vector<rtc_header> rtc_headers() {
  const std::filesystem::path folder = std::filesystem::path(__FILE__).parent_path();
  std::vector<rtc_header> found;
  std::error_code error;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".h") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!text.empty()) found.push_back({"porter/" + std::filesystem::relative(entry.path(), folder).string(), text});
  }
  return found;
}

}  // namespace porter

#endif  // PORTER_RTC_HEADERS_H
