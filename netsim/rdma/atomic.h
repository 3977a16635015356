// SPDX-License-Identifier: Apache-2.0
// Atomic operations on 4 or 8 bytes of memory, little-endian as the host.
#pragma once

#include <cstddef>
#include <cstdint>

#include "netsim/rdma/operation.h"

namespace psim::net::rdma {

/// What `operation` makes of `old`. Of 4 bytes the lower half counts.
std::uint64_t changed(const Operation& operation, std::uint64_t old);
/// Performs it on operation.bytes bytes at `memory`; returns what was there.
std::uint64_t perform(const Operation& operation, std::byte* memory);

}  // namespace psim::net::rdma
