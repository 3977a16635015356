// SPDX-License-Identifier: Apache-2.0
// The contents of a program's stack at entry: window save area, argc, argv, environment, auxiliary vector
// (SPARC Compliance Definition 2.4, chapter 3; Linux fs/binfmt_elf layout).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/memory/guest_memory.h"
#include "isa/state/windows.h"  // kStackBias

namespace psim::isa {

/// Bits of AT_FLAGS, which Linux leaves 0. Programs learn from them that the core has SIMD-PEs, and that psim
/// only executes the program, so that time means nothing (`psim exec`).
inline constexpr std::uint64_t kFlagSimdPes = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kFlagFunctional = std::uint64_t{1} << 41;

struct InitialStack {
  std::vector<std::string> arguments, environment;
  std::string executable;  ///< AT_EXECFN
  std::uint64_t program_headers = 0, program_header_count = 0, entry = 0, load_base = 0;
  std::uint64_t hardware_capabilities = 0;  ///< AT_HWCAP
  std::uint64_t flags = 0;                  ///< AT_FLAGS
  std::uint64_t user = 0, group = 0, effective_user = 0, effective_group = 0;
  std::uint64_t random[2]{};  ///< the 16 bytes of AT_RANDOM

  /// Writes it below `top` (16-aligned, memory mapped below) and returns %sp with the bias subtracted; 0 if
  /// it does not fit in `bytes`.
  std::uint64_t write(GuestMemory& memory, std::uint64_t top, std::uint64_t bytes) const;
};

}  // namespace psim::isa
