// SPDX-License-Identifier: Apache-2.0
// The assembly text of the most frequent instructions, so that each is disassembled once and not at each
// execution.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/dump/timeline_sink.h"

namespace psim::pipeline::dump {

class TextCache {
 public:
  explicit TextCache(Disassembler disassembler)
      : disassembler_(std::move(disassembler)), entries_(kEntries) {}

  /// Returns "0xPC: assembly", with control characters replaced by spaces; PC has at least 8 digits. Valid
  /// until the next call.
  std::string_view line(const InstructionTimeline& timeline) { return find(timeline).line; }
  /// Returns the assembly alone.
  std::string_view assembly(const InstructionTimeline& timeline) {
    const Entry& entry = find(timeline);
    return std::string_view(entry.line).substr(entry.assembly);
  }

 private:
  static constexpr std::size_t kEntries = 1 << 14;
  struct Entry {
    std::uint64_t pc = 0;
    const isa::StaticInstruction* instruction = nullptr;
    std::string line;
    std::size_t assembly = 0;  ///< where it starts in `line`
  };
  const Entry& find(const InstructionTimeline& timeline) {
    Entry& entry = entries_[(timeline.pc >> 2) & (kEntries - 1)];
    const bool known =
        entry.pc == timeline.pc && entry.instruction == timeline.instruction && !entry.line.empty();
    if (!known) fill(entry, timeline);
    return entry;
  }
  void fill(Entry& entry, const InstructionTimeline& timeline);

  Disassembler disassembler_;
  std::vector<Entry> entries_;  ///< by PC modulo kEntries
};

}  // namespace psim::pipeline::dump
