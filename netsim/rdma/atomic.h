// SPDX-License-Identifier: Apache-2.0
// Atomic operations on 4 or 8 bytes of memory, in the byte order of the processor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "netsim/rdma/operation.h"

namespace psim::net::rdma {

/// Returns the value that `operation` makes of `old`; for 4 bytes its lower half.
std::uint64_t changed(const Operation& operation, std::uint64_t old);
/// Performs `operation` on operation.bytes bytes at `memory` and returns the old value.
std::uint64_t perform(const Operation& operation, std::byte* memory);

}  // namespace psim::net::rdma
