// SPDX-License-Identifier: Apache-2.0
// The creation of threads, for clone.
#pragma once

#include "guest/process.h"

namespace psim::isa::calls {

/// clone with CLONE_THREAD: `a` holds flags, stack, address of the parent's id, thread pointer and address of
/// the child's id.
CallResult clone_thread(Process& p, const Arguments& a);
/// Returns the number of the current thread, which is that of the process for the first one.
std::uint32_t thread_number(const Process& p);

}  // namespace psim::isa::calls
