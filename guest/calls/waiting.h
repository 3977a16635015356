// SPDX-License-Identifier: Apache-2.0
// Waiting for files, for poll, select and epoll.
#pragma once

#include <poll.h>

#include <cstdint>
#include <vector>

#include "guest/calls/support.h"

namespace psim::isa::calls {

/// Waits for host files for `span` nanoseconds of simulated time, kNever: indefinitely. `own`: all of `files`
/// are the guest's own (OpenFile::own). The host decides which files are ready. A wait for time alone takes
/// no host time, nor does one for own files that no other process can change. Returns what poll() returns.
CallResult wait_for(Process& p, std::vector<pollfd>& files, std::uint64_t span, bool own);

/// Sets the mask at `address`, unless that is 0, for the time of a wait. Returns 0 or EFAULT.
int temporary_mask(Process& p, std::uint64_t address, bool& set);
/// Ends the temporary mask after a wait. Returns `result`.
CallResult finish(Process& p, CallResult result, bool mask_set);
/// Reads the timeout of a wait; address 0: indefinitely. Returns 0 or an error.
int span_of(Process& p, std::uint64_t address, std::uint64_t& span);

}  // namespace psim::isa::calls
