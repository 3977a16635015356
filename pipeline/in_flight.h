// SPDX-License-Identifier: Apache-2.0
// The instructions in flight, from fetch to commit, in one ring. From the oldest: the commit stack [head,
// decoded), then the instruction buffer and the fetch stages [decoded, fetched). An instruction keeps its
// slot while it advances, so nothing is copied between the stages.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "isa/state/instruction_source.h"
#include "pipeline/memory/l1_cache.h"
#include "pipeline/observer.h"
#include "pipeline/stages.h"

namespace psim::pipeline {

/// Position in program order, wrong path included. The numbers of flushed instructions are used again. The
/// first instruction is 1: a number smaller than every in-flight one means "committed".
using Sequence = std::uint64_t;

enum class Progress : std::uint8_t {
  Fetched,     ///< in the fetch stages or the instruction buffer
  Waiting,     ///< in a reservation station
  Dispatched,  ///< P or later; may still be cancelled before X
  Blocked,     ///< a load that met a store, the TLB or full miss registers in the cache pipeline
  Missed,      ///< a load that waits for its line
  Finished,    ///< needs no more work: `done` is final
};

/// Reservation stations in dispatch order: one for each integer and floating-point pipe, at most kMaxPipes of
/// a kind, then branches, the SIMD-PEs, loads and stores.
enum class Station : std::uint8_t { Rsea, Rseb, Rsec, Rsed, Rsfa, Rsfb, Rsfc, Rsfd, Rsbr, Rsx, Rsa, None };
inline constexpr std::size_t kStations = 11;
/// Returns the cycles from P to X: instructions of the PEs go through C.
constexpr std::uint64_t to_execute(Station station, const Stages& stages) {
  return station == Station::Rsx ? stages.simd_execute : stages.execute;
}

struct alignas(64) InFlight {
  isa::InstructionRecord record;
  std::uint64_t fetched = 0;          ///< cycle of IA
  std::uint64_t decodable = 0;        ///< first cycle in which D may take it
  std::uint64_t decoded = 0;          ///< cycle of D
  std::uint64_t dispatched = kNever;  ///< cycle of the latest P
  std::uint64_t done = kNever;        ///< last cycle of U, or of W1 if that ends it; W follows
  std::uint64_t datum = 0;            ///< of a store: first P in which the value stored would be there, by
                                      ///< the producers that have announced it
  std::uint64_t retry = 0;            ///< of a load that L1 refused: cycle of the retry
  std::uint64_t translated = kNever;  ///< of a load that L1 refused: first cycle with its translation
  isa::PerKind renames;               ///< rename registers held
  std::uint8_t datum_waiting = 0;     ///< producers of that value that have not
  Progress progress = Progress::Fetched;
  Station station = Station::None;
  std::uint8_t bytes = 0;  ///< of the memory access; 0: none
  bool load = false;       ///< reads memory; a prefetch neither loads nor stores
  bool store = false;
  // Set together when it is fetched.
  bool wrong_path = false;
  bool mispredicted = false;   ///< control continued elsewhere after it
  bool predicted_hit = false;  ///< the branch history contained it
  bool fetch_missed = false;   ///< its fetch block came after a miss of the instruction cache, for it
  bool starved = false;        ///< entered an empty commit stack: its own pipeline depth counts as front end
  Level level = Level::L1;     ///< of a load: where its line came from
  Outcome outcome = Outcome::Hit;     ///< of a load: the answer of L1
  CpiPart blame = CpiPart::FrontEnd;  ///< of `starved`: why the commit stack was empty

  bool holds_fetch_port() const { return station == Station::Rsa && (load || !store); }
  bool holds_store_port() const { return store; }
  /// Returns whether it ends in the PEs: W1 then comes between U and W, and `done` is the last cycle of W1.
  bool in_pes() const { return record.instruction->simd || record.instruction->pe_data; }
  /// Returns true for a branch or move on a condition that the PEs have set, which returns to the scalar part
  /// by C and W1.
  bool reads_pe_condition() const {
    if (!record.simd) return false;
    const isa::StaticInstruction& si = *record.instruction;
    for (unsigned i = 0; i < si.sources; ++i)
      if (si.source[i].first >= isa::reg::kSimdFcc && si.source[i].first < isa::reg::kSimd) return true;
    return false;
  }
  /// Copies the timing state, but not the record. `in_stack`: it is in the commit stack. `execution`: its
  /// cycles of X; if it is flushed, those that have passed are counted.
  template <class State>
  void timing_state(State& state, bool in_stack, const Stages& stages, std::uint64_t execution) {
    constexpr std::uint64_t kReach = 64;  // more than any distance of stages
    static_assert(kReach > 7 * kDeepestStage);
    std::uint8_t marks = static_cast<std::uint8_t>(wrong_path | mispredicted << 1 | predicted_hit << 2 |
                                                   fetch_missed << 3 | starved << 4 | load << 5 | store << 6);
    if (!in_stack) marks &= 15;
    state.value(marks);
    wrong_path = marks & 1, mispredicted = marks & 2, predicted_hit = marks & 4, fetch_missed = marks & 8;
    state.cycle(decodable, kReach);
    if (!in_stack) {
      if (!state.writes()) progress = Progress::Fetched, starved = false, level = Level::L1;
      return;
    }
    starved = marks & 16, load = marks & 32, store = marks & 64;
    state.value(station), state.value(bytes), state.value(progress), state.value(renames.packed);
    state.value(level);
    state.cycle(decoded, kReach);
    state.cycle(dispatched, kReach + execution);
    state.cycle(done, kReach);
    if (starved) state.value(blame);
    if (store) {
      state.cycle(datum, kReach);
      state.value(datum_waiting);
    }
    const bool tried = dispatched != kNever && dispatched + stages.execute < state.now();
    if (load && tried && progress != Progress::Finished) {
      state.value(outcome);
      state.cycle(retry, kReach);
      state.cycle(translated);
    }
  }
  /// Completes a store if its address has gone through the cache pipeline and its datum has arrived.
  void settle_store(const Stages& stages) {
    if (load || dispatched == kNever || datum_waiting) return;
    const std::uint64_t u = record.sbm
                                ? std::max(dispatched + stages.sbm_access, datum + stages.simd_execute) + 1
                                : std::max(dispatched + stages.access_done, datum + stages.execute + 1);
    done = stages.end_of_u(u);
    if (in_pes()) done += stages.depth.w1;
  }
};

static_assert(sizeof(InFlight) == 128, "two lines of the host's cache");

class InFlightRing {
 public:
  /// Creates room for `entries` instructions (commit stack + instruction buffer + one fetch block).
  explicit InFlightRing(std::uint32_t entries, const StageDepths& depths = {})
      : stages(depths), mask_(std::bit_ceil(entries) - 1), ring_(mask_ + 1) {}

  const Stages stages;  ///< distances for the units that advance instructions

  Sequence head = 1;     ///< oldest not committed
  Sequence decoded = 1;  ///< first not decoded
  Sequence fetched = 1;  ///< first not fetched

  InFlight& operator[](Sequence sequence) { return ring_[sequence & mask_]; }
  const InFlight& operator[](Sequence sequence) const { return ring_[sequence & mask_]; }
  std::uint64_t in_commit_stack() const { return decoded - head; }
  std::uint64_t in_instruction_buffer() const { return fetched - decoded; }
  std::size_t index(Sequence sequence) const { return sequence & mask_; }
  std::size_t capacity() const { return ring_.size(); }

 private:
  std::uint64_t mask_;
  std::vector<InFlight> ring_;
};

}  // namespace psim::pipeline
