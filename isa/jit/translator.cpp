// SPDX-License-Identifier: Apache-2.0
#include "isa/jit/translator.h"

#include <algorithm>

#include "isa/jit/code_memory.h"
#include "isa/jit/emitter.h"
#include "isa/state/context.h"

namespace psim::isa::jit {

namespace {
PSIM_HANDLER(count_run) {
  Action& entry = *const_cast<Action*>(a);
  if (++entry.word == entry.rd) [[unlikely]] {
    c->exit = Exit::Hot, c->exit_action = a;
    return nullptr;
  }
  PSIM_NEXT;
}

/// Returns the block that exit `side` leads to, if it may be translated with `block`.
Block* successor(const Block& block, unsigned side) {
  if (block.exits == nullptr) return nullptr;
  const Action* const next = block.exits->next[side];
  if (next->handler == static_cast<Handler>(stub_handler)) return nullptr;
  Block* const to = block_of(next);
  return to->region == 0 ? to : nullptr;
}

/// Returns the blocks of the loops through `head`, which comes first, or `head` alone.
RegionPlan loops_of(Block& head) {
  constexpr std::size_t kMost = 32;
  std::vector<Block*> reached{&head};
  for (std::size_t n = 0; n < reached.size(); ++n)
    for (unsigned side = 0; side < 2; ++side)
      if (Block* const to = successor(*reached[n], side);
          to != nullptr && reached.size() < kMost &&
          std::find(reached.begin(), reached.end(), to) == reached.end())
        reached.push_back(to);
  // The blocks that lead back.
  RegionPlan region;
  std::vector<Block*>& blocks = region.blocks;
  blocks.push_back(&head);
  for (bool grown = true; grown;) {
    grown = false;
    for (Block* const block : reached) {
      const bool back = std::find(blocks.begin(), blocks.end(), successor(*block, 0)) != blocks.end() ||
                        std::find(blocks.begin(), blocks.end(), successor(*block, 1)) != blocks.end();
      if (!back) continue;
      region.loops = true;
      if (std::find(blocks.begin(), blocks.end(), block) != blocks.end()) continue;
      blocks.push_back(block);
      grown = true;
    }
  }
  return region;
}
}  // namespace

struct Translator::Code {
  CodeMemory memory;
  CommonCode common;
  std::size_t common_bytes = 0;
};

Translator::Translator(const Bindings& bindings, std::uint16_t runs,
                       std::function<Action*(std::size_t)> actions)
    : code_{std::make_unique<Code>()}, bindings_{bindings}, runs_{runs}, actions_{std::move(actions)} {
  asmjit::CodeHolder holder;
  holder.init(asmjit::Environment::host());
  CommonCode common = emit_common(holder);
  const std::byte* const base = code_->memory.add(holder);
  if (base == nullptr) return;
  for (const std::byte** at :
       {&common.enter, &common.leave, &common.leave_next, &common.leave_target, &common.leave_null})
    *at = base + reinterpret_cast<std::uintptr_t>(*at);
  code_->common = common;
  code_->common_bytes = code_->memory.used();
}
Translator::~Translator() = default;

bool Translator::usable() const { return code_->common_bytes != 0; }

Action Translator::entry() const {
  return {.handler = count_run, .rd = runs_, .imm = reinterpret_cast<std::int64_t>(code_->common.leave)};
}

bool Translator::translate(Block& block, ExecutionWarmer* warmer) {
  if (block.region != 0) return true;
  const RegionPlan region = loops_of(block);
  asmjit::CodeHolder holder;
  holder.init(asmjit::Environment::host());
  Emitter emitter{holder, bindings_, code_->common, warmer, actions_};
  emitter.emit(region);
  const std::byte* const base = code_->memory.add(holder);
  if (base == nullptr) return false;
  regions_.push_back(region.blocks);
  for (std::size_t n = 0; n < region.blocks.size(); ++n) {
    region.blocks[n]->region = static_cast<std::uint32_t>(regions_.size());
    Action& entry = *region.blocks[n]->actions();
    entry.handler = reinterpret_cast<Handler>(reinterpret_cast<std::uintptr_t>(code_->common.enter));
    entry.imm = reinterpret_cast<std::int64_t>(base + emitter.entry(n));
  }
  return true;
}

void Translator::drop(Block& block) {
  if (block.region == 0) return;
  std::vector<Block*>& blocks = regions_[block.region - 1];
  for (Block* const each : blocks) {
    each->region = 0;
    Action& action = *each->actions();
    action.handler = count_run, action.word = 0, action.imm = entry().imm;
  }
  blocks.clear();
}

void Translator::clear() {
  regions_.clear();
  code_->memory.shrink(code_->common_bytes);
}

}  // namespace psim::isa::jit
