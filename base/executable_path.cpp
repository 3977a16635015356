// SPDX-License-Identifier: Apache-2.0
#include "base/executable_path.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <system_error>

#include "base/child_process.h"

namespace psim {

namespace fs = std::filesystem;

fs::path find_executable(const fs::path& link, const char* name) {
  std::error_code error;
  fs::path path = fs::read_symlink(link, error);
  if (!error) return path;
  if (name == nullptr || *name == '\0') return {};
  path = fs::canonical(name, error);
  return error ? fs::path() : path;
}

namespace {
// Found before main(): a relative name is relative to the directory at the start.
const fs::path g_executable =
    find_executable("/proc/self/exe", reinterpret_cast<const char*>(::getauxval(AT_EXECFN)));
}  // namespace

const fs::path& executable_path() { return g_executable; }

namespace {

std::vector<std::string>& kept_words() {
  static std::vector<std::string> words;
  return words;
}
// The C library calls constructors with the arguments of main(), in shared libraries also.
[[gnu::constructor]] void keep_words(int count, char** words, char**) {
  kept_words().assign(words, words + count);
}

}  // namespace

const std::vector<std::string>& command_line() { return kept_words(); }

void execute_again(const std::vector<std::string>& words) {
  execute("/proc/self/exe", words);  // the same program even if its file has been replaced since
  execute(g_executable.c_str(), words);
}

fs::path share_path(const fs::path& folder) {
  return (executable_path().parent_path() / ".." / "share" / "psim" / folder).lexically_normal();
}

}  // namespace psim
