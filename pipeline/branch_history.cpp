// SPDX-License-Identifier: Apache-2.0
#include "pipeline/branch_history.h"

#include <algorithm>
#include <array>
#include <bit>

#include "pipeline/memo/outcome_tape.h"

namespace psim::pipeline {

BranchHistory::BranchHistory(const BranchConfig& config)
    : set_mask_(config.history_entries / config.history_ways - 1),
      ways_(config.history_ways),
      counter_max_(static_cast<std::uint8_t>((1u << config.counter_bits) - 1)),
      entries_(config.history_entries),
      groups_(kGroups) {}

BranchHistory::Answer BranchHistory::search(std::uint64_t pc) const {
  if (tape_ == nullptr) [[likely]]
    return look_up(pc);
  const Answer answer = tape_->feeds_search() ? tape_->fed_search() : look_up(pc);
  tape_->searched(pc, answer);
  return answer;
}

inline BranchHistory::Answer BranchHistory::look_up(std::uint64_t pc) const {
  const Entry* set = set_of(pc);
  for (std::uint32_t way = 0; way < ways_; ++way)
    if (set[way].pc == pc && set[way].used)
      return {true, set[way].counter > counter_max_ / 2, set[way].kind, set[way].target};
  return {};
}

std::uint64_t BranchHistory::first_taken(std::uint64_t pc, std::uint64_t end, Answer& answer) const {
  if (tape_ == nullptr) [[likely]]
    return look_for_taken(pc, end, answer);
  const std::uint64_t at =
      tape_->feeds_first_taken() ? tape_->fed_first_taken(answer) : look_for_taken(pc, end, answer);
  tape_->first_taken(pc, end, at, answer);
  return at;
}

inline std::uint64_t BranchHistory::look_for_taken(std::uint64_t pc, std::uint64_t end,
                                                   Answer& answer) const {
  while (pc < end) {
    for (unsigned known = groups_[group_of(pc)] >> (pc >> 2 & 15); known != 0; known &= known - 1) {
      const std::uint64_t at = pc + 4 * static_cast<unsigned>(std::countr_zero(known));
      if (at >= end) break;
      answer = look_up(at);
      if (answer.taken) return at;
    }
    pc = ((pc >> 6) + 1) << 6;
  }
  return end;
}

isa::HistoryEntry* BranchHistory::entry(std::uint64_t pc) {
  Entry* set = set_of(pc);
  Entry* found = std::find_if(set, set + ways_, [pc](const Entry& e) { return e.pc == pc && e.used; });
  return found == set + ways_ ? nullptr : found;
}

void BranchHistory::update(std::uint64_t pc, isa::BranchKind kind, bool taken, std::uint64_t target) {
  if (tape_ != nullptr) [[unlikely]] {
    tape_->updated(pc, kind, taken, target);
    if (tape_->fed_update()) return;
  }
  Entry* set = set_of(pc);
  Entry* entry = std::find_if(set, set + ways_, [pc](const Entry& e) { return e.pc == pc && e.used; });
  if (entry == set + ways_) {
    if (!taken) return;
    ++mispredicted_;
    entry =
        std::min_element(set, set + ways_, [](const Entry& a, const Entry& b) { return a.used < b.used; });
    groups_[group_of(pc)] |= static_cast<std::uint16_t>(1u << (pc >> 2 & 15));
    ++entered_;
    *entry = {pc, target, 0, static_cast<std::uint8_t>(counter_max_ / 2 + 1), kind};
  } else if (taken) {
    mispredicted_ +=
        entry->counter <= counter_max_ / 2 || (kind != isa::BranchKind::Return && entry->target != target);
    entry->counter += entry->counter < counter_max_;
    entry->target = target;
  } else {
    mispredicted_ += entry->counter > counter_max_ / 2;
    entry->counter -= entry->counter > 0;
  }
  entry->used = ++turn_;
}

void BranchHistory::warm_state(StateWords& words) {
  words.value(turn_), words.value(entered_);
  for (std::uint64_t i = 0; i < (set_mask_ + 1) * ways_; ++i) {
    Entry& entry = entries_[i];
    std::array<std::uint64_t, 4> all{entry.pc, entry.target, entry.used,
                                     entry.counter | static_cast<std::uint64_t>(entry.kind) << 8};
    words.block(all);
    const std::uint64_t kind = all[3] >> 8;
    if (kind > static_cast<std::uint64_t>(isa::BranchKind::Indirect))
      throw UserError("a branch of the warm state is out of range");
    entry = {all[0], all[1], all[2], std::min(static_cast<std::uint8_t>(all[3]), counter_max_),
             static_cast<isa::BranchKind>(kind)};
  }
  words.small(std::span<std::uint16_t>(groups_), 0xFFFF);
}

}  // namespace psim::pipeline
