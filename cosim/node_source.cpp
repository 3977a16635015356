// SPDX-License-Identifier: Apache-2.0
#include "cosim/node_source.h"

#include <array>
#include <cstddef>

#include "isa/table/fields.h"

namespace psim::cosim {
namespace {

/// Return true for wr …, %pause and wr …, %mwait.
bool is_pause(std::uint32_t word) { return (word & 0xfff8'0000) == 0xb780'0000; }
bool is_mwait(std::uint32_t word) { return (word & 0xfff8'0000) == 0xb980'0000; }
/// Returns true for a system call.
bool is_trap(std::uint32_t word) { return (word & 0xc1f8'0000) == 0x81d0'0000; }

}  // namespace

NodeSource::NodeSource(isa::InstructionSource& program, isa::Process& process, std::uint32_t core,
                       RegisterPort& device, FlagWatch& flags, std::uint64_t doorbell, std::uint64_t period,
                       Listener listener)
    : SourceBefore(program),
      process_(process),
      core_(core),
      device_(device),
      flags_(flags),
      doorbell_(doorbell),
      period_(period),
      listener_(std::move(listener)) {}

isa::Pull NodeSource::next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) {
  if (rest_ != Rest::None) [[unlikely]] {
    if (cycle < pause_end_ && !(signalled_ && rest_ == Rest::Pause)) {
      out.target = pause_end_;
      return isa::Pull::Idle;
    }
    if (rest_ == Rest::Pause) signalled_ = false;
    if (rest_ == Rest::Mwait) cache_->unwatch();
    rest_ = Rest::None;
  }
  const isa::Pull pull = source_.next(cycle, oldest, out);
  if (pull == isa::Pull::End) listener_.ended();
  if (pull != isa::Pull::Record) return pull;
  if (out.kind != isa::RecordKind::Instruction) return pull;
  ++instructions_;
  const isa::StaticInstruction& instruction = *out.instruction;
  if (is_pause(instruction.word)) [[unlikely]]
    begin_rest(Rest::Pause, instruction, cycle);
  if (instruction.timed) [[unlikely]] {
    if (is_mwait(instruction.word))
      begin_rest(Rest::Mwait, instruction, cycle);
    else if (is_trap(instruction.word) && process_.threaded())
      listener_.called_kernel(cycle);
  }
  if (instruction.store && device_.holds(out.address)) [[unlikely]] {
    std::array<std::byte, 8> bytes{};
    process_.memory.copy_out(out.address & ~std::uint64_t{7}, bytes, isa::kWrite);
    std::uint64_t value = 0;
    for (const std::byte byte : bytes) value = value << 8 | static_cast<std::uint64_t>(byte);
    device_.executed(out.address, value, out.pc);
    if (out.address == doorbell_) await_commit(std::nullopt);
  }
  if (!flags_.empty() && instruction.load && !out.sbm) [[unlikely]]
    std::erase_if(flags_, [&](const WatchedFlag& flag) {
      if (out.address >= flag.address + 8 || out.address + instruction.access_bytes <= flag.address)
        return false;
      await_commit(flag.operation);
      return true;
    });
  return pull;
}

std::uint32_t NodeSource::next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                                        std::uint32_t count, isa::RecordSlots out) {
  if (rest_ != Rest::None || !flags_.empty()) return 0;
  if (pc == kAnyPc) count = 1;  // those after it may be fetched later, and may load what a device writes
  const std::uint32_t delivered = source_.next_straight(cycle, pc, block_bytes, count, out);
  instructions_ += delivered;
  return delivered;
}

void NodeSource::begin_rest(Rest rest, const isa::StaticInstruction& instruction, std::uint64_t cycle) {
  if (rest == Rest::Mwait) {
    isa::WriteMonitor& monitor = process_.executor.monitor();
    if (!monitor.disarm(process_.memory) || !cache_->watch(monitor.address(), *this)) return;
  }
  const std::uint32_t word = instruction.word;
  const isa::CpuState& state = process_.executor.state();
  const std::uint64_t second =
      isa::has_immediate(word) ? static_cast<std::uint64_t>(isa::simm13(word)) : state.r[isa::rs2(word)];
  const std::uint64_t cycles = state.r[isa::rs1(word)] ^ second;
  rest_ = rest;
  pause_end_ = cycles < isa::kNeverAgain - cycle ? cycle + cycles : isa::kNeverAgain;
  // Timers of the program, and other threads of the core, must not wait for it.
  pause_end_ = std::min(pause_end_, process_.timers.next_core_cycle());
  if (process_.threaded()) pause_end_ = std::min(pause_end_, process_.threads.next_other(core_, cycle));
}

bool NodeSource::signal() {
  signalled_ = true;
  return rest_ == Rest::Pause;
}

void NodeSource::on_loss(std::uint64_t cycle) {
  end_pause(cycle);
  listener_.wake(cycle);
}

/// Makes the listener receive the commit of the last instruction delivered.
void NodeSource::await_commit(std::optional<std::uint64_t> operation) {
  awaited_.push_back({instructions_, operation});
  if (awaited_.size() == 1) pipeline_->call_at(instructions_, *this);
}

void NodeSource::on_committed() {
  const std::uint64_t time = (pipeline_->now() - 1) * period_;  // of the cycle that has just ended
  const std::uint64_t committed = pipeline_->totals().instructions;
  while (!awaited_.empty() && awaited_.front().number <= committed) {
    if (awaited_.front().operation)
      listener_.flag_seen(*awaited_.front().operation, time);
    else
      listener_.doorbell_committed(time);
    awaited_.pop_front();
  }
  if (!awaited_.empty()) pipeline_->call_at(awaited_.front().number, *this);
}

}  // namespace psim::cosim
