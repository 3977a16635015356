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

class RenameMap {
 public:
  RenameMap(std::uint32_t integer_entries, std::uint32_t fp_entries, std::uint32_t simd_entries,
            const InFlightRing& window)
      : window_(window), free_(isa::PerKind::of(integer_entries, fp_entries, simd_entries)) {}

  /// Returns true if the numbers of rename registers in `need` are free.
  bool has(isa::PerKind need) const { return free_.covers(need); }
  void take(InFlight& entry, isa::PerKind need) {
    entry.renames = need;
    free_.packed -= need.packed;
  }
  void release(const InFlight& entry) { free_.packed += entry.renames.packed; }

  /// Calls visit(producer, is_datum) for every in-flight producer of a source, possibly several times for one
  /// producer.
  template <class Visit>
  [[gnu::always_inline]] void for_each_producer(const isa::InstructionRecord& record, Visit visit) const {
    const isa::StaticInstruction& si = *record.instruction;
    const Sequence head = window_.head;
    const Names& names = names_of(record.window);
    for (unsigned i = 0; i < si.sources; ++i) {
      const bool datum = i >= si.address_sources;
      Sequence last = 0;
      unsigned reg = si.source[i].first;
      for (unsigned left = si.source[i].count; left != 0; --left, ++reg) {
        const Sequence producer = writer_[names[reg]];
        // The halves of a floating-point register mostly have the same producer.
        if (producer >= head && producer != last) visit(producer, datum);
        last = producer;
      }
    }
  }
  /// Records `sequence` as the latest writer of the destinations of `record`.
  void define(const isa::InstructionRecord& record, Sequence sequence) {
    const isa::StaticInstruction& si = *record.instruction;
    const Names& names = names_of(record.window + si.window_save - si.window_restore);
    for (unsigned i = 0; i < si.destinations; ++i) {
      unsigned reg = si.destination[i].first;
      for (unsigned left = si.destination[i].count; left != 0; --left) writer_[names[reg++]] = sequence;
    }
  }
  /// Rebuilds the map after a flush from the instructions [head, end).
  void rebuild(Sequence end);

  std::uint32_t integer_free() const { return free_.integer(); }
  std::uint32_t fp_free() const { return free_.fp(); }
  std::uint32_t simd_free() const { return free_.pe(); }

 private:
  // 8 globals, 16 registers (locals, ins) per window, then everything from reg::kFp on.
  static constexpr unsigned kOther = 8 + 16 * isa::kWindows;
  static constexpr unsigned kNames = kOther + isa::reg::kCount - isa::reg::kFp;
  using Names = std::array<std::uint16_t, isa::reg::kCount>;
  static const Names& names_of(unsigned window) { return kNamesOf[window % isa::kWindows]; }
  // By window and register.
  static constexpr auto kNamesOf = [] {
    std::array<Names, isa::kWindows> all{};
    for (unsigned w = 0; w < isa::kWindows; ++w) {
      const unsigned next = (w + 1) % isa::kWindows;  // its ins are this window's outs
      Names& names = all[w];
      for (unsigned r = 0; r < 8; ++r) {
        names[r] = static_cast<std::uint16_t>(r);
        names[8 + r] = static_cast<std::uint16_t>(8 + next * 16 + 8 + r);
        names[16 + r] = static_cast<std::uint16_t>(8 + w * 16 + r);
        names[24 + r] = static_cast<std::uint16_t>(8 + w * 16 + 8 + r);
      }
      for (unsigned r = isa::reg::kFp; r < isa::reg::kCount; ++r)
        names[r] = static_cast<std::uint16_t>(kOther + r - isa::reg::kFp);
    }
    return all;
  }();

  const InFlightRing& window_;
  isa::PerKind free_;
  std::array<Sequence, kNames> writer_{};  // smaller than head: the architectural register holds the value
};

}  // namespace psim::pipeline
