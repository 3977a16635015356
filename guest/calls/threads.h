// SPDX-License-Identifier: Apache-2.0
// The creation of threads, for clone.
#pragma once

#include "guest/process.h"

namespace psim::isa::calls {

/// clone with CLONE_THREAD: `a` holds flags, stack, address of the parent's id, thread pointer and address of
/// the child's id.
CallResult clone_thread(Process& p, const Arguments& a);

}  // namespace psim::isa::calls
