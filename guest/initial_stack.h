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
/// The memory system in AT_FLAGS, for programs that choose between the scalar core and the SIMD-PEs
/// (omp/runtime/machine_flags.h reads it). Numbers that do not fit become the largest that do.
struct MemoryFlags {
  std::uint32_t memory_cycles;  ///< from a miss of L2 until its line has come; bits 4–15
  std::uint32_t bandwidth;      ///< sixteenths of a byte per cycle; bits 16–27
  std::uint32_t l2_cycles;      ///< that a hit in L2 adds to the access; bits 28–35
  std::uint64_t l1_bytes;       ///< its logarithm, rounded down; bits 42–47
  std::uint64_t l2_bytes;       ///< likewise; bits 48–53
  enum Prefetch : std::uint8_t { None, Stream, Perfect } prefetch;  ///< of L1; bits 54–55
  std::uint64_t word() const;
};

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
