// SPDX-License-Identifier: Apache-2.0
// The tokens of a GOAL file: names, numbers, and the signs { } :
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace psim::net::replay {

class GoalWords {
 public:
  GoalWords(std::string_view text, std::string name) : text_(text), name_(std::move(name)) { next(); }

  struct Word {
    std::string text;  ///< empty at the end of the file
    std::uint32_t line = 1;
  };
  const Word& word() const { return word_; }
  bool at_end() const { return word_.text.empty(); }
  bool is(std::string_view text) const { return word_.text == text; }
  Word take();
  /// Moves on if the present word is `text`.
  bool skip(std::string_view text);
  /// Throws unless the present word is `text`; moves on.
  void expect(std::string_view text);
  /// Takes a word that is not a sign; else throws "expected `what`, …".
  Word take_name(std::string_view what);
  /// Takes a decimal number from 0 to `most`, optionally followed by `unit`.
  std::uint64_t number(std::string_view what, std::uint64_t most, std::string_view unit = {});
  /// Returns the error "two.goal:3: …".
  UserError error(std::uint32_t line, const std::string& what) const;
  /// Returns the error "expected …, found …" at the present word.
  UserError expected(std::string_view what) const { return expected_instead(word_, what); }
  UserError expected_instead(const Word& word, std::string_view what) const;

 private:
  void next();
  void skip_space();

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  Word word_;
};

}  // namespace psim::net::replay
