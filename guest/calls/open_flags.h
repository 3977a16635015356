// SPDX-License-Identifier: Apache-2.0
// O_* of SPARC (asm/fcntl.h) and of the host.
#pragma once

#include <cstdint>

namespace psim::isa {

/// Converts flags; bits without a counterpart are dropped, as in Linux.
int open_flags_to_host(std::uint64_t guest);
std::uint64_t open_flags_from_host(int host);

namespace guest_open {
inline constexpr std::uint64_t kAccess = 3, kAppend = 8, kCreate = 0x200, kTruncate = 0x400,
                               kExclusive = 0x800, kNonBlock = 0x4000, kDirectory = 0x10000,
                               kNoFollow = 0x20000, kCloseOnExec = 0x400000, kPath = 0x1000000,
                               kTemporary = 0x2000000;
}  // namespace guest_open

}  // namespace psim::isa
