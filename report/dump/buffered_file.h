// SPDX-License-Identifier: Apache-2.0
// A buffer before an OutputFile, filled by plain copies, so that a dump of every instruction costs little
// host time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/output_file.h"

namespace psim::pipeline::dump {

/// Writes `value` in decimal at `out` (room for 20 characters). Returns the end.
char* write_decimal(char* out, std::uint64_t value);
/// Writes `value` as lower-case hexadecimal without prefix, at least `digits` characters (room for 16).
char* write_hex(char* out, std::uint64_t value, int digits = 1);

class BufferedFile {
 public:
  /// Opens the file as OutputFile does: nothing exists under `path` before commit(). Throws UserError.
  BufferedFile(std::string path, std::string_view option);

  /// Returns room for at least `bytes` (at most kLargestPiece). Fill it from the start, then call
  /// advance_to().
  char* reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - next_) < bytes) flush();
    return next_;
  }
  void advance_to(char* next) { next_ = next; }
  void append(std::string_view text);
  /// Writes the rest of the buffer and puts the file in place. Throws UserError (disk full, …).
  void commit();

  static constexpr std::size_t kLargestPiece = 1 << 16;

 private:
  void flush();

  OutputFile file_;
  std::unique_ptr<char[]> buffer_;
  char* next_;
  char* end_;
};

}  // namespace psim::pipeline::dump
