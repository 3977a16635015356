// SPDX-License-Identifier: Apache-2.0
// The tokens of a DOT file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace psim::net {

class DotReader {
 public:
  DotReader(std::string_view text, std::string name) : text_(text), name_(std::move(name)) { next(); }

  struct Word {
    std::string text;     ///< "{", "--", "=", an identifier, …; empty at the end of the file
    bool is_id = false;   ///< an identifier, number or quoted string
    bool quoted = false;  ///< then "graph" is a name, not a keyword
    std::uint32_t line = 1;
  };
  const Word& word() const { return word_; }
  bool at_end() const { return !word_.is_id && word_.text.empty(); }
  bool is(std::string_view symbol) const { return !word_.quoted && word_.text == symbol; }
  /// Returns the present word and moves on.
  Word take();
  /// Moves on if the present word is `symbol`.
  bool skip(std::string_view symbol);
  /// Throws unless the present word is `symbol`; moves on.
  void expect(std::string_view symbol);
  std::string identifier(std::string_view what);
  /// Returns the error "net.dot:3: …".
  UserError error(std::uint32_t line, const std::string& what) const;
  /// Returns the error "expected …, found …" at the present word.
  UserError expected(std::string_view what) const;

 private:
  void next();
  void skip_space();
  void read_quoted();

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  Word word_;
};

}  // namespace psim::net
