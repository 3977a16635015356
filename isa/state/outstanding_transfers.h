// SPDX-License-Identifier: Apache-2.0
// The block transfers of a core that were issued and not yet waited for, and the parts of SBM that they move.
// Programs compute while a transfer is under way, so an access to SBM needs to find a race in a few host
// instructions: each doubleword of SBM has the number of the transfers that move it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "isa/state/instruction_source.h"

namespace psim::isa {

class OutstandingTransfers {
 public:
  /// For programs that never wait: the oldest transfers ended long ago.
  static constexpr std::size_t kMost = 64;

  /// Forgets all transfers. `bytes`: of an SBM.
  void reset(std::uint64_t bytes);
  bool empty() const { return all_.empty(); }
  /// Returns the transfers, the oldest first.
  const std::vector<BlockTransfer>& all() const { return all_; }
  /// Adds a transfer, which lies inside of an SBM.
  void begin(const BlockTransfer& t);
  /// Removes the transfers of a mask of tags.
  void end(std::uint32_t tags);

  /// Returns true if a load of the doubleword at `offset`, or a store to it, is a race with a transfer. Data
  /// of a transfer to memory may still be read.
  bool moves(std::uint64_t offset, bool store) const { return moved_[store][offset >> 3] != 0; }
  bool moves(std::uint64_t offset, std::uint64_t bytes, bool store) const {
    bool any = false;
    for (std::uint64_t n = offset >> 3; n <= (offset + bytes - 1) >> 3; ++n) any |= moved_[store][n] != 0;
    return any;
  }
  /// Returns true if some row of `t`, which begins, is a race for some PEs.
  bool moves_rows_of(const BlockTransfer& t) const;

 private:
  void count(const BlockTransfer& t, int change);

  std::vector<BlockTransfer> all_;
  // By doubleword: for loads, the transfers to SBM; for stores, all of them.
  std::unique_ptr<std::uint8_t[]> moved_[2];
};
static_assert(OutstandingTransfers::kMost < 256);

}  // namespace psim::isa
