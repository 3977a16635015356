// SPDX-License-Identifier: Apache-2.0
// The in-flight instruction that will write each architectural register, and the number of free rename
// registers.
//
// Integer results take an entry of GUB, floating-point results one of FUB for every 64 bits (JPS1-V p. 6),
// results in the PEs one of each PE's own. All are released at W. Registers r8-r31 are those of the window in
// which the instruction runs, so a save renames nothing. CCR, each fcc, Y, GSR, FSR, ASI and FPRS are
// renamed, too, without an entry of their own (assumption: their rename registers are never short).
#pragma once

#include <array>
#include <cstdint>

#include "isa/state/cpu_state.h"
#include "pipeline/in_flight.h"

namespace psim::pipeline {

class TimingState;

class RenameMap {
 public:
  RenameMap(std::uint32_t integer_entries, std::uint32_t fp_entries, std::uint32_t simd_entries,
            const InFlightRing& window)
      : window_(window),
        free_{isa::PerKind::of(integer_entries, fp_entries, simd_entries).packed | kGuards} {}

  /// Returns true if the numbers of rename registers in `need` are free.
  bool has(isa::PerKind need) const { return ((free_.packed - need.packed) & kGuards) == kGuards; }
  void take(InFlight& entry, isa::PerKind need) {
    entry.renames = need;
    free_.packed -= need.packed;
  }
  void release(const InFlight& entry) { free_.packed += entry.renames.packed; }

  /// The entries of the map by name, of a pair the first.
  using Entries = std::array<std::uint16_t, isa::reg::kNames>;
  /// Returns the entries for instructions that run in this register window.
  static const Entries& entries_of(unsigned window) { return kEntriesOf[window % isa::kWindows]; }
  /// Returns the latest writer of a name, in flight or not, and of a pair those of both halves.
  const Sequence* writers(const Entries& entries, std::uint8_t name) const { return &writer_[entries[name]]; }
  /// Records `sequence` as the latest writer of the destinations of `record`. `of_window` are the
  /// entries of its window.
  [[gnu::always_inline]] void define(const isa::InstructionRecord& record, const Entries& of_window,
                                     Sequence sequence) {
    const isa::StaticInstruction& si = *record.instruction;
    const std::uint16_t* entries = of_window.data();
    if (si.window_save | si.window_restore) [[unlikely]]
      entries = entries_of(record.window + si.window_save - si.window_restore).data();
    for (unsigned i = 0, end = si.names.destinations; i < end; ++i) {
      const std::uint8_t name = si.names.destination[i];
      Sequence* const writer = &writer_[entries[name]];
      writer[0] = sequence;
      if (name >= isa::reg::kPairs) writer[1] = sequence;
    }
  }
  /// Undoes take() and define() of an instruction, but for the writers before it: call redefine() afterwards.
  void flush(const InFlight& entry) {
    release(entry);
    if (entry.record.kind == isa::RecordKind::Instruction)
      define(entry.record, entries_of(entry.record.window), 0);
  }
  /// Records the writers among the instructions [head, end) again.
  void redefine(Sequence end);

  /// Copies the timing state; put back, it needs redefine(), too.
  void timing_state(TimingState& state);
  std::uint32_t integer_free() const { return free().integer(); }
  std::uint32_t fp_free() const { return free().fp(); }
  std::uint32_t simd_free() const { return free().pe(); }

 private:
  isa::PerKind free() const { return {free_.packed & ~kGuards}; }

  // A set bit above each number, from which a subtraction borrows if the number is too small.
  static constexpr std::uint64_t kGuards = 0x8000'8000'8000;
  // 8 globals, 16 registers (locals, ins) per window, then everything from reg::kFp on.
  static constexpr unsigned kOther = 8 + 16 * isa::kWindows;
  static constexpr unsigned kEntries = kOther + isa::reg::kCount - isa::reg::kFp;
  // By window and name.
  static constexpr auto kEntriesOf = [] {
    std::array<Entries, isa::kWindows> all{};
    for (unsigned w = 0; w < isa::kWindows; ++w) {
      const unsigned next = (w + 1) % isa::kWindows;  // its ins are this window's outs
      Entries& entries = all[w];
      for (unsigned r = 0; r < 8; ++r) {
        entries[r] = static_cast<std::uint16_t>(r);
        entries[8 + r] = static_cast<std::uint16_t>(8 + next * 16 + 8 + r);
        entries[16 + r] = static_cast<std::uint16_t>(8 + w * 16 + r);
        entries[24 + r] = static_cast<std::uint16_t>(8 + w * 16 + 8 + r);
      }
      for (unsigned r = isa::reg::kFp; r < isa::reg::kCount; ++r)
        entries[r] = static_cast<std::uint16_t>(kOther + r - isa::reg::kFp);
      for (unsigned pair = isa::reg::kPairs; pair < isa::reg::kNames; ++pair)
        entries[pair] = entries[isa::reg::half_of(static_cast<std::uint8_t>(pair))];
    }
    return all;
  }();

  const InFlightRing& window_;
  isa::PerKind free_;                        // with kGuards set
  std::array<Sequence, kEntries> writer_{};  // smaller than head: the architectural register holds the value
};

}  // namespace psim::pipeline
