// SPDX-License-Identifier: Apache-2.0
// All existing blocks: found by pc, linked to each other, dropped when their code changes.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "isa/exec/block.h"
#include "isa/exec/block_builder.h"
#include "isa/jit/translator.h"

namespace psim::isa {

class BlockCache {
 public:
  /// All blocks are dropped when they reach this size.
  static constexpr std::size_t kCapacityBytes = std::size_t{24} << 20;

  /// A cache for the blocks of one state.
  BlockCache(GuestMemory& memory, const Bindings& bindings, AnalysedWords& words, bool simd)
      : builder_{memory, bindings, words, simd}, bindings_{bindings}, simd_{simd} {}

  /// Returns the block at `pc`, built if necessary; null if no code can be fetched. May drop all blocks and
  /// so invalidate every pointer to one: call it only when no block runs. `built`: the block is new.
  Block* at(std::uint64_t pc, bool& built);

  /// Returns the block at `pc`; null if it is not built.
  Block* known(std::uint64_t pc) const {
    const auto found = by_pc_.find(pc);
    return found == by_pc_.end() ? nullptr : found->second;
  }

  /// Blocks built from now on report their actions to `recorder`. Call clear(), too.
  void set_recorder(ExecutionRecorder* recorder) { builder_.set_recorder(recorder); }
  /// Blocks built from now on keep `warmer` warm. Call clear(), too.
  void set_warmer(ExecutionWarmer* warmer) {
    builder_.set_warmer(warmer);
    warmer_ = warmer;
  }

  /// Translates blocks of scalar state to host code when they have run `runs` times; 0: never, as at first.
  /// Call clear(), too.
  void set_translation(std::uint16_t runs);
  /// Translates a block that was left by Exit::Hot. Clears everything if there is no memory left for code.
  void translate(Block& block);

  /// Lets the exit of this stub lead to `to` from now on.
  void link(const Action* stub, Block* to);

  /// Drops the blocks that hold a byte of [address, address + bytes). Their memory stays, so that a running
  /// block can end.
  void drop(std::uint64_t address, std::uint64_t bytes, Context& c);
  /// Drops all blocks and frees the memory; no block may run.
  void clear();
  /// Returns a number that grows with each clear(). Pointers to blocks of an earlier generation are invalid.
  std::uint64_t generation() const { return generation_; }
  bool full() const { return used_ >= kCapacityBytes; }

 private:
  void prepare_translation();
  Block* append(const BlockPlan& plan);
  std::byte* take(std::size_t bytes);
  void unlink(Block& block, Context& c);

  struct FreeAligned {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  static constexpr std::size_t kChunkBytes = std::size_t{256} << 10;

  BlockBuilder builder_;
  const Bindings& bindings_;
  const bool simd_;
  ExecutionWarmer* warmer_ = nullptr;
  std::uint16_t runs_ = 0;
  std::unique_ptr<jit::Translator> translator_;  // null: none, or not yet
  BlockPlan plan_;
  std::unordered_map<std::uint64_t, Block*> by_pc_;
  std::unordered_map<std::uint64_t, std::vector<Block*>> by_page_;  // a block lies in one page
  std::vector<std::unique_ptr<std::byte[], FreeAligned>> chunks_;
  std::size_t free_bytes_ = 0, used_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace psim::isa
