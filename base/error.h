// SPDX-License-Identifier: Apache-2.0
// The user's errors: one clear line each, collected when several can be found at once; psim exits with 2.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace psim {

/// A mistake of the user's (file, key, flag). what() is the whole text, one line a problem, without "psim:".
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Collects every problem of one input before complaining.
class Problems {
 public:
  /// `where` is "file:line: key" or a flag; `text` says what came and what was expected.
  void add(std::string_view where, std::string_view text);
  bool empty() const { return lines_.empty(); }
  const std::vector<std::string>& lines() const { return lines_; }
  /// Throws UserError with all lines joined, if there is any.
  void throw_if_any() const;

 private:
  std::vector<std::string> lines_;
};

/// The candidate nearest to `word` by edit distance, or empty if none is near (for "did you mean").
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace psim
