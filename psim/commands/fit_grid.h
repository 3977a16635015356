// SPDX-License-Identifier: Apache-2.0
// The grid of `psim fit`: `--args "64 96"` for {} in the program's words, `--args "m=2 4"` for {m}.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace psim::commands {

struct GridPoint {
  std::string label;                                        ///< "n=64 m=2"
  std::vector<std::string> words;                           ///< the program and its arguments
  std::vector<std::pair<std::string, std::string>> values;  ///< axes by name; those of {} are n, m, k and l
  bool added = false;                                       ///< by psim, for a prediction (fit_added.h)
  bool sample = false;                                      ///< runs sampled, whatever the plan says
};

/// Returns every combination of the values, the last axis fastest. The first axis without a name is for the
/// first {}, and so on; one alone is for every {}. `option` names the axes in messages. Throws UserError.
std::vector<GridPoint> grid_of(const std::vector<std::string>& program, const std::vector<std::string>& axes,
                               const std::string& option = "--args");

/// Parses "512,4". `option` names it in messages. Throws UserError.
std::vector<std::int64_t> parse_arguments(const std::string& text, const std::string& option = "--predict");

}  // namespace psim::commands
