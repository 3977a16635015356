// SPDX-License-Identifier: Apache-2.0
// The thread_local variables of a loaded library in a thread.
#pragma once

#include <cstddef>
#include <span>

namespace psim::net {

/// Returns the running thread's copy of the thread_local variables of a loaded library, by its name
/// (libgomp.so.1) or path; empty if it is not loaded or has none.
std::span<std::byte> thread_local_block(const char* library);

}  // namespace psim::net
