// SPDX-License-Identifier: Apache-2.0
#include "cosim/queue_observer.h"

#include <array>
#include <cstddef>
#include <utility>

#include "cosim/nic_registers.h"
#include "guest/call_stack.h"
#include "isa/state/region_marker.h"

namespace psim::cosim {
namespace {

constexpr std::uint64_t kQueueDoorbell = kNicWindow + static_cast<std::uint64_t>(NicRegister::SubmissionTail);

}  // namespace

QueueObserver::QueueObserver(std::uint32_t rank, isa::Process& process, Listener& listener)
    : rank_(rank), process_(process), listener_(listener) {}

QueueObserver::~QueueObserver() = default;

QueueObserver::OfCore& QueueObserver::add_core(isa::InstructionSource& program) {
  return *cores_.emplace_back(
      std::make_unique<OfCore>(*this, static_cast<std::uint32_t>(cores_.size()), program));
}

void QueueObserver::doorbell_arrived(std::uint64_t tail, std::uint64_t ps) {
  for (Rung& rung : rung_)
    if (rung.number < tail && rung.submitted.arrived == 0) rung.submitted.arrived = ps;
}

std::optional<Submitted> QueueObserver::take(std::uint64_t number) {
  while (!rung_.empty() && rung_.front().number < number) rung_.pop_front();
  if (rung_.empty() || rung_.front().number != number) return std::nullopt;
  const Submitted result = std::move(rung_.front().submitted);
  rung_.pop_front();
  return result;
}

isa::Pull QueueObserver::OfCore::next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) {
  const isa::Pull pull = source_.next(cycle, oldest, out);
  if (pull != isa::Pull::Record) return pull;
  const std::uint64_t record = records_++;
  if (isa::is_marker(out.instruction->word)) [[unlikely]]
    follow_calls(out);
  if (out.sbm) return pull;
  if (out.instruction->store && out.address == kQueueDoorbell) [[unlikely]]
    rang(record, out, cycle);
  if (!observer_.watched_.empty() && out.instruction->load) [[unlikely]]
    loaded(record, out, cycle);
  return pull;
}

std::uint32_t QueueObserver::OfCore::next_straight(std::uint64_t cycle, std::uint64_t pc,
                                                   std::uint64_t block_bytes, std::uint32_t count,
                                                   isa::RecordSlots out) {
  if (!observer_.watched_.empty()) return 0;
  const std::uint32_t delivered = source_.next_straight(cycle, pc, block_bytes, count, out);
  records_ += delivered;  // none is a store to the interface
  return delivered;
}

void QueueObserver::OfCore::follow_calls(const isa::InstructionRecord& out) {
  if (out.kind != isa::RecordKind::Instruction) return;
  const std::uint32_t word = out.instruction->word;
  const isa::CpuState& state = observer_.process_.executor.state();
  if (word == isa::region_marker::kCallBegin) {
    if (observer_.depth_++ != 0) return;
    constexpr unsigned kFrames = 4;
    observer_.call_ = {isa::read_region_marker(word, state, observer_.process_.memory).name,
                       isa::call_site(state, observer_.process_.memory, out.pc, kFrames).calls};
  } else if (word == isa::region_marker::kCallEnd && observer_.depth_ != 0 && --observer_.depth_ == 0) {
    observer_.call_ = {};
  }
}

void QueueObserver::OfCore::rang(std::uint64_t record, const isa::InstructionRecord& out,
                                 std::uint64_t cycle) {
  std::array<std::byte, 8> bytes{};
  observer_.process_.memory.copy_out(out.address, bytes, isa::kWrite);
  std::uint64_t tail = 0;
  for (const std::byte byte : bytes) tail = tail << 8 | static_cast<std::uint64_t>(byte);
  constexpr std::uint64_t kMost = 1 << 16;  // of a ring; the interface refuses more
  if (tail <= observer_.tail_ || tail - observer_.tail_ > kMost) return;
  doorbells_.push_back(record);
  const Submitted submitted{{0, out.pc, observer_.call_}, 0};
  for (; observer_.tail_ < tail; ++observer_.tail_) {
    observer_.rung_.push_back({observer_.tail_, this, record, submitted});
    observer_.listener_.fetched(message_id(observer_.rank_, observer_.tail_), observer_.rank_, core_, cycle);
  }
}

void QueueObserver::OfCore::loaded(std::uint64_t record, const isa::InstructionRecord& out,
                                   std::uint64_t cycle) {
  std::erase_if(observer_.watched_, [&](const Watched& entry) {
    if (out.address >= entry.address + 8 || out.address + out.instruction->access_bytes <= entry.address)
      return false;
    seen_.push_back({record, entry, {0, out.pc, observer_.call_}});
    if (entry.completed == MessageStep::Completed)
      observer_.listener_.fetched(entry.message, observer_.rank_, core_, cycle);
    return true;
  });
}

void QueueObserver::OfCore::on_leave(const pipeline::InstructionTimeline& timeline) {
  if (timeline.flushed) return;
  const std::uint64_t cycle = timeline.end - 1;  // W
  if (!doorbells_.empty() && doorbells_.front() == timeline.retired) {
    for (Rung& rung : observer_.rung_)
      if (rung.core == this && rung.record == timeline.retired) rung.submitted.rang.cycle = cycle;
    doorbells_.pop_front();
  }
  while (!seen_.empty() && seen_.front().record == timeline.retired) {
    Seen seen = std::move(seen_.front());
    seen_.pop_front();
    seen.at.cycle = cycle;
    observer_.listener_.seen(seen.entry.message, seen.entry.completed, seen.at);
  }
}

}  // namespace psim::cosim
