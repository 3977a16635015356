// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/warmer.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "isa/state/region_marker.h"
#include "isa/state/windows.h"

namespace psim::pipeline {

namespace {
constexpr std::uint64_t kNoBranch = ~std::uint64_t{0};

std::uint64_t sets(const L1Config& cache) { return cache.bytes / cache.line_bytes / cache.ways; }

void size(isa::ExecutionWarmer::RecentLines& lines, const L1Config& cache) {
  lines.shift = static_cast<unsigned>(std::countr_zero(cache.line_bytes));
  lines.mask = std::min(sets(cache), lines.kMost) - 1;
}

void recall(isa::ExecutionWarmer::RecentLines& lines, const L1Cache& cache) {
  if (sets(cache.config()) > lines.kMost) return lines.forget();
  for (std::uint64_t set = 0; set <= lines.mask; ++set) lines.entries[set] = cache.warm_recent(set);
}
}  // namespace

Warmer::Warmer(WiredCore& core, MarkerListener on_marker)
    : instructions_(core.instruction_cache),
      data_cache_(core.data_cache),
      l2_(core.memory.l2),
      history_(core.core.fetch().history()),
      on_marker_(std::move(on_marker)),
      none_{kNoBranch, 0, 0, 0, isa::BranchKind::None} {
  size(data, data_cache_.config());
  size(code, instructions_.config());
  entered = &history_.entered();
  counter_max = history_.counter_max();
  returns = &core.core.fetch().return_stack();
  begin();
}

void Warmer::begin() { recall(data, data_cache_), recall(code, instructions_); }

void Warmer::access(std::uint64_t address, unsigned bytes, bool write) {
  const std::uint64_t last = (address + std::max(bytes, 1u) - 1) >> data.shift;
  for (std::uint64_t line = address >> data.shift; line <= last; ++line)
    access_line(line << data.shift, write);
}

void Warmer::access_line(std::uint64_t address, bool write) {
  const std::uint64_t line = address >> data.shift;
  const bool hit = data_cache_.warm_hit(address, write);
  if (!hit && !data_cache_.warm_prefetched(address, write)) {
    read_below(address);
    write_below(data_cache_.warm_fill(address, write), data.shift);
  }
  std::uint64_t& recent = data.of(line);
  recent = line << 1 | static_cast<std::uint64_t>(write || recent == (line << 1 | 1));
  if (hit) return;
  for (std::uint64_t ahead; (ahead = data_cache_.warm_request()) != kNever;) {
    read_below(ahead);
    write_below(data_cache_.warm_prefetch(ahead), data.shift);
    data.of(ahead >> data.shift) = ~std::uint64_t{0};
  }
}

void Warmer::fetch(std::uint64_t address) {
  const std::uint64_t line = address >> code.shift;
  if (!instructions_.warm(address, false)) {
    read_below(address);
    write_below(instructions_.warm_fill(address, false), code.shift);
  }
  code.of(line) = line << 1;
}

Work Warmer::take_work() {
  const auto accesses = std::exchange(counts.accesses, 0);
  work_.loads += Counts::field(accesses, 0), work_.stores += Counts::field(accesses, 1);
  work_.branches += Counts::field(accesses, 2);
  work_.add_operations(std::exchange(counts.operations, 0));
  work_.taken = counts.taken, work_.mispredicted = counts.mispredicted;
  return work_;
}

/// Reads a line from L2. The line that leaves L2 for it leaves the first level, too.
void Warmer::read_below(std::uint64_t address) {
  const std::uint64_t misses = l2_.stats().misses;
  const TagArray::Victim victim = l2_.warm_read(address);
  if (bursts_ != nullptr && l2_.stats().misses != misses && bursts_->add(*retired_, 1) && bursts_->ended())
    in_burst_ = pauses_after = true;
  if (victim.valid) forget(victim.line << data.shift);
}

void Warmer::write_below(const TagArray::Victim& victim, unsigned shift) {
  if (victim.dirty) l2_.warm_write(victim.line << shift);
}

void Warmer::forget(std::uint64_t address) {
  data_cache_.warm_remove(address);
  instructions_.warm_remove(address);
  data.of(address >> data.shift) = code.of(address >> code.shift) = ~std::uint64_t{0};
}

/// Code that is found runs in cycles, which note it.
void Warmer::built(std::uint64_t pc) {
  if (!finds_)
    note(pc);
  else if (!lines_.contains(pc >> code.shift))
    paused_ = pauses_here = true;
}

std::uint32_t Warmer::add_site(std::uint64_t pc, isa::BranchKind kind, std::uint64_t target) {
  const auto [found, is_new] = numbers_.try_emplace(pc, static_cast<std::uint32_t>(numbers_.size()));
  const std::uint32_t number = found->second;
  if (is_new && number % kSites == 0) rows.push_back(std::make_unique<isa::BranchSite[]>(kSites));
  built(pc), built(pc + 4);
  if (finds_ && loop_ == 0 && target <= pc && has_noted_slot(kind) && executed_.insert(pc)) {
    paused_ = pauses_here = true;
    loop_ = target;
  }
  site(number) = {.entry = &none_, .pc = pc, .target = target, .kind = kind};
  return number;
}

void Warmer::branch(isa::BranchSite& site, bool taken, std::uint64_t retired) {
  counts.taken += taken;
  history_.set_turn(retired);
  history_.update(site.pc, site.kind, taken, site.target);
  // The first execution in a block comes here. It does not depend on the blocks that are built.
  if (!site.executed) site.executed = true, executed_.insert(site.pc);
  isa::HistoryEntry* const entry = history_.entry(site.pc);
  if (entry == nullptr) site.absent_after = history_.entered();
  // An entry of other code at this address has another target, until the branch is taken.
  site.entry = entry == nullptr || entry->target != site.target ? &none_ : entry;
}

void Warmer::jump(isa::BranchSite& site, std::uint64_t target, std::uint64_t retired) {
  isa::HistoryEntry* const entry = site.entry->pc == site.pc ? site.entry : history_.entry(site.pc);
  jump(entry, site.pc, site.kind, target, retired);
  site.entry = entry == nullptr ? &none_ : entry;
}

/// Predicts as FetchUnit does, so that the return stack follows, and updates the history as at W. `entry` is
/// that of the branch; null: the history does not hold it.
void Warmer::jump(isa::HistoryEntry* entry, std::uint64_t pc, isa::BranchKind kind, std::uint64_t target,
                  std::uint64_t retired) {
  ++counts.taken;
  if (entry == nullptr) {
    history_.set_turn(retired);
    history_.update(pc, kind, true, target);
    return;
  }
  if (entry->counter > counter_max / 2) {
    if (entry->kind == isa::BranchKind::Return) returns->pop();
    if (entry->kind == isa::BranchKind::Call) returns->push(pc + 8);
  }
  counts.mispredicted +=
      entry->counter <= counter_max / 2 || (kind != isa::BranchKind::Return && entry->target != target);
  entry->counter = static_cast<std::uint8_t>(entry->counter + (entry->counter < counter_max));
  entry->target = target;
  entry->used = retired + 1;
}

void Warmer::step(const isa::InstructionRecord& record, const isa::CpuState& state) {
  if (on_step_ && state.instructions <= steps_until) on_step_(record, state);
  if (record.kind != isa::RecordKind::Instruction) {
    window_trap(record.address, isa::kWindowBytes, record.kind == isa::RecordKind::SpillStore);
    return;
  }
  const isa::StaticInstruction& instruction = *record.instruction;
  first_run(record);
  counts.accesses += Counts::accesses_of(instruction);
  counts.operations += Counts::operations_of(instruction);
  if (record.pc >> code.shift << 1 != code.of(record.pc >> code.shift)) fetch(record.pc);
  const bool accesses =
      instruction.load || instruction.store || instruction.latency == isa::LatencyClass::Prefetch;
  if (accesses && !record.sbm) {
    // As blocks do: the first line counts.
    const std::uint64_t line = record.address >> data.shift;
    const std::uint64_t differs = data.of(line) ^ (line << 1 | instruction.store);
    if (instruction.store ? differs != 0 : differs > 1)
      access(record.address, instruction.access_bytes, instruction.store);
  }
  switch (instruction.branch) {
    case isa::BranchKind::None:
      break;
    case isa::BranchKind::Conditional:
    case isa::BranchKind::Always:
      history_.set_turn(state.instructions - 1);
      history_.update(record.pc, instruction.branch, record.taken, record.target);
      counts.taken += record.taken;
      executed_.insert(record.pc);
      break;
    default:
      jump(history_.entry(record.pc), record.pc, instruction.branch, record.target, state.instructions - 1);
  }
  if (isa::is_region_marker(instruction.word)) on_marker_(instruction.word, state);
}

}  // namespace psim::pipeline
