// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/executor.h"

#include <algorithm>
#include <utility>

#include "isa/exec/bindings.h"
#include "isa/exec/executor_impl.h"
#include "isa/exec/recording.h"
#include "isa/fp/environment.h"
#include "isa/state/execution_warmer.h"
#include "isa/state/windows.h"

namespace psim::isa {

Executor::Shared::Shared(GuestMemory& memory, Environment& environment, FmaRounding fma,
                         const SimdConfig& simd, std::shared_ptr<AnalysedWords> analysed)
    : memory{memory},
      environment{environment},
      fma{fma},
      simd{simd},
      words{analysed ? std::move(analysed) : std::make_shared<AnalysedWords>()},
      block_caches{BlockCache{memory, bindings(fma, false), *words, false},
                   BlockCache{memory, bindings(fma, true), *words, true}},
      step_caches{StepCache{memory, bindings(fma, false), *words, false},
                  StepCache{memory, bindings(fma, true), *words, true}} {
  block_caches[0].set_translation(kTranslatedRuns);
}

Executor::Impl::Impl(Shared& shared)
    : memory{shared.memory},
      environment{shared.environment},
      block_caches{shared.block_caches},
      step_caches{shared.step_caches},
      lines{shared.lines},
      device{shared.device} {
  c.memory = &memory, c.code_lines = &lines, c.environment = &environment;
  c.alone = true;
  c.simd.reset(shared.simd, bindings(shared.fma, false));
}

void Executor::Impl::begin(const CpuState& state) {
  const std::uint64_t instructions = c.instructions;
  static_cast<CpuState&>(c) = state;
  c.instructions = instructions;
  deadline = kNever;
  ended = stop = redirected_ = false;
}

void Executor::Impl::mark(std::uint64_t pc, std::uint64_t bytes) {
  for (std::uint64_t at = pc & ~std::uint64_t{CodeLines::kLineBytes - 1}; at < pc + bytes;
       at += CodeLines::kLineBytes)
    lines.add(at);
  memory.mark_code(pc);
  if (decode_listener != nullptr) decode_listener->code_decoded(pc, bytes);
}

Block* Executor::Impl::block_at(std::uint64_t pc) {
  bool built;
  Block* const block = blocks().at(pc, built);
  if (blocks().generation() != generation_[c.simd.on]) [[unlikely]]
    follow_generation();
  if (built) mark(pc, 4 * std::uint64_t{block->instructions});
  return block;
}

bool Executor::Impl::check_deadline() {
  if (c.instructions < deadline) return true;
  deadline = kNever;
  const std::uint64_t pc = c.pc;
  if (!environment.deadline(c)) ended = true;
  if (c.pc != pc) redirected_ = true;
  return !ended;
}

/// Empties the jump caches whose blocks were dropped, perhaps by another strand.
void Executor::Impl::follow_generation() {
  for (std::size_t simd = 0; simd < 2; ++simd) {
    if (generation_[simd] == block_caches[simd].generation()) continue;
    generation_[simd] = block_caches[simd].generation();
    c.jump_cache[simd].fill({});
  }
}

/// Drops all blocks: reporting blocks have other actions than plain ones.
void Executor::Impl::rebuild_blocks() {
  for (BlockCache& cache : block_caches) cache.set_recorder(recorder), cache.clear();
  follow_generation();
  c.recorder = recorder != nullptr && recorder->recording() ? recorder : nullptr;
}

void Executor::Impl::set_recorder(ExecutionRecorder* new_recorder) {
  recorder = new_recorder;
  rebuild_blocks();
}

/// Takes back the report of the address of `undone`, which could not be executed.
void Executor::Impl::take_back(const Action* undone) {
  if (c.recorder == nullptr || undone->slot == 0) return;
  const Action* const recording_action = undone - 1;
  if (AddressSite* const site = recorded_site(recording_action))
    c.recorder->take_back(c.instructions + recording_action->rs3, *site);
}

void Executor::Impl::report_step(const InstructionRecord& record, bool retired) {
  for (const InstructionRecord& trap : queued_) recorder->step(trap);
  if (retired) recorder->step(record);
}

void Executor::Impl::set_warmer(ExecutionWarmer* warmer) {
  c.warmer = warmer;
  for (BlockCache& cache : block_caches) cache.set_warmer(warmer), cache.clear();
  follow_generation();
}

/// Reports a single step, and the save areas of its window traps as a whole.
void Executor::Impl::warm_step(const InstructionRecord& record, bool retired) {
  for (const InstructionRecord& trap : queued_) c.warmer->step(trap, c);
  if (retired) c.warmer->step(record, c);
}

/// Runs from the first action of a block until a block is left, and updates pc and npc.
void Executor::Impl::leave_block(const Action* first) {
  std::byte* const host = memory.host_base();
  const std::uint8_t* const pages = memory.page_table();
  c.alone = false;
  const std::uint32_t host_fp = fp::enter(c);
#if PSIM_THREADED
  first->handler(&c, first, host, pages);
#else
  for (const Action* a = first; a != nullptr;) a = a->handler(&c, a, host, pages);
#endif
  fp::leave(c, host_fp);
  c.alone = true;
  switch (c.exit) {
    case Exit::Next: {
      const Action* const next = c.exit_action;
      const bool is_stub = next->handler == static_cast<Handler>(stub_handler);
      c.pc = is_stub ? stub_pc(next) : block_of(next)->pc;
      c.npc = c.pc + 4;
      break;
    }
    case Exit::Jump:
      c.pc = c.target, c.npc = c.pc + 4;
      break;
    default: {
      const Action* const a = c.exit_action;
      const Block& block = *block_of(a);
      take_back(a);
      c.instructions += a->index;
      c.pc = block.pc + 4 * std::uint64_t{a->index};
      c.npc = a->index == block.jump_delay ? c.target : c.pc + 4;
    }
  }
}

/// Returns the next instruction if it is a block transfer or waits for one.
const StaticInstruction* Executor::Impl::at_transfer() {
  const StepEntry* const entry = c.pc % 4 == 0 ? fetch(c.pc, c.simd.on) : nullptr;
  if (entry == nullptr) return nullptr;
  const LatencyClass latency = entry->instruction->latency;
  return latency == LatencyClass::BlockTransfer || latency == LatencyClass::TransferSync ? entry->instruction
                                                                                         : nullptr;
}

/// No block that begins this number of instructions before an exact limit passes it.
constexpr std::uint64_t kNearLimit = kBlockInstructions + 1;

bool Executor::Impl::run(std::uint64_t instructions) {
  const std::uint64_t end = c.instructions + std::min(instructions, kNever - c.instructions);
  InstructionRecord record;
  trap_records_ = recorder != nullptr || c.warmer != nullptr;
  paused = stop = false;
  follow_generation();
  // True if a block could not do the instruction at pc, or a delay slot follows. Neither limit nor deadline
  // separates a branch from its delay slot, unless pairs of branches never end.
  bool alone = false;
  unsigned couple = 0;
  while (!ended) {
    if (!alone && !check_deadline()) break;
    // A recorder's windows are exact: they may end between a branch and its delay slot.
    if ((!alone || recorder != nullptr) && (c.instructions >= end || stop)) return true;
    if (recorder != nullptr && recorder->done()) return true;
    c.limit = std::min(end, deadline);
    bool by_step = alone || c.npc != c.pc + 4 || c.pc % 4 != 0;
    bool near = false;
    if (c.warmer != nullptr) {
      // The limit is exact, so that it does not depend on the place where the first block begins. Near it,
      // blocks that do not pass it run one by one, and none is built.
      by_step = by_step || c.instructions < c.warmer->steps_until;
      near = !by_step && end - c.instructions <= kNearLimit;
      if (near) {
        const Block* const known = blocks().known(c.pc);
        by_step = known == nullptr || known->instructions > end - c.instructions;
        c.limit = 0;
      } else if (!by_step) {
        c.limit = std::min(c.limit, end - kNearLimit);
      }
    }
    if (recorder != nullptr) {
      if (recorder->recording() != (c.recorder != nullptr)) rebuild_blocks();
      if (c.recorder != nullptr) {
        recorder->begin(c, redirected_);
        c.outcomes = recorder->outcomes;
        c.limit = std::min(c.limit, recorder->limit);
      }
      // Blocks run only while no block can pass the end.
      by_step = by_step || end - c.instructions <= kNearLimit;
      if (!by_step) c.limit = std::min(c.limit, end - kNearLimit);
    }
    Block* block = by_step ? nullptr : block_at(c.pc);
    if (block == nullptr) {
      if (c.warmer != nullptr && c.warmer->pauses_at_transfers && c.npc == c.pc + 4 &&
          at_transfer() != nullptr)
        return paused = true;
      const bool retired = step_one(record) == Outcome::Retired;
      if (recorder != nullptr) report_step(record, retired);
      if (c.warmer != nullptr) warm_step(record, retired);
      queued_.clear();
      couple = c.npc == c.pc + 4 ? 0 : couple + 1;
      alone = couple % 64 != 0;
      if (c.warmer != nullptr && c.warmer->pauses_after && !alone) [[unlikely]]
        return paused = true;
      continue;
    }
    if (c.warmer != nullptr && c.warmer->pauses_here) [[unlikely]] {
      c.warmer->pauses_here = false;
      return paused = true;
    }
    redirected_ = false;
    leave_block(block->actions());
    if (c.recorder != nullptr) recorder->outcomes = c.outcomes, recorder->left(c);
    if (c.exit == Exit::Trouble || c.exit == Exit::Alone) {
      alone = true;
    } else if (c.exit == Exit::Hot) {
      blocks().translate(*block_of(c.exit_action));
    } else if (near) {
      // Building the next block would look at code behind the limit.
    } else if (c.exit == Exit::Next && c.exit_action->handler == static_cast<Handler>(stub_handler)) {
      const std::uint64_t generation = blocks().generation();
      const Action* const from = c.exit_action;
      Block* const to = block_at(c.pc);
      if (to != nullptr && blocks().generation() == generation) blocks().link(from, to);
    } else if (c.exit == Exit::Jump) {
      if (Block* const to = block_at(c.pc); to != nullptr)
        c.jump_entry(c.pc, c.simd.on) = {c.pc, to->actions()};
    }
    if (c.warmer != nullptr && c.warmer->pauses_after && !alone) [[unlikely]]
      return paused = true;
  }
  return false;
}

Executor::Executor(GuestMemory& memory, Environment& environment, FmaRounding fma, const SimdConfig& simd,
                   std::shared_ptr<AnalysedWords> words)
    : shared_{new Shared{memory, environment, fma, simd, std::move(words)}} {
  strands_.push_back(std::make_unique<Impl>(*shared_));
  impl_ = strands_.front().get();
  memory.set_code_observer(this);
}
Executor::~Executor() { shared_->memory.set_code_observer(nullptr); }

std::size_t Executor::add_strand() {
  std::size_t number = strands_.size();
  if (free_strands_.empty()) {
    strands_.push_back(std::make_unique<Impl>(*shared_));
  } else {
    number = free_strands_.back();
    free_strands_.pop_back();
    strands_[number]->c.simd.reset(shared_->simd, bindings(shared_->fma, false));
    strands_[number]->c.monitor = {};
  }
  strands_[number]->begin(impl_->c);
  return number;
}

void Executor::set_translation(std::uint16_t runs) {
  BlockCache& blocks = shared_->block_caches[0];
  blocks.set_translation(runs), blocks.clear();
}

void Executor::stop() { impl_->stop = true; }

void Executor::order_atomics() {
  for (StepCache& steps : shared_->step_caches) steps.order_atomics();
}

void Executor::set_device(std::uint64_t first, std::uint64_t bytes) {
  shared_->device = {first, bytes};
  for (const auto& strand : strands_) strand->device = shared_->device;
}

CpuState& Executor::state() { return impl_->c; }
const CpuState& Executor::state() const { return impl_->c; }
WriteMonitor& Executor::monitor() { return impl_->c.monitor; }
SimdState& Executor::simd() { return impl_->c.simd; }
bool Executor::run(std::uint64_t instructions) { return impl_->run(instructions); }
Pull Executor::step(InstructionRecord& record, bool allow_timed) { return impl_->step(record, allow_timed); }
std::uint32_t Executor::step_straight(std::uint64_t pc, std::uint64_t block_bytes, std::uint32_t count,
                                      RecordSlots out) {
  const std::uint64_t in_block = (block_bytes - (pc & (block_bytes - 1))) / 4;
  return impl_->step_straight(pc, static_cast<std::uint32_t>(std::min<std::uint64_t>(count, in_block)), out);
}
std::uint32_t Executor::follow(std::span<const InstructionRecord> expected, RecordSlots out) {
  return impl_->follow(expected, out);
}
void Executor::set_decode_listener(DecodeListener* listener) { impl_->decode_listener = listener; }
void Executor::set_recorder(ExecutionRecorder* recorder) { impl_->set_recorder(recorder); }
void Executor::set_warmer(ExecutionWarmer* warmer) { impl_->set_warmer(warmer); }
const StaticInstruction* Executor::next_transfer() { return impl_->at_transfer(); }
bool Executor::transfers_outstanding() const { return !impl_->c.simd.outstanding.empty(); }
bool Executor::paused() const { return impl_->paused; }
void Executor::set_deadline(std::uint64_t instructions) { impl_->deadline = instructions; }

const StaticInstruction* Executor::text(std::uint64_t pc, bool simd) {
  const StepEntry* const entry = pc % 4 == 0 ? impl_->fetch(pc, simd) : nullptr;
  return entry == nullptr ? nullptr : entry->instruction;
}

std::uint32_t Executor::texts(std::uint64_t pc, bool simd, std::span<const StaticInstruction*> out) {
  const StepEntry* const entry = pc % 4 == 0 ? impl_->fetch(pc, simd) : nullptr;
  if (entry == nullptr) return 0;
  const std::size_t most = std::min(out.size(), StepCache::in_chunk(pc));
  std::uint32_t n = 0;
  do out[n] = entry[n].instruction;
  while (++n < most && entry[n].instruction != nullptr);
  return n;
}

bool Executor::flush_windows() {
  while (impl_->c.canrestore != 0)
    if (!spill_oldest(impl_->c, impl_->memory).done) return false;
  return true;
}
void Executor::forget_windows() {
  impl_->c.cansave = kWindows - 2;
  impl_->c.canrestore = impl_->c.otherwin = 0;
}

BlockTransfer Executor::transfer(const InstructionRecord& record, std::size_t strand) const {
  const SimdState& s = strands_[strand]->c.simd;
  return s.transfers[record.target % SimdState::kTransfersKept];
}

void Executor::page_lost() {
  for (const auto& strand : strands_) strand->deadline = strand->c.limit = 0;
}

std::uint64_t Executor::read_fsr() { return fp::read_fsr(impl_->c); }
void Executor::write_fsr(std::uint64_t value) { fp::write_fsr(impl_->c, value); }

void Executor::code_changed(std::uint64_t address, std::uint64_t bytes) {
  // Whole lines: the mark of a changed line is dropped, so nothing decoded from it may stay.
  const std::uint64_t begin = address & ~std::uint64_t{CodeLines::kLineBytes - 1};
  bytes += address - begin, address = begin;
  bytes = (bytes + CodeLines::kLineBytes - 1) & ~std::uint64_t{CodeLines::kLineBytes - 1};
  for (BlockCache& blocks : shared_->block_caches) blocks.drop(address, bytes, impl_->c);
  for (const auto& strand : strands_)
    if (strand.get() != impl_) strand->forget_jumps();
  for (StepCache& steps : shared_->step_caches) steps.drop(address, bytes);
  shared_->lines.changed(address, bytes, shared_->memory);
}

}  // namespace psim::isa
