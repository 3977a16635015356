// SPDX-License-Identifier: Apache-2.0
// Whole files into memory.
#pragma once

#include <filesystem>
#include <string>

namespace psim {

struct FileBytes {
  std::string bytes;
  /// Why they are not all of the file: "No such file or directory", "is a directory"; empty if they are.
  std::string problem;
};

/// Reads a file of any kind but a folder to its end. Never throws for what the file is; callers say who
/// asked.
FileBytes read_file(const std::filesystem::path& path);

/// The same for what must be a regular file, as programs must: no pipe is waited for, no device read for
/// ever.
FileBytes read_regular_file(const std::filesystem::path& path);

}  // namespace psim
