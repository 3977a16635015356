// SPDX-License-Identifier: Apache-2.0
// Models: the engine of block transfers between memory and the SBMs (paper 003 3.3 and table 1: 16
// outstanding). Plain C++; in a machine a TransferPort carries its requests to the memory controller, whose
// bandwidth it shares with the caches.
//
// An sbmget or sbmput arrives here in W, in program order. Transfers are served in that order, with a request
// of at most one line per cycle and at most `transfer_requests` in flight. A transfer ends when the last of
// its lines has been read or written. An sbmsync waits in the commit stack until the transfers of its tags
// have ended. Lines bypass the caches: lines that a cache holds cost no extra time (docs/decisions/0017).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/statistics/statistic.h"
#include "pipeline/config.h"
#include "pipeline/in_flight.h"
#include "pipeline/simd/line_walk.h"

namespace psim::pipeline {

/// Serves the lines of block transfers.
class TransferMemory {
 public:
  virtual ~TransferMemory() = default;
  /// Requests the line at `address` at `cycle`; cycles never decrease. The answer is
  /// TransferUnit::served(transfer, …), within this call or later.
  virtual void request(std::uint64_t address, bool write, std::uint64_t cycle, std::uint32_t transfer) = 0;
};

struct TransferStats : statistics::Group {
  Counter gets{*this, "gets", "transfers", "transfers from memory to SBMs"};
  Counter puts{*this, "puts", "transfers", "transfers from SBMs to memory"};
  Counter bytes_read{*this, "bytes_read", "bytes", "bytes that transfers wrote to SBMs"};
  Counter bytes_written{*this, "bytes_written", "bytes", "bytes that transfers read from SBMs"};
  Counter requests{*this, "requests", "lines", "lines requested from memory or written there"};
  LogDistribution duration{*this, "duration", "cycles",
                           "from the commit of a transfer until its last line was served"};
  Counter busy_cycles{*this, "busy_cycles", "cycles",
                      "cycles in which transfers were under way; counted when the last of them ends"};
};

class TransferUnit {
 public:
  static constexpr std::uint32_t kTags = 16;

  TransferUnit(const SimdTiming& config, std::uint32_t line_bytes, InFlightRing& window);
  /// Connects the memory. Without one (a core without PEs) no transfer may begin.
  void connect(TransferMemory& memory) { memory_ = &memory; }

  bool idle() const { return used_ == 0 && sync_ == 0; }
  bool full() const { return used_ == transfers_.size(); }
  /// Begins a transfer at W of an sbmget or sbmput in cycle `now`. Call it only if not full().
  void begin(const isa::BlockTransfer& transfer, std::uint64_t now);
  /// Registers an sbmsync at its D as the oldest instruction. It is done when no transfer with a tag of the
  /// mask is left.
  void await(Sequence sync, std::uint64_t tags) { sync_ = sync, sync_tags_ = tags; }
  /// Receives from the memory that a line of `transfer` has been read or written by `cycle`.
  void served(std::uint32_t transfer, std::uint64_t cycle);
  /// Steps one cycle. Returns false if nothing happened.
  bool step(std::uint64_t now);

  /// Returns the first cycle after `now` in which an action is due without an outside event.
  std::uint64_t next_event(std::uint64_t now) const;
  std::uint64_t requests() const { return stats_.requests; }
  const TransferStats& stats() const { return stats_; }
  std::string describe() const;

 private:
  struct Transfer {
    LineWalk walk;
    std::uint32_t outstanding = 0;
    std::uint8_t tag = 0;
    bool put = false;
    std::uint64_t begun = 0;  ///< cycle of W
  };
  struct Answer {
    std::uint64_t cycle;
    std::uint32_t transfer;
    bool operator>(const Answer& other) const { return cycle > other.cycle; }
  };
  bool take_answers(std::uint64_t now);
  bool send(std::uint64_t now);
  bool end_sync(std::uint64_t now);
  bool waited_for() const;
  std::uint32_t slot(std::uint64_t n) const { return static_cast<std::uint32_t>(n % transfers_.size()); }
  void retire(std::uint64_t now);

  InFlightRing& window_;
  TransferMemory* memory_ = nullptr;
  const std::uint32_t line_bytes_, most_requests_;
  std::vector<Transfer> transfers_;  // a ring: [first_, first_ + used_), of which [sending_, …) still send
  std::uint64_t first_ = 0, sending_ = 0;
  std::uint32_t used_ = 0, in_flight_ = 0;
  std::array<std::uint32_t, kTags> with_tag_{};
  std::vector<Answer> answers_;  // a heap, the earliest first
  Sequence sync_ = 0;            // the waiting sbmsync; 0: none
  std::uint64_t sync_tags_ = 0;
  std::uint64_t busy_from_ = 0;  // cycle in which used_ became 1
  TransferStats stats_;
};

}  // namespace psim::pipeline
