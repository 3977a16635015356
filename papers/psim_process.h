// SPDX-License-Identifier: Apache-2.0
// Runs psim as a program: experiments run its commands as a user does.
#pragma once

#include <string>
#include <vector>

namespace psim::reproduce {

struct PsimOutcome {
  std::string json;    ///< the result
  std::string output;  ///< the simulated program's standard output
};

/// Runs `psim WORDS` with --quiet and --json after the command, which is the first of `words`. If the exit
/// status is not 0, throws std::runtime_error: "LABEL failed: " and the text of standard error.
PsimOutcome run_psim(std::vector<std::string> words, const std::string& label);

}  // namespace psim::reproduce
