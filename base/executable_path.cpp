// SPDX-License-Identifier: Apache-2.0
#include "base/executable_path.h"

#include <sys/auxv.h>

#include <system_error>

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
// Made before main(): a relative name is one from the directory at the start.
const fs::path g_executable =
    find_executable("/proc/self/exe", reinterpret_cast<const char*>(::getauxval(AT_EXECFN)));
}  // namespace

const fs::path& executable_path() { return g_executable; }

}  // namespace psim
