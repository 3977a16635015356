// SPDX-License-Identifier: Apache-2.0
// All blocks there are: found by pc, linked to each other, dropped when their code changes.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "isa/exec/block.h"
#include "isa/exec/block_builder.h"

namespace psim::isa {

class BlockCache {
 public:
  /// Blocks are all dropped when they fill this much.
  static constexpr std::size_t kCapacityBytes = std::size_t{24} << 20;

  /// Of the blocks of one state.
  BlockCache(GuestMemory& memory, const Bindings& bindings, bool simd)
      : builder_{memory, bindings, simd}, simd_{simd} {}

  /// The block at `pc`, built if need be; null where no code can be fetched. May drop all blocks, and so
  /// invalidate every pointer to one: only call it when no block runs. `built`: it is new.
  Block* at(std::uint64_t pc, bool& built);

  /// Blocks built from now on tell `recorder` what they do. Call clear(), too.
  void tell(ExecutionRecorder* recorder) { builder_.tell(recorder); }

  /// Lets the exit of this stub lead to `to` from now on.
  void link(const Action* stub, Block* to);

  /// Drops the blocks that hold a byte of [address, address + bytes). Their memory stays, so that one that
  /// runs can end.
  void drop(std::uint64_t address, std::uint64_t bytes, Context& c);
  /// Drops everything and gives the memory back; no block may run.
  void clear();
  /// Changes whenever clear() has been done by at().
  std::uint64_t generation() const { return generation_; }
  bool full() const { return used_ >= kCapacityBytes; }

 private:
  Block* place(const BlockPlan& plan);
  std::byte* take(std::size_t bytes);
  void unlink(Block& block, Context& c);

  struct FreeAligned {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  static constexpr std::size_t kChunkBytes = std::size_t{256} << 10;

  BlockBuilder builder_;
  const bool simd_;
  BlockPlan plan_;
  std::unordered_map<std::uint64_t, Block*> by_pc_;
  std::unordered_map<std::uint64_t, std::vector<Block*>> by_page_;  // a block lies in one page
  std::vector<std::unique_ptr<std::byte[], FreeAligned>> chunks_;
  std::size_t left_ = 0, used_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace psim::isa
