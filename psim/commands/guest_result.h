// SPDX-License-Identifier: Apache-2.0
// What the results of commands that run a program say of it.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/result_document.h"
#include "psim/commands/guest_options.h"

namespace psim::commands {

/// Before it runs: the program (`words` is PROG [ARG…]), its arguments and the seed.
void describe_guest(ResultDocument& result, const std::vector<std::string>& words, const GuestProgram& guest,
                    std::uint64_t seed);

/// `inputs.start`: start_json().
void describe_start(ResultDocument& result, const isa::Process& process, const GuestProgram& guest);
/// A JSON object of files by their names.
nlohmann::ordered_json files_json(const std::map<std::string, isa::SeenFiles::Input>& files);
/// `inputs.standard_input`: what the program has read from it, if anything. `inputs.files`: the files that it
/// has opened for reading and not made itself, as they were then.
void describe_input(ResultDocument& result, const isa::Process& process);

/// How it ended, as the shell tells it.
struct GuestEnding {
  int status = 0;             ///< exit status; 128 + the host's number of the signal
  int signal = 0;             ///< the guest's number; 0: none
  std::string deadlock = {};  ///< where it waited for something that nothing can bring
};
/// 0, 0 while it has not ended.
GuestEnding ending_of(const isa::Process& process);
void describe_ending(ResultDocument& result, const GuestEnding& ending, const GuestProgram& guest);
/// psim's exit status; does not return if a signal killed the program.
int end_as(const GuestEnding& ending);

}  // namespace psim::commands
