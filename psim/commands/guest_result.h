// SPDX-License-Identifier: Apache-2.0
// The parts of a result that describe the program, in commands that run one.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result_document.h"
#include "psim/commands/guest_options.h"

namespace psim::commands {

/// Adds, before the run, the program (`words` is PROG [ARG…]), its arguments and the seed.
void describe_guest(ResultDocument& result, const std::vector<std::string>& words, const GuestProgram& guest,
                    std::uint64_t seed);

/// Adds `inputs.start`: start_json().
void describe_start(ResultDocument& result, const isa::Process& process, const GuestProgram& guest);
/// Returns a JSON object of files by their names.
nlohmann::ordered_json files_json(const std::map<std::string, isa::SeenFiles::Input>& files);
/// Adds `inputs.standard_input`, the bytes that the program has read from it, if any. Adds `inputs.files`,
/// the files that it opened for reading and did not write itself, with their contents at that time.
void describe_input(ResultDocument& result, const isa::Process& process);

/// The ending of a program, in the shell's convention.
struct GuestEnding {
  int status = 0;             ///< exit status; 128 + the host's number of the signal
  int signal = 0;             ///< the guest's number; 0: none
  std::string deadlock = {};  ///< where it waited for an event that cannot occur
};
/// Returns the ending; its first two numbers are 0 while the program runs. Throws UserError if psim refused
/// to run the program further.
GuestEnding ending_of(const isa::Process& process);
/// Returns the reason why a program may have one thread only (isa::ProcessOptions::one_thread): `option` of
/// the command, or the command. `instead` is for programs with several.
std::string one_thread_for(std::string_view option, std::string_view instead);
/// Adds `threads`, a row with the core of each thread, and prints pipeline::shared_core_note(). Does neither
/// for a program with one thread on one core.
void describe_threads(ResultDocument& result, const isa::Process& process, bool quiet);
void describe_ending(ResultDocument& result, const GuestEnding& ending, const GuestProgram& guest);
/// Returns psim's exit status. Does not return if a signal killed the program: psim then ends by the same
/// signal.
int end_as(const GuestEnding& ending);

}  // namespace psim::commands
