// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/step_cache.h"

#include <algorithm>
#include <cstring>

#include "isa/table/analyse.h"

namespace psim::isa {

const StaticInstruction* StepCache::analysed(std::uint32_t word) {
  const auto [at, is_new] = words_.try_emplace(word);
  if (is_new) at->second = analyse(word, simd_);
  return &at->second;
}

const StepEntry* StepCache::find(std::uint64_t pc, bool& decoded_now) {
  if ((memory_.permission(pc) & kExecute) == 0) return nullptr;
  const std::uint64_t number = pc / kChunkBytes;
  std::unique_ptr<Chunk>& chunk = chunks_[number];
  if (chunk == nullptr) chunk = std::make_unique<Chunk>();
  last_number_ = number, last_chunk_ = chunk.get();
  StepEntry& entry = (*chunk)[pc % kChunkBytes / 4];
  if (entry.instruction == nullptr) {
    std::uint32_t word;
    std::memcpy(&word, memory_.host_base() + pc, sizeof word);
    const Decoded d = decoded(big_endian(word), bindings_);
    entry = {.action = d.action,
             .instruction = analysed(d.action.word),
             .flow = d.spec->flow,
             .floating = d.floating,
             .address = d.address,
             .rs1_only = d.rs1_only,
             .codes = d.codes};
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
