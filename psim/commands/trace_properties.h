// SPDX-License-Identifier: Apache-2.0
// The properties in a trace that describe the recorded program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "guest/process.h"
#include "isa/trace/trace_file.h"
#include "psim/commands/guest_options.h"

namespace psim::commands {

/// Returns the properties. `words` is PROG [ARG…]. `clock` names the clock that the program saw: "exec" (one
/// cycle per instruction) or "run".
isa::trace::Properties trace_properties(const std::vector<std::string>& words, const GuestProgram& guest,
                                        std::uint64_t seed, std::string_view clock);
/// Returns the ending of the program, "exit_status" or "signal"; nothing while it runs.
isa::trace::Properties trace_ending(const isa::Process& process);

}  // namespace psim::commands
