// SPDX-License-Identifier: Apache-2.0
// The runs of a cause of a difference, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "papers/published.h"

namespace psim::reproduce {

/// A cause with its runs.
struct TriedCause {
  const PublishedCause* cause;
  struct Run {
    std::string value;
    std::vector<std::string> command;
    std::string failure = {};  ///< empty: none
    std::size_t agree = 0;     ///< values of the file that agree in this run
    std::size_t before = 0;    ///< of the same values, those that agree in the command's own run
    std::size_t of = 0;        ///< values that are judged in both
  };
  std::vector<Run> runs;
};

/// Returns words after psim as they are typed in a shell, without the options on which no result depends.
std::string typed_command(const std::vector<std::string>& words);

/// Returns a line for each run of each cause, or nothing.
std::string text_of(const std::vector<TriedCause>& causes);
/// Returns [{"cause", "value", "agree", "before", "of", "failure"}], a run each.
nlohmann::ordered_json json_of(const std::vector<TriedCause>& causes);

}  // namespace psim::reproduce
