// SPDX-License-Identifier: Apache-2.0
// Access to the SBMs byte by byte, with the checks that the quick way leaves out.
#pragma once

#include "isa/exec/context.h"

namespace psim::isa::simd {

/// `bytes` (1, 2, 4 or 8) of a PE at an offset that is a multiple of them, as a big-endian number.
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

/// Alignment, the end of SBM, outstanding transfers. False: the block has been left.
bool may_access(Context* c, const Action* a, std::uint64_t offset, unsigned bytes, unsigned alignment,
                bool store);

/// What an integer register gets from a window: `bytes` of SBM as the enabled PEs agree, see may_differ().
bool load_agreed(Context* c, const Action* a, std::uint64_t offset, unsigned bytes, std::uint64_t& value);

/// A load or store of PE registers of 4, 8, 16 or 64 bytes beginning at Action::rd, of the enabled PEs, done
/// in whatever way `address` asks for. Null: the block has been left.
const Action* load_slowly(Context* c, const Action* a, std::uint64_t address, unsigned bytes);
const Action* store_slowly(Context* c, const Action* a, std::uint64_t address, unsigned bytes);

}  // namespace psim::isa::simd
