// SPDX-License-Identifier: Apache-2.0
// Errors of the user: one clear line each, collected if several can be found at once. psim then exits with 2.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace psim {

/// An error of the user (file, key, flag). what() is the whole text, one line per problem, without "psim:".
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Collects every problem of one input before they are reported.
class Problems {
 public:
  /// Adds a problem. `where` is "file:line: key" or a flag; `text` states the value found and what was
  /// expected.
  void add(std::string_view where, std::string_view text);
  bool empty() const { return lines_.empty(); }
  const std::vector<std::string>& lines() const { return lines_; }
  /// Throws UserError with all lines joined, if there are any.
  void throw_if_any() const;

 private:
  std::vector<std::string> lines_;
};

/// Returns the candidate nearest to `word` by edit distance ("did you mean"), or an empty text if none is
/// near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// Returns the end of a message on an unknown word: "; did you mean CANDIDATE?" with the nearest candidate.
/// If none is near, returns "; " and `otherwise`, or an empty text without it.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         std::string_view otherwise = {});

}  // namespace psim
