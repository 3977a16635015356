// SPDX-License-Identifier: Apache-2.0
// The names of all system calls of Linux on sparc64 (asm/unistd_64.h), for messages.
#pragma once

#include <cstdint>
#include <string_view>

namespace psim::isa {

/// Returns the name; empty if Linux has no call of this number.
std::string_view call_name(std::uint64_t number);

}  // namespace psim::isa
