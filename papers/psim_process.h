// SPDX-License-Identifier: Apache-2.0
// psim as a program: experiments run its commands as a user does.
#pragma once

#include <string>
#include <vector>

namespace psim::reproduce {

struct PsimOutcome {
  std::string json;    ///< the result
  std::string output;  ///< what the simulated program printed to its standard output
};

/// Runs `psim WORDS` with --quiet and --json after the command, which is the first of `words`. Throws
/// std::runtime_error if it does not end with status 0: "LABEL failed: " and what was printed to standard
/// error.
PsimOutcome run_psim(std::vector<std::string> words, const std::string& label);

}  // namespace psim::reproduce
