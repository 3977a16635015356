// SPDX-License-Identifier: Apache-2.0
// Lines of a text file or of memory, with their numbers, for files of any size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace psim::pipeline::dump {

class LineReader {
 public:
  /// Opens a file; "-" is standard input. Throws UserError, naming the path.
  static LineReader open(const std::string& path);
  /// Reads `text`, which must outlive the reader; `name` replaces the path in errors.
  LineReader(std::string_view text, std::string name) : name_(std::move(name)), rest_(text), ended_(true) {}
  ~LineReader();
  LineReader(LineReader&& other) noexcept;
  LineReader& operator=(LineReader&&) = delete;

  /// Reads the next line, without its end; returns false at the end of the file. A carriage return before the
  /// line end is dropped. Throws UserError on a read error, a line over kLongestLine or a last line without
  /// its end.
  bool next(std::string_view& line);
  /// Ignores from now on a last line without its end: the file was cut off there.
  void drop_unended_line() { drop_unended_ = true; }
  /// Returns the start of the file, up to some hundred characters, without consuming it. Call it only before
  /// the first next().
  std::string_view peek();
  std::uint64_t number() const { return number_; }  ///< of the latest line, from 1
  const std::string& name() const { return name_; }
  /// Throws UserError "name:number: text".
  [[noreturn]] void fail(std::string_view text) const;

  static constexpr std::size_t kLongestLine = 1 << 16;

 private:
  LineReader(std::string name, int descriptor);
  void fill();

  std::string name_;
  int descriptor_ = -1;
  std::vector<char> buffer_;
  std::string_view rest_;  ///< read, but not yet returned
  bool ended_ = false;     ///< nothing follows rest_
  bool drop_unended_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace psim::pipeline::dump
