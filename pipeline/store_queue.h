// SPDX-License-Identifier: Apache-2.0
// Store ports and write buffer: the stores between D and L1, in program order (JPS1-V p. 34).
//
// A store takes a port in D. After W it is written to L1 in order; it keeps its port until it is written or
// has moved to the write buffer, which holds the oldest committed stores. Loads look here for a younger copy
// of their bytes (forwarding).
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/config.h"
#include "pipeline/in_flight.h"

namespace psim::pipeline {

class StoreQueue {
 public:
  StoreQueue(const LoadStoreConfig& config, const InFlightRing& window);

  struct Store {
    Sequence sequence;
    std::uint64_t address;
    std::uint32_t bytes;
    bool forwards;  ///< its datum can be given to a load (not so: atomics, wrong path)
    bool sbm;       ///< it goes to SBM, not to L1
  };

  bool full() const { return ports_used() >= ports_; }
  bool empty() const { return begin_ == end_; }
  /// Stores from D until they are written.
  std::uint64_t used() const { return end_ - begin_; }
  bool any_committed() const { return begin_ != committed_; }
  /// D.
  void enter(Sequence sequence, const InFlight& entry);
  /// W of the oldest store that is not committed.
  void commit() { ++committed_; }
  /// The store to write next; only if any_committed().
  const Store& oldest() const { return ring_[begin_ & mask_]; }
  void written() { ++begin_; }
  /// Committed stores [0, n) from the oldest, for fetching their lines ahead.
  std::uint64_t committed() const { return committed_ - begin_; }
  const Store& committed_at(std::uint64_t n) const { return ring_[(begin_ + n) & mask_]; }
  void flush(Sequence first);

  enum class Answer : std::uint8_t {
    None,     ///< no older store holds a byte of it
    Forward,  ///< the youngest older store that overlaps it holds all of it, and its datum is certain
    Wait,     ///< not yet: an address or datum is missing, or the bytes must first be written to L1
  };
  struct Found {
    Answer answer;
    /// Of Wait: the cycle from which the answer may differ; kNever: when something happens. Of Forward: the
    /// first cycle in which a load that has its X then finds the datum in the store port.
    std::uint64_t cycle;
  };
  /// For a load in Ms in cycle `now`.
  Found search(Sequence load, std::uint64_t address, std::uint32_t bytes, std::uint64_t now) const;
  std::string describe() const;

 private:
  std::uint64_t ports_used() const {
    const std::uint64_t committed = committed_ - begin_;
    return end_ - committed_ + (committed > write_buffer_ ? committed - write_buffer_ : 0);
  }

  const InFlightRing& window_;
  std::uint32_t ports_, write_buffer_;
  StoreAddressPolicy policy_;
  std::uint64_t mask_;
  std::uint64_t begin_ = 0, committed_ = 0, end_ = 0;  // oldest, first not committed, next free
  std::vector<Store> ring_;
};

}  // namespace psim::pipeline
