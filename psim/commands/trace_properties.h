// SPDX-License-Identifier: Apache-2.0
// What a trace says of the program it was recorded from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "guest/process.h"
#include "isa/trace/trace_file.h"
#include "psim/commands/guest_options.h"

namespace psim::commands {

/// `words` is PROG [ARG…]; `clock` is whose time the program saw: "exec" (one cycle an instruction) or "run".
isa::trace::Properties trace_properties(const std::vector<std::string>& words, const GuestProgram& guest,
                                        std::uint64_t seed, std::string_view clock);
/// How the program ended: "exit_status" or "signal"; nothing if it still runs.
isa::trace::Properties trace_ending(const isa::Process& process);

}  // namespace psim::commands
