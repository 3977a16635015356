// SPDX-License-Identifier: Apache-2.0
// A file that is either written whole or not at all: written aside, then renamed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace psim {

class OutputFile {
 public:
  /// Creates the file aside at once, so that a path that cannot be written is known before a long run.
  /// `option` names who asked, "--json". Throws UserError. "-" and devices are written directly.
  /// `program`: the file may be executed.
  OutputFile(std::string path, std::string_view option, bool program = false);
  /// Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// Makes the file appear under its name. Throws UserError (disk full, …).
  void commit();

 private:
  void recycle_cache();
  [[noreturn]] void fail(std::string_view doing) const;

  std::string path_, option_, aside_;
  int descriptor_ = -1;
  std::uint64_t written_ = 0, advised_ = 0;  ///< bytes
};

}  // namespace psim
