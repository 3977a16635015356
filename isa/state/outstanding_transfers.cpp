// SPDX-License-Identifier: Apache-2.0
#include "isa/state/outstanding_transfers.h"

namespace psim::isa {

void OutstandingTransfers::reset(std::uint64_t bytes) {
  all_.clear();
  for (auto& counts : moved_) counts = std::make_unique<std::uint8_t[]>(bytes / 8);
}

void OutstandingTransfers::count(const BlockTransfer& t, int change) {
  for (const bool store : {false, true}) {
    if (t.put && !store) continue;
    for (std::uint64_t row = 0; row < t.rows; ++row) {
      std::uint8_t* const counts = moved_[store].get() + (t.sbm_offset + row * t.sbm_pitch) / 8;
      for (std::uint32_t n = 0; n < t.row_bytes / 8; ++n)
        counts[n] = static_cast<std::uint8_t>(counts[n] + change);
    }
  }
}

void OutstandingTransfers::begin(const BlockTransfer& t) {
  if (all_.size() == kMost) {
    count(all_.front(), -1);
    all_.erase(all_.begin());
  }
  all_.push_back(t);
  count(t, 1);
}

void OutstandingTransfers::end(std::uint32_t tags) {
  std::erase_if(all_, [&](const BlockTransfer& t) {
    const bool ends = (tags >> t.tag & 1) != 0;
    if (ends) count(t, -1);
    return ends;
  });
}

bool OutstandingTransfers::moves_rows_of(const BlockTransfer& t) const {
  for (std::uint64_t row = 0; row < t.rows; ++row)
    if (moves(t.sbm_offset + row * t.sbm_pitch, t.row_bytes, !t.put)) return true;
  return false;
}

}  // namespace psim::isa
