// SPDX-License-Identifier: Apache-2.0
// Runs psim as a program: experiments run its commands as a user does.
#pragma once

#include <string>
#include <vector>

namespace psim::reproduce {

struct PsimOutcome {
  std::string json;    ///< the result
  std::string output;  ///< the simulated program's standard output
  std::string errors;  ///< its standard error
  int status = 0;
};

/// Runs `psim WORDS` with --quiet and --json after the command, which is the first of `words`. Never throws
/// for a status that is not 0.
PsimOutcome run_psim_to_its_end(std::vector<std::string> words);

/// Runs `psim WORDS` likewise, of any status. With a folder `into`, an outcome of status 0 is kept there, and
/// a later run of the same command, programs and files returns it without a simulation. Throws UserError for
/// an outcome in the folder that was changed.
PsimOutcome run_or_take_psim(std::vector<std::string> words, const std::string& into);

/// Runs it likewise. Throws std::runtime_error for another status than 0: "LABEL failed: " and the text of
/// standard error.
PsimOutcome run_psim(std::vector<std::string> words, const std::string& label, const std::string& into);

/// Creates the folder `into` unless it is empty, and computes the hash of psim once for all child processes.
/// Throws UserError.
void prepare_to_keep(const std::string& into);

}  // namespace psim::reproduce
