// SPDX-License-Identifier: Apache-2.0
// Region markers: PSIM_REGION_BEGIN and PSIM_REGION_END of workloads/include/psim.h. A marker is a sethi to
// %g0, which has no effect elsewhere. The 22 immediate bits identify the marker, registers hold the rest:
//
//   0x3051D0 + n   begin: name (C string) in %o0, n arguments (0–4) in %o1–%o4
//   0x3051E0       end: name in %o0
//   0x3051E1, E2   begin and end of a function of the MPI library for nodes: name in %o0 (mpi/observe.h)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/memory/guest_memory.h"
#include "isa/state/cpu_state.h"

namespace psim::isa {

struct RegionMarker {
  std::string name;  ///< at most 255 characters; "?" if the address cannot be read
  std::vector<std::int64_t> arguments;
  bool begin = true;         ///< else end
  bool call = false;         ///< of a function of the MPI library, not of a region
  bool first_thread = true;  ///< of the program's first thread
  std::uint32_t thread = 0;  ///< its number; 0: the program has one thread
};

namespace region_marker {
inline constexpr std::uint32_t kSethiG0 = 0x01000000, kBegin = kSethiG0 | 0x3051D0,
                               kEnd = kSethiG0 | 0x3051E0, kCallBegin = kEnd + 1, kCallEnd = kEnd + 2;
inline constexpr unsigned kMostArguments = 4;
}  // namespace region_marker

/// Returns true for a marker word; takes one comparison for other words.
constexpr bool is_region_marker(std::uint32_t word) {
  return word - region_marker::kBegin <= region_marker::kMostArguments || word == region_marker::kEnd;
}

/// Returns true for a marker of a region or of a call.
constexpr bool is_marker(std::uint32_t word) {
  return word - region_marker::kBegin <= region_marker::kMostArguments || word - region_marker::kEnd <= 2;
}

/// Reads the marker `word`; `state` is that before or after it.
RegionMarker read_region_marker(std::uint32_t word, const CpuState& state, const GuestMemory& memory);

}  // namespace psim::isa
