// SPDX-License-Identifier: Apache-2.0
#include "isa/state/region_marker.h"

namespace psim::isa {

RegionMarker read_region_marker(std::uint32_t word, const CpuState& state, const GuestMemory& memory) {
  RegionMarker marker;
  marker.begin = word != region_marker::kEnd && word != region_marker::kCallEnd;
  marker.call = word == region_marker::kCallBegin || word == region_marker::kCallEnd;
  if (!memory.read_string(state.r[8], marker.name, 255)) marker.name = "?";
  const unsigned count = marker.begin && !marker.call ? word - region_marker::kBegin : 0;
  for (unsigned i = 0; i < count; ++i) marker.arguments.push_back(static_cast<std::int64_t>(state.r[9 + i]));
  return marker;
}

}  // namespace psim::isa
