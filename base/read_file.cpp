// SPDX-License-Identifier: Apache-2.0
#include "base/read_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace psim {

FileBytes read_file(const std::filesystem::path& path) {
  // A stream opens a folder, and then throws while it is read.
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return {"", "is a directory"};
  std::ifstream in(path, std::ios::binary);
  if (!in) return {"", std::strerror(errno)};
  FileBytes read;
  char block[65'536];
  while (in.read(block, sizeof block), in.gcount() > 0)
    read.bytes.append(block, static_cast<std::size_t>(in.gcount()));
  if (in.bad()) read.problem = "cannot be read to its end";
  return read;
}

FileBytes read_regular_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_other(path, ignored)) return {"", "not a regular file"};
  return read_file(path);
}

}  // namespace psim
