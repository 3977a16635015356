// SPDX-License-Identifier: Apache-2.0
// Instructions decoded one by one, by chunk, for single steps and for text().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "isa/memory/guest_memory.h"
#include "isa/state/decoded.h"
#include "isa/state/handler.h"
#include "isa/table/analysed_words.h"
#include "isa/table/static_instruction.h"

namespace psim::isa {

/// How Executor::step_straight() performs an instruction.
enum class Straight : std::uint8_t {
  No,        ///< it does not: step() does
  Plain,     ///< continues at npc
  Save,      ///< likewise, unless it traps
  Restore,   ///< likewise, unless it traps
  Transfer,  ///< a control transfer, unless its target is misaligned
};

/// Follows the action of a single step, and ends it.
PSIM_HANDLER(step_end);

struct StepEntry {
  Action action;                                   ///< of a conditional branch: decides into Context::taken
  Action end;                                      ///< follows `action`, and ends the step
  const StaticInstruction* instruction = nullptr;  ///< null: not decoded yet
  Flow flow = Flow::Straight;
  Straight straight = Straight::No;
  bool floating : 1 = false, address : 1 = false;
  bool waits : 1 = false;  ///< it must be the oldest: it is timed, or an atomic that is ordered
  // The effective address or the target of a jump is r[base] + r[index] + offset.
  std::uint8_t base = 0, index = 0;
  std::int16_t offset = 0;
};

class StepCache {
 public:
  /// A cache for the instructions of one state. All arguments outlive it.
  StepCache(const GuestMemory& memory, const Bindings& bindings, AnalysedWords& words, bool simd)
      : memory_{memory}, bindings_{bindings}, words_{words}, simd_{simd} {}

  /// Returns the instruction at `pc`, a multiple of 4; null if no code can be fetched. `decoded`: the entry
  /// is new.
  const StepEntry* at(std::uint64_t pc, bool& decoded) {
    decoded = false;
    const std::uint64_t number = pc / kChunkBytes;
    const Near& near = near_[number % near_.size()];
    if (near.number == number) [[likely]] {
      const StepEntry& entry = (*near.chunk)[pc % kChunkBytes / 4];
      if (entry.instruction != nullptr) [[likely]]
        return &entry;
    }
    return find(pc, decoded);
  }

  /// Returns the number of entries from that of `pc` on that follow each other.
  static std::size_t in_chunk(std::uint64_t pc) { return (kChunkBytes - pc % kChunkBytes) / 4; }

  /// Returns the analysed word: one object per word, valid for ever.
  const StaticInstruction* analysed(std::uint32_t word) { return words_.at(word, simd_); }

  /// Makes atomics wait until they are the oldest; for instructions that are decoded later.
  void order_atomics() { orders_atomics_ = true; }

  /// Forgets the instructions of [address, address + bytes).
  void drop(std::uint64_t address, std::uint64_t bytes);

 private:
  static constexpr std::uint64_t kChunkBytes = 256;  // of code decoded into one allocation
  using Chunk = std::array<StepEntry, kChunkBytes / 4>;
  const StepEntry* find(std::uint64_t pc, bool& decoded);

  const GuestMemory& memory_;
  const Bindings& bindings_;
  AnalysedWords& words_;
  const bool simd_;
  bool orders_atomics_ = false;
  /// Chunks found last; they stay where they are.
  struct Near {
    std::uint64_t number = ~std::uint64_t{0};
    Chunk* chunk = nullptr;
  };
  std::array<Near, 256> near_{};
  std::unordered_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
};

}  // namespace psim::isa
