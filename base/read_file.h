// SPDX-License-Identifier: Apache-2.0
// Reading of whole files into memory, up to a limit, because some files have no end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace psim {

struct FileBytes {
  std::string bytes;
  /// why `bytes` are not the whole file: "No such file or directory", "is a directory"; empty if they are
  std::string problem;
};

/// Limit for files that people write and for results. Programs and recordings may be larger.
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kMostProgramBytes = std::uint64_t{2} << 30;

/// Reads a file of any kind but a folder to its end, at most `most` bytes. Never throws, whatever the kind or
/// contents of the file; callers add the option that named it. Reports on standard error that it waits for
/// the writer of a pipe.
FileBytes read_file(const std::filesystem::path& path, std::uint64_t most = kMostTextBytes);

/// Does the same for a file that must be regular, such as a program: it waits for no pipe and reads no
/// device.
FileBytes read_regular_file(const std::filesystem::path& path, std::uint64_t most = kMostProgramBytes);

/// Opens a file of any kind for callers that read it in pieces. Waits for the first bytes of a pipe and
/// reports that on standard error. Returns the descriptor, or -1 with errno set.
int open_to_read(const std::filesystem::path& path);

/// Reads standard input to its end.
FileBytes read_standard_input(std::uint64_t most = kMostTextBytes);

}  // namespace psim
