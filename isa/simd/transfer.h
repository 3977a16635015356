// SPDX-License-Identifier: Apache-2.0
// Block transfers between memory and the SBMs: sbmget, sbmput, sbmsync (docs/isa.md). The descriptor in
// memory, 48 bytes at a multiple of 8, big-endian:
//
//    0  memory      address of the first byte of PE 0
//    8  pe_stride   bytes in memory from one PE's data to the next's; signed, 0: the same for all PEs
//   16  row_stride  bytes in memory from a row to the next; signed
//   24  sbm_offset  in every SBM, 32 bits, as all below
//   28  sbm_pitch   bytes in SBM from a row to the next
//   32  row_bytes   of a PE
//   36  rows
//   40  pe_mask     PEs that take part; PE n uses memory + n × pe_stride
//   44  tag         0–15
//
// Addresses, strides, offsets and sizes are multiples of 8. The data move when the instruction executes, as
// if PE by PE and row by row in ascending order; their visibility before its sbmsync is undefined on a real
// machine, and an access is an exception here (TransferRace).
#pragma once

#include <string_view>

#include "isa/state/context.h"
#include "isa/state/instruction_source.h"

namespace psim::isa {

inline constexpr unsigned kTransferTags = 16, kDescriptorBytes = 48;

enum class DescriptorProblem : std::uint32_t {
  Memory,  ///< not a multiple of 8
  PeStride,
  RowStride,
  SbmOffset,
  SbmPitch,
  RowBytes,
  Rows,
  Mask,
  Tag,
  SbmEnd,      ///< beyond the end of SBM
  SbmOverlap,  ///< rows overlap in SBM
};
/// Returns "memory address is not a multiple of 8".
std::string_view text_of(DescriptorProblem problem);

namespace simd {

/// Returns the mask of the tags that an sbmsync waits for.
std::uint32_t tags_of(const Context& c, std::uint32_t word);
/// Call after the instruction: returns the number of its transfer, for Executor::transfer().
inline std::uint64_t last_transfer(const SimdState& s) { return s.transfer_count - 1; }

}  // namespace simd
}  // namespace psim::isa
