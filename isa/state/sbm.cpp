// SPDX-License-Identifier: Apache-2.0
#include "isa/state/sbm.h"

namespace psim::isa::simd {
namespace {

using u64 = std::uint64_t;

/// Returns true if [a, a + bytes) overlaps a transfer's part of every SBM.
bool overlaps(const BlockTransfer& t, u64 offset, u64 bytes) {
  for (u64 row = 0; row < t.rows; ++row) {
    const u64 begin = t.sbm_offset + row * t.sbm_pitch;
    if (begin < offset + bytes && offset < begin + t.row_bytes) return true;
  }
  return false;
}

}  // namespace

bool may_access(Context* c, const Action* a, u64 offset, unsigned bytes, unsigned alignment, bool store) {
  SimdState& s = c->simd;
  if (offset % alignment != 0) {
    trouble(c, a, FaultKind::Misaligned, offset);
    return false;
  }
  if (offset + bytes > s.sbm_bytes) {
    trouble(c, a, FaultKind::PeAccess, offset);
    return false;
  }
  if (s.transfer_race == TransferRace::Ignore || !s.outstanding.moves(offset, bytes, store)) return true;
  for (const BlockTransfer& t : s.outstanding.all()) {
    if ((t.put && !store) || !overlaps(t, offset, bytes)) continue;
    trouble(c, a, FaultKind::TransferRace, offset);
    c->fault.detail = t.tag;
    return false;
  }
  return true;
}

}  // namespace psim::isa::simd
