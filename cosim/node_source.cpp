// SPDX-License-Identifier: Apache-2.0
#include "cosim/node_source.h"

#include <array>
#include <cstddef>

#include "isa/table/fields.h"

namespace psim::cosim {
namespace {

/// Returns true for wr …, %pause.
bool is_pause(std::uint32_t word) { return (word & 0xfff8'0000) == 0xb780'0000; }

}  // namespace

NodeSource::NodeSource(isa::InstructionSource& program, isa::Process& process, std::uint32_t core,
                       RegisterPort& device, FlagWatch& flags, std::uint64_t doorbell, std::uint64_t period,
                       Listener listener)
    : program_(program),
      process_(process),
      core_(core),
      device_(device),
      flags_(flags),
      doorbell_(doorbell),
      period_(period),
      listener_(std::move(listener)) {}

isa::Pull NodeSource::next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) {
  if (pausing_) {
    if (!signalled_ && cycle < pause_end_) {
      out.target = pause_end_;
      return isa::Pull::Idle;
    }
    pausing_ = signalled_ = false;
  }
  const isa::Pull pull = program_.next(cycle, oldest, out);
  if (pull == isa::Pull::End) listener_.ended();
  if (pull != isa::Pull::Record) return pull;
  const std::uint64_t number = records_++;
  const isa::StaticInstruction& instruction = *out.instruction;
  if (is_pause(instruction.word)) [[unlikely]]
    begin_pause(instruction, cycle);
  if (instruction.store && device_.holds(out.address)) [[unlikely]] {
    std::array<std::byte, 8> bytes{};
    process_.memory.copy_out(out.address & ~std::uint64_t{7}, bytes, isa::kWrite);
    std::uint64_t value = 0;
    for (const std::byte byte : bytes) value = value << 8 | static_cast<std::uint64_t>(byte);
    device_.executed(out.address, value);
  }
  if (!flags_.empty() && instruction.load && !out.sbm) [[unlikely]]
    std::erase_if(flags_, [&](const WatchedFlag& flag) {
      if (out.address >= flag.address + 8 || out.address + instruction.access_bytes <= flag.address)
        return false;
      seen_.push_back({number, flag.operation});
      return true;
    });
  return pull;
}

void NodeSource::begin_pause(const isa::StaticInstruction& instruction, std::uint64_t cycle) {
  const std::uint32_t word = instruction.word;
  const isa::CpuState& state = process_.executor.state();
  const std::uint64_t second =
      isa::has_immediate(word) ? static_cast<std::uint64_t>(isa::simm13(word)) : state.r[isa::rs2(word)];
  const std::uint64_t cycles = state.r[isa::rs1(word)] ^ second;
  pausing_ = true;
  pause_end_ = cycles < isa::kNeverAgain - cycle ? cycle + cycles : isa::kNeverAgain;
  // Other threads of the core must not wait for it.
  if (process_.threaded()) pause_end_ = std::min(pause_end_, process_.threads.next_other(core_, cycle));
}

bool NodeSource::signal() {
  signalled_ = true;
  return pausing_;
}

void NodeSource::on_leave(const pipeline::InstructionTimeline& timeline) {
  if (timeline.flushed) return;
  const std::uint64_t committed = (timeline.end - 1) * period_;  // the last cycle is W
  if (timeline.instruction->store && timeline.address == doorbell_) listener_.doorbell_committed(committed);
  while (!seen_.empty() && seen_.front().record == timeline.retired) {
    listener_.flag_seen(seen_.front().operation, committed);
    seen_.pop_front();
  }
}

}  // namespace psim::cosim
