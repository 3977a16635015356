// SPDX-License-Identifier: Apache-2.0
// Access to the SBMs byte by byte, with the checks that the quick path leaves out.
#pragma once

#include "isa/state/context.h"

namespace psim::isa::simd {

/// Returns `bytes` (1, 2, 4 or 8) of a PE at an offset that is a multiple of them, as a big-endian number.
inline std::uint64_t read_sbm(const SimdState& s, unsigned pe, std::uint64_t offset, unsigned bytes) {
  const std::uint64_t row = s.sbm_row(offset)[pe];
  if (bytes == 8) return row;
  return row >> (64 - 8 * (offset % 8 + bytes)) & ((std::uint64_t{1} << 8 * bytes) - 1);
}
inline void write_sbm(SimdState& s, unsigned pe, std::uint64_t offset, unsigned bytes, std::uint64_t value) {
  std::uint64_t& row = s.sbm_row(offset)[pe];
  const std::uint64_t ones = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  const auto shift = static_cast<unsigned>(64 - 8 * (offset % 8 + bytes));
  row = (row & ~(ones << shift)) | (value & ones) << shift;
}

/// Checks alignment, the end of SBM and outstanding transfers. Returns false if the block has been left.
bool may_access(Context* c, const Action* a, std::uint64_t offset, unsigned bytes, unsigned alignment,
                bool store);

}  // namespace psim::isa::simd
