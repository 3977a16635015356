// SPDX-License-Identifier: Apache-2.0
// Issue, stages E and D (JPS1-V p. 33): in order, up to `decode_width` instructions per cycle from the
// instruction buffer. Each takes an entry in the commit stack and all resources that it needs to complete:
// rename registers, a reservation station entry, a fetch or store port. The first instruction that lacks one
// stops the younger ones. Serial instructions enter an empty commit stack, with all stores written, and block
// younger instructions until they commit.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/statistics/statistic.h"
#include "pipeline/execution_pipes.h"
#include "pipeline/fetch_unit.h"
#include "pipeline/load_store_unit.h"
#include "pipeline/observer.h"
#include "pipeline/rename_map.h"
#include "pipeline/simd/transfer_unit.h"
#include "pipeline/wake_up.h"

namespace psim::pipeline {

class ActivityCounter;

struct DecodeStats : statistics::Group {
  explicit DecodeStats(const WindowConfig& config)
      : per_cycle(*this, "per_cycle", "instructions", "instructions, also of wrong paths, decoded in a cycle",
                  config.decode_width) {}
  Distribution per_cycle;
  /// Causes that stop decode; the first is none.
  static constexpr std::array kCauses{StallCause::None,
                                      StallCause::Serialise,
                                      StallCause::RenameFull,
                                      StallCause::ReservationStationFull,
                                      StallCause::LoadQueueFull,
                                      StallCause::StoreQueueFull,
                                      StallCause::ReorderBufferFull};
  CounterArray<7> stalls{
      *this,
      "cycles",
      {{{"not_stopped", "cycles in which nothing stopped decode, though less may have arrived than it takes"},
        {"serialise", "cycles stopped for an instruction that enters an empty commit stack"},
        {"rename_full", "cycles stopped without a free rename register"},
        {"stations_full", "cycles stopped by a full reservation station"},
        {"fetch_ports_full", "cycles stopped without a free fetch port (loads, atomics, prefetches)"},
        {"store_ports_full", "cycles stopped without a free store port"},
        {"commit_stack_full", "cycles stopped by a full commit stack"}}}};
  void count(StallCause cause, std::uint64_t cycles) {
    stalls[kIndices[static_cast<std::size_t>(cause)]] += cycles;
  }

 private:
  static constexpr auto kIndices = [] {
    std::array<std::uint8_t, kStallCauses> indices{};
    for (std::size_t i = 0; i < kCauses.size(); ++i)
      indices[static_cast<std::size_t>(kCauses[i])] = static_cast<std::uint8_t>(i);
    return indices;
  }();
};

class TimingState;

class DecodeUnit {
 public:
  DecodeUnit(const WindowConfig& config, InFlightRing& window, RenameMap& rename, WakeUp& wake_up,
             ExecutionPipes& pipes, LoadStoreUnit& operands, TransferUnit& transfers, FetchUnit& fetch)
      : width_(config.decode_width),
        commit_stack_(config.commit_stack),
        window_(window),
        rename_(rename),
        wake_up_(wake_up),
        pipes_(pipes),
        operands_(operands),
        transfers_(transfers),
        fetch_(fetch),
        stats_(config) {}
  void set_recorder(TimelineRecorder* recorder) { recorder_ = recorder; }
  void set_activity(ActivityCounter* activity) { activity_ = activity; }

  /// Steps D by one cycle. Returns false if no instruction was decoded.
  [[gnu::hot]] bool step(std::uint64_t now);
  /// Counts cycles in which nothing changes.
  void count_idle(std::uint64_t cycles) {
    stats_.per_cycle.add_bounded(0, cycles);
    stats_.count(stall_, cycles);
  }
  const DecodeStats& stats() const { return stats_; }
  /// Returns the cause that stopped the first instruction not decoded in the last cycle.
  StallCause stall() const { return stall_; }
  /// Returns true if the last cycle decoded fewer instructions than possible because no more had arrived.
  bool starved() const { return starved_; }
  /// Returns the first cycle after `now` in which a further instruction reaches D.
  std::uint64_t next_event(std::uint64_t now) const {
    if (window_.decoded == window_.fetched) return kNever;
    const std::uint64_t decodable = window_[window_.decoded].decodable;
    return decodable > now ? decodable : kNever;
  }
  /// Undoes D of the instructions from `first` on.
  void flush(Sequence first, std::uint64_t now);
  void timing_state(TimingState& state);
  std::string describe() const;

 private:
  template <bool kOne>
  [[gnu::always_inline]] Sequence decode(std::uint64_t now);
  [[gnu::always_inline]] StallCause admit(InFlight& entry, Sequence sequence, Sequence head);
  [[gnu::noinline]] StallCause admit_special(InFlight& entry, Sequence sequence, Sequence head);
  [[gnu::always_inline]] StallCause take(InFlight& entry, Sequence sequence, Sequence head,
                                         isa::PerKind registers, Station station);
  template <bool kOne>
  [[gnu::always_inline]] void rename(InFlight& entry, Sequence sequence, std::uint64_t now);
  template <bool kOne>
  [[gnu::always_inline]] WakeUp::Operands depend(Sequence sequence, const isa::RegisterNames& names,
                                                 const RenameMap::Entries& entries, bool datum,
                                                 std::uint64_t now);
  void complete(InFlight& entry, Sequence sequence, std::uint64_t now);

  const std::uint32_t width_, commit_stack_;
  InFlightRing& window_;
  RenameMap& rename_;
  WakeUp& wake_up_;
  ExecutionPipes& pipes_;
  LoadStoreUnit& operands_;
  TransferUnit& transfers_;
  FetchUnit& fetch_;
  Sequence serial_ = 0;  // the last serial instruction decoded
  StallCause stall_ = StallCause::None;
  bool starved_ = true;
  DecodeStats stats_;
  TimelineRecorder* recorder_ = nullptr;
  ActivityCounter* activity_ = nullptr;
};

}  // namespace psim::pipeline
