// SPDX-License-Identifier: Apache-2.0
// A basic block: actions, ended by a control transfer whose successors are other blocks, reached directly.
//
// In memory a block is its header, then its slots of 32 bytes each: actions, and for a block with static
// successors one Exits followed by its two stubs. A stub stands for a successor that has no block yet.
// Where blocks are translated to host code, the first action of each, and each stub, is an entry: translated
// code goes on at the host address in its imm (isa/jit/translator.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/state/context.h"
#include "isa/state/handler.h"

namespace psim::isa {

struct Block;

/// Successors of a block: [0] falls through, [1] is the branch target.
struct Exits {
  const Action* next[2];  ///< first action of the successor, or the stub below
  Exits* sibling[2];      ///< next in the successor's list of predecessors

  Action* stub(unsigned side) { return reinterpret_cast<Action*>(this + 1) + side; }
};
static_assert(sizeof(Exits) == sizeof(Action));
inline constexpr unsigned kExitSlots = 3;  ///< Exits and two stubs

inline constexpr std::uint16_t kNoJump = 0xffff;

struct alignas(32) Block {
  std::uint64_t pc = 0;
  std::uint32_t instructions = 0;      ///< decoded, delay slot included
  std::uint16_t jump_delay = kNoJump;  ///< Action::index of the delay slot of a call or jump, whose npc is
                                       ///< Context::target
  std::uint16_t slots = 0;             ///< in all
  std::uint32_t region = 0;            ///< 0: not translated; otherwise known to the translator
  Exits* exits = nullptr;              ///< null: ends in an indirect jump or leaves by itself
  Exits* predecessors[2] = {};         ///< heads of the lists of exits whose side 0 or 1 leads to this block

  Action* actions() { return reinterpret_cast<Action*>(this + 1); }
};
static_assert(sizeof(Block) % sizeof(Action) == 0);

inline Block* block_of(const Action* a) {
  return reinterpret_cast<Block*>(const_cast<Action*>(a) - a->slot) - 1;
}

/// Handler of stubs: leaves by Exit::Next. rd is the side.
PSIM_HANDLER(stub_handler);
/// Returns the pc of a stub's successor.
inline std::uint64_t stub_pc(const Action* stub) {
  // The distance, since imm is the host address of an entry. Branches reach 2 GiB.
  return block_of(stub)->pc + static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(stub->word)});
}

}  // namespace psim::isa
