// SPDX-License-Identifier: Apache-2.0
#include "isa/jit/translator.h"

#include <asmjit/core.h>

#include <algorithm>
#include <cstddef>

#include "base/error.h"
#include "isa/jit/emitter.h"
#include "isa/state/context.h"

namespace psim::isa::jit {

// Memory for translated code. No page is ever writable and executable at once. It is private, so that a
// forked process may go on with a copy of its own.

class CodeMemory {
 public:
  static constexpr std::size_t kBytes = std::size_t{16} << 20;

  /// Reserves addresses; pages are committed as code comes.
  CodeMemory();
  ~CodeMemory();
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;

  /// Places the code; returns its address, or null if kBytes are used, or if the host refuses executable
  /// memory from the beginning. Throws UserError if it refuses it later.
  const std::byte* add(asmjit::CodeHolder& code);
  std::size_t used() const { return used_; }
  /// Frees what was added after used() returned `bytes`.
  void shrink(std::size_t bytes) { used_ = bytes; }

 private:
  std::byte* base_ = nullptr;
  std::size_t used_ = 0;
};

using asmjit::VirtMem::MemoryFlags;

CodeMemory::CodeMemory() {
  void* at = nullptr;
  if (asmjit::VirtMem::alloc(&at, kBytes, MemoryFlags::kNone) == asmjit::kErrorOk)
    base_ = static_cast<std::byte*>(at);
}

CodeMemory::~CodeMemory() {
  if (base_ != nullptr) asmjit::VirtMem::release(base_, kBytes);
}

const std::byte* CodeMemory::add(asmjit::CodeHolder& code) {
  if (base_ == nullptr || code.flatten() != asmjit::kErrorOk ||
      code.resolveUnresolvedLinks() != asmjit::kErrorOk)
    return nullptr;
  if (code.codeSize() > kBytes - used_) return nullptr;
  std::byte* const at = base_ + used_;
  if (code.relocateToBase(reinterpret_cast<std::uint64_t>(at)) != asmjit::kErrorOk) return nullptr;
  const std::size_t bytes = code.codeSize(), page = asmjit::VirtMem::info().pageSize;
  std::byte* const first = base_ + used_ / page * page;
  const std::size_t around = (used_ % page + bytes + page - 1) / page * page;
  const auto protect = [&](MemoryFlags flags) {
    const bool done = asmjit::VirtMem::protect(first, around, flags) == asmjit::kErrorOk;
    // Code that is in these pages already could not run.
    if (!done && used_ != 0)
      throw UserError("the host no longer allows executable memory; --translate-after 0 needs none");
    return done;
  };
  if (!protect(MemoryFlags::kAccessRW)) return nullptr;
  code.copyFlattenedData(at, bytes);
  if (!protect(MemoryFlags::kAccessRX)) return nullptr;
  used_ += (bytes + 15) / 16 * 16;
  return at;
}

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
