// SPDX-License-Identifier: Apache-2.0
// A text file that appears whole or not at all: written aside in the same directory, renamed by commit().
// Its buffer is filled by plain copies, so that a dump of every instruction costs little host time.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace psim::pipeline::dump {

/// Writes `value` in decimal at `out` (room for 20 characters); returns the end.
char* write_decimal(char* out, std::uint64_t value);
/// Writes `value` as lower-case hexadecimal without prefix, at least `digits` characters (room for 16).
char* write_hex(char* out, std::uint64_t value, int digits = 1);

class StagedFile {
 public:
  /// Opens a new file beside `path`. A path that names something other than a regular file (a pipe,
  /// /dev/null) is written directly. Throws UserError, naming the path and the reason.
  explicit StagedFile(std::string path);
  /// Without commit() the file written aside is removed and `path` is untouched.
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  /// Room for at least `bytes` (at most kLargestPiece); fill from here, then call advance_to().
  char* reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - next_) < bytes) flush();
    return next_;
  }
  void advance_to(char* next) { next_ = next; }
  void append(std::string_view text);
  /// Writes what is left and puts the file in place. Throws UserError (disk full, …).
  void commit();
  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return written_ + static_cast<std::uint64_t>(next_ - buffer_.get()); }

  static constexpr std::size_t kLargestPiece = 1 << 16;

 private:
  void flush();
  [[noreturn]] void fail(const char* doing) const;

  std::string path_, aside_;
  int descriptor_ = -1;
  std::unique_ptr<char[]> buffer_;
  char* next_;
  char* end_;
  std::uint64_t written_ = 0;
};

}  // namespace psim::pipeline::dump
