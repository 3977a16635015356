// SPDX-License-Identifier: Apache-2.0
#include "isa/state/simd_state.h"

#include <bit>
#include <new>

namespace psim::isa {

void SimdState::reset(const SimdConfig& config, const Bindings& scalar_bindings) {
  scalar = &scalar_bindings;
  pes = config.pes;
  all = pes == 0 ? 0 : ~std::uint32_t{0} >> (kMostPes - pes);
  sbm_bytes = pes == 0 ? 0 : config.sbm_bytes, data_window = config.data_window;
  divergence = config.divergence, transfer_race = config.transfer_race;
  // Untouched SBM costs no host memory.
  sbm.reset(static_cast<std::uint64_t*>(pes == 0 ? nullptr : std::calloc(sbm_bytes / 8 * pes, 8)));
  if (pes != 0 && sbm == nullptr) throw std::bad_alloc();
  outstanding.reset(sbm_bytes);
  set_mask(all);
}

void SimdState::set_mask(std::uint32_t pe_mask) {
  mask = pe_mask & all;
  enabled_pes = static_cast<std::uint32_t>(std::popcount(mask));
  partial = mask != all;
  for (unsigned pe = 0; pe < kMostPes; ++pe) enabled_lanes[pe] = std::uint64_t{0} - (mask >> pe & 1);
}

}  // namespace psim::isa
