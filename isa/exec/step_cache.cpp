// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/step_cache.h"

#include <algorithm>
#include <cstring>

#include "isa/exec/branches.h"
#include "isa/state/region_marker.h"
#include "isa/table/fields.h"

namespace psim::isa {

namespace {
Straight straight_of(Flow flow, const StaticInstruction& instruction, bool simd) {
  // Serial ones may change to SIMD state and back.
  if (instruction.timed || instruction.serial || is_marker(instruction.word)) return Straight::No;
  switch (flow) {
    case Flow::Straight: {
      const bool transfer = instruction.latency == LatencyClass::BlockTransfer ||
                            instruction.latency == LatencyClass::TransferSync;
      return transfer ? Straight::No : Straight::Plain;
    }
    case Flow::Save:
      return Straight::Save;
    case Flow::Restore:
      return Straight::Restore;
    case Flow::BranchFcc:
      return simd ? Straight::No : Straight::Transfer;
    case Flow::Call:
    case Flow::BranchIcc:
    case Flow::BranchRegister:
    case Flow::CompareBranch:
    case Flow::Jump:
      return Straight::Transfer;
    default:
      return Straight::No;
  }
}

/// Returns the action of a single step.
Action action_of(const Decoded& d, bool simd) {
  if (d.spec->flow < Flow::BranchIcc || d.spec->flow > Flow::CompareBranch) return d.action;
  Action decision = condition_operands(d);
  // In SIMD state a branch on an fcc has decided before, as it may fail.
  decision.handler = simd && d.spec->flow == Flow::BranchFcc ? step_end : decide_handler(condition_of(d));
  return decision;
}
}  // namespace

const StepEntry* StepCache::find(std::uint64_t pc, bool& decoded_now) {
  if ((memory_.permission(pc) & kExecute) == 0) return nullptr;
  const std::uint64_t number = pc / kChunkBytes;
  std::unique_ptr<Chunk>& chunk = chunks_[number];
  if (chunk == nullptr) chunk = std::make_unique<Chunk>();
  near_[number % near_.size()] = {number, chunk.get()};
  StepEntry& entry = (*chunk)[pc % kChunkBytes / 4];
  if (entry.instruction == nullptr) {
    std::uint32_t word;
    std::memcpy(&word, memory_.host_base() + pc, sizeof word);
    const Decoded d = decoded(big_endian(word), bindings_);
    entry = {.action = action_of(d, simd_),
             .end = {.handler = step_end},
             .instruction = analysed(d.action.word),
             .flow = d.spec->flow,
             .floating = d.floating,
             .address = d.address};
    entry.waits =
        entry.instruction->timed || (orders_atomics_ && entry.instruction->latency == LatencyClass::Atomic);
    if (!entry.waits) entry.straight = straight_of(entry.flow, *entry.instruction, simd_);
    entry.base = rs1(d.action.word);
    if (has_immediate(d.action.word) && !d.rs1_only)
      entry.offset = static_cast<std::int16_t>(simm13(d.action.word));
    else if (!d.rs1_only)
      entry.index = rs2(d.action.word);
    decoded_now = true;
  }
  return &entry;
}

void StepCache::drop(std::uint64_t address, std::uint64_t bytes) {
  const auto drop_of_chunk = [&](std::uint64_t number, Chunk& chunk) {
    const std::uint64_t begin = std::max(address, number * kChunkBytes) & ~std::uint64_t{3};
    const std::uint64_t end = std::min(address + bytes, (number + 1) * kChunkBytes);
    for (std::uint64_t at = begin; at < end; at += 4) chunk[at % kChunkBytes / 4].instruction = nullptr;
  };
  const std::uint64_t first = address / kChunkBytes, last = (address + bytes - 1) / kChunkBytes;
  if (last - first < chunks_.size()) {
    for (std::uint64_t number = first; number <= last; ++number)
      if (const auto chunk = chunks_.find(number); chunk != chunks_.end())
        drop_of_chunk(number, *chunk->second);
  } else {
    for (auto& [number, chunk] : chunks_)
      if (number >= first && number <= last) drop_of_chunk(number, *chunk);
  }
}

}  // namespace psim::isa
