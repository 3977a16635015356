// SPDX-License-Identifier: Apache-2.0
#include "isa/exec/block_cache.h"

#include <new>

namespace psim::isa {

std::byte* BlockCache::take(std::size_t bytes) {
  if (bytes > free_bytes_) {
    chunks_.emplace_back(new (std::align_val_t{64}) std::byte[kChunkBytes]);
    free_bytes_ = kChunkBytes;
  }
  std::byte* const at = chunks_.back().get() + (kChunkBytes - free_bytes_);
  free_bytes_ -= bytes, used_ += bytes;
  return at;
}

Block* BlockCache::append(const BlockPlan& plan) {
  std::byte* const at = take(sizeof(Block) + plan.slots.size() * sizeof(Action));
  Block* const block = new (at) Block{.pc = plan.pc,
                                      .instructions = plan.instructions,
                                      .jump_delay = plan.jump_delay,
                                      .slots = static_cast<std::uint16_t>(plan.slots.size())};
  Action* const actions = block->actions();
  std::uninitialized_copy(plan.slots.begin(), plan.slots.end(), actions);
  if (plan.exits_slot) {
    Exits* const exits = new (actions + *plan.exits_slot) Exits{};
    block->exits = exits;
    for (unsigned side = 0; side < 2; ++side) {
      Action* const stub = new (exits->stub(side)) Action{};
      stub->handler = stub_handler, stub->rd = static_cast<std::uint16_t>(side);
      if (translator_ != nullptr) stub->imm = translator_->entry().imm;
      stub->word = static_cast<std::uint32_t>(plan.exit_pc[side] - plan.pc);
      stub->slot = static_cast<std::uint16_t>(*plan.exits_slot + 1 + side);
      exits->next[side] = stub;
    }
    for (const unsigned go : plan.gos) actions[go].imm = reinterpret_cast<std::int64_t>(exits);
  }
  return block;
}

void BlockCache::set_translation(std::uint16_t runs) {
  runs_ = runs;
  translator_.reset();
  builder_.set_entry({});
}

/// Makes the translator, if there shall be one and the host allows it.
void BlockCache::prepare_translation() {
  if (runs_ == 0 || simd_ || translator_ != nullptr) return;
  translator_ = std::make_unique<jit::Translator>(bindings_, runs_, [this](std::size_t count) {
    return reinterpret_cast<Action*>(take(count * sizeof(Action)));
  });
  if (translator_->usable()) {
    builder_.set_entry(translator_->entry());
  } else {
    translator_.reset();
    runs_ = 0;
  }
}

void BlockCache::translate(Block& block) {
  if (!translator_->translate(block, warmer_)) clear();
}

Block* BlockCache::at(std::uint64_t pc, bool& built) {
  built = false;
  if (Block* const block = known(pc); block != nullptr) return block;
  prepare_translation();
  if (!builder_.build(pc, plan_)) return nullptr;
  if (full()) clear();
  Block* const block = append(plan_);
  by_pc_.emplace(pc, block);
  by_page_[pc / GuestMemory::kPageBytes].push_back(block);
  built = true;
  return block;
}

void BlockCache::link(const Action* stub, Block* to) {
  Exits* const exits = block_of(stub)->exits;
  const unsigned side = stub->rd;
  exits->next[side] = to->actions();
  exits->sibling[side] = to->predecessors[side];
  to->predecessors[side] = exits;
}

void BlockCache::unlink(Block& block, Context& c) {
  if (translator_ != nullptr) translator_->drop(block);
  for (unsigned side = 0; side < 2; ++side) {
    for (Exits* exits = block.predecessors[side]; exits != nullptr; exits = exits->sibling[side])
      exits->next[side] = exits->stub(side);
    block.predecessors[side] = nullptr;
    if (block.exits == nullptr || block.exits->next[side] == block.exits->stub(side)) continue;
    Block* const successor = block_of(block.exits->next[side]);
    Exits** link = &successor->predecessors[side];
    while (*link != block.exits) link = &(*link)->sibling[side];
    *link = block.exits->sibling[side];
    block.exits->next[side] = block.exits->stub(side);
  }
  JumpCacheEntry& entry = c.jump_entry(block.pc, simd_);
  if (entry.block == block.actions()) entry = {};
}

void BlockCache::drop(std::uint64_t address, std::uint64_t bytes, Context& c) {
  const std::uint64_t first = address / GuestMemory::kPageBytes,
                      last = (address + bytes - 1) / GuestMemory::kPageBytes;
  const auto drop_of_page = [&](std::vector<Block*>& blocks) {
    std::erase_if(blocks, [&](Block* block) {
      if (block->pc >= address + bytes || block->pc + 4 * block->instructions <= address) return false;
      unlink(*block, c);
      by_pc_.erase(block->pc);
      return true;
    });
  };
  if (last - first < by_page_.size()) {
    for (std::uint64_t page = first; page <= last; ++page)
      if (const auto found = by_page_.find(page); found != by_page_.end()) drop_of_page(found->second);
  } else {
    for (auto& [page, blocks] : by_page_)
      if (page >= first && page <= last) drop_of_page(blocks);
  }
}

void BlockCache::clear() {
  by_pc_.clear(), by_page_.clear(), chunks_.clear();
  free_bytes_ = used_ = 0;
  if (translator_ != nullptr) translator_->clear();
  ++generation_;
}

}  // namespace psim::isa
