// SPDX-License-Identifier: Apache-2.0
// Store ports and write buffer: the stores between D and L1, in program order (JPS1-V p. 34).
//
// A store takes a port in D. After W it is written to L1 in order. It keeps its port until it is written or
// has moved to the write buffer, which holds the oldest committed stores. Loads search the queue for a
// younger copy of their bytes (forwarding).
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/config.h"
#include "pipeline/in_flight.h"

namespace psim::pipeline {

class OutcomeTape;
class TimingState;

class StoreQueue {
 public:
  StoreQueue(const LoadStoreConfig& config, const InFlightRing& window);

  struct Store {
    Sequence sequence;
    std::uint64_t address;
    std::uint32_t bytes;
    bool forwards;  ///< its datum can be forwarded to a load (false for atomics and on a wrong path)
    bool sbm;       ///< it goes to SBM, not to L1
    std::uint64_t pc = 0;
    bool missed = false;  ///< its line was not in L1 when the store, or a request ahead for it, sought it
    bool from_memory = false;  ///< and then came from memory
    bool overlaps(std::uint64_t first, std::uint64_t count) const {
      return first < address + bytes && address < first + count;
    }
  };

  bool full() const { return ports_used() >= ports_; }
  bool empty() const { return begin_ == end_; }
  /// Returns the number of stores from D until they are written.
  std::uint64_t used() const { return end_ - begin_; }
  bool any_committed() const { return begin_ != committed_; }
  /// Adds a store at its D.
  [[gnu::hot]] void enter(Sequence sequence, const InFlight& entry);
  /// Records W of the oldest store that is not committed.
  void commit() { ++committed_; }
  /// Returns the store to write next. Call it only if any_committed().
  const Store& oldest() const { return ring_[begin_ & mask_]; }
  void written() { ++begin_; }
  /// Records that the `n`th oldest committed store did not find its line in L1.
  void missed(std::uint64_t n) { ring_[(begin_ + n) & mask_].missed = true; }
  /// Records that [address, address + bytes) came from memory, for committed stores that missed.
  void came_from_memory(std::uint64_t address, std::uint64_t bytes);
  /// Returns the number of committed stores, the oldest ones, whose lines can be requested ahead.
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
    /// For Wait: the cycle from which the answer may differ; kNever: after an event. For Forward: the first
    /// cycle of X in which a load finds the datum in the store port.
    std::uint64_t cycle;
    std::uint64_t end = 0;  ///< for Wait: where another search for the load may begin, the store it waits for
  };
  /// Searches for a load that is in Ms in cycle `now`, from the youngest store before `end` on.
  [[gnu::hot]] Found search(Sequence load, std::uint64_t address, std::uint32_t bytes, std::uint64_t now,
                            std::uint64_t end = kNever) const;
  /// Returns true if another search would give Wait, because the store before `end` still lacks its address,
  /// or the datum that the load needs.
  bool still_waits(std::uint64_t address, std::uint32_t bytes, std::uint64_t end) const {
    if (end <= committed_ || end > end_ || tape_ != nullptr) return false;
    const Store& store = ring_[(end - 1) & mask_];
    const InFlight& e = window_[store.sequence];
    return e.dispatched == kNever || (e.datum_waiting != 0 && store.overlaps(address, bytes));
  }
  std::string describe() const;
  void set_tape(OutcomeTape* tape) { tape_ = tape; }
  /// Copies the timing state. Addresses are those of the records: see address_stores().
  void timing_state(TimingState& state);
  /// Gives each store the address of its record, after the state was put back.
  template <class RecordOf>
  void address_stores(RecordOf record_of) {
    for (std::uint64_t i = begin_; i != end_; ++i) {
      Store& store = ring_[i & mask_];
      const isa::InstructionRecord& record = record_of(store.sequence);
      store.address = record.address;
      store.pc = record.pc;
    }
  }

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
  OutcomeTape* tape_ = nullptr;
};

}  // namespace psim::pipeline
