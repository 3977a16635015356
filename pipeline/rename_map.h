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
      : window_(window), integer_free_(integer_entries), fp_free_(fp_entries), simd_free_(simd_entries) {}

  /// The number of rename registers that the destinations need.
  struct Need {
    std::uint8_t integer = 0, fp = 0, simd = 0;
  };
  static Need need(const isa::StaticInstruction& instruction) {
    return {instruction.integer_results, instruction.fp_results, instruction.pe_results};
  }
  bool has(Need need) const {
    return need.integer <= integer_free_ && need.fp <= fp_free_ && need.simd <= simd_free_;
  }
  void take(InFlight& entry, Need need) {
    entry.integer_rename = need.integer, entry.fp_rename = need.fp, entry.simd_rename = need.simd;
    integer_free_ -= need.integer, fp_free_ -= need.fp, simd_free_ -= need.simd;
  }
  void release(const InFlight& entry) {
    integer_free_ += entry.integer_rename, fp_free_ += entry.fp_rename, simd_free_ += entry.simd_rename;
  }

  /// Calls visit(producer, is_datum) for every in-flight producer of a source, possibly several times for one
  /// producer.
  template <class Visit>
  void for_each_producer(const isa::InstructionRecord& record, Visit visit) const {
    const isa::StaticInstruction& si = *record.instruction;
    for (unsigned i = 0; i < si.sources; ++i) {
      const isa::RegisterRange range = si.source[i];
      const bool datum = i >= si.address_sources;
      for (unsigned n = 0; n < range.count; ++n) {
        const Sequence producer = writer_[name(range.first + n, record.window)];
        if (producer >= window_.head) visit(producer, datum);
      }
    }
  }
  /// Records `sequence` as the latest writer of the destinations of `record`.
  void define(const isa::InstructionRecord& record, Sequence sequence) {
    const isa::StaticInstruction& si = *record.instruction;
    const unsigned window = record.window + si.window_save - si.window_restore;
    for (unsigned i = 0; i < si.destinations; ++i)
      for (unsigned n = 0; n < si.destination[i].count; ++n)
        writer_[name(si.destination[i].first + n, window)] = sequence;
  }
  /// Rebuilds the map after a flush from the instructions [head, end).
  void rebuild(Sequence end);

  std::uint32_t integer_free() const { return integer_free_; }
  std::uint32_t fp_free() const { return fp_free_; }
  std::uint32_t simd_free() const { return simd_free_; }

 private:
  // 8 globals, 16 registers (locals, ins) per window, then everything from reg::kFp on.
  static constexpr unsigned kOther = 8 + 16 * isa::kWindows;
  static constexpr unsigned kNames = kOther + isa::reg::kCount - isa::reg::kFp;
  static constexpr auto kIntegerNames = [] {
    std::array<std::array<std::uint8_t, 32>, isa::kWindows> names{};
    for (unsigned w = 0; w < isa::kWindows; ++w) {
      const unsigned next = (w + 1) % isa::kWindows;  // its ins are this window's outs
      for (unsigned r = 0; r < 8; ++r) {
        names[w][r] = static_cast<std::uint8_t>(r);
        names[w][8 + r] = static_cast<std::uint8_t>(8 + next * 16 + 8 + r);
        names[w][16 + r] = static_cast<std::uint8_t>(8 + w * 16 + r);
        names[w][24 + r] = static_cast<std::uint8_t>(8 + w * 16 + 8 + r);
      }
    }
    return names;
  }();
  static unsigned name(unsigned reg, unsigned window) {
    return reg < isa::reg::kFp ? kIntegerNames[window % isa::kWindows][reg] : kOther + reg - isa::reg::kFp;
  }

  const InFlightRing& window_;
  std::uint32_t integer_free_, fp_free_, simd_free_;
  std::array<Sequence, kNames> writer_{};  // smaller than head: the architectural register holds the value
};

}  // namespace psim::pipeline
