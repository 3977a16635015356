// SPDX-License-Identifier: Apache-2.0
// Emits the host code of a region of blocks, action by action.
//
// Translated code does what the handlers of the actions do, in the same order, and leaves blocks at the same
// places with the same state. An unusual case (a refused access, a division by zero, a misaligned jump)
// goes to the handler of the action, on copies of the actions that end in a return to the code; actions
// without code of their own do so always.
//
// Registers: rbx Context, r12 base of guest memory, r13 page table, r14 retired instructions; rax, rcx, rdx
// are scratch; all others are homes of guest registers (Residence).
#pragma once

#include <asmjit/x86.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "isa/exec/block.h"
#include "isa/exec/branches.h"
#include "isa/exec/warming.h"
#include "isa/fp/operation.h"
#include "isa/state/context.h"
#include "isa/state/decoded.h"

namespace psim::isa::jit {

// Where the integer registers of the guest are while translated code runs: some have a host register of their
// own throughout a region, all others stay in CpuState::r.

/// A set of guest registers, %r1 to %r31.
using Registers = std::uint32_t;

struct Residence {
  static constexpr unsigned kNone = 0xff;
  std::array<std::uint8_t, 32> home{};  ///< number of the host register, or kNone
  Registers homes = 0;                  ///< those with a host register
  Registers valid = 0;                  ///< whose host register holds the value
  Registers dirty = 0;                  ///< of `valid`, whose value in CpuState::r is out of date

  Residence() { home.fill(kNone); }
  bool at_home(unsigned r) const { return (homes >> r & 1) != 0; }
};

/// Calls f(register) for each of a set, ascending.
template <class F>
void for_each(Registers set, F f) {
  for (; set != 0; set &= set - 1) f(static_cast<unsigned>(std::countr_zero(set)));
}

/// Returns the offset of a member in Context, which has no standard layout, as offsetof() requires.
template <class T, class C>
std::int32_t place(T C::*member) {
  alignas(Context) static std::byte blank[sizeof(Context)];
  const auto* const at = &(reinterpret_cast<const Context*>(blank)->*member);
  return static_cast<std::int32_t>(reinterpret_cast<const std::byte*>(at) - blank);
}

/// Code that all regions use.
struct CommonCode {
  const std::byte* enter = nullptr;         ///< a Handler: enters at Action::imm, with the action in rsi
  const std::byte* leave = nullptr;         ///< goes on with the action in rsi by its handler
  const std::byte* leave_next = nullptr;    ///< leaves by Exit::Next to the action in rsi
  const std::byte* leave_target = nullptr;  ///< leaves by Exit::Jump
  const std::byte* leave_null = nullptr;    ///< leaves; Context has the reason
};
/// Emits it; the addresses are offsets from its beginning.
CommonCode emit_common(asmjit::CodeHolder& code);

/// Blocks that are translated together.
struct RegionPlan {
  std::vector<Block*> blocks;  ///< the head first
  bool loops = false;          ///< blocks lead to each other; otherwise there is one
};

class Emitter {
 public:
  /// `warmer`: that of the blocks, or null. `actions` takes memory that lives as long as the blocks.
  Emitter(asmjit::CodeHolder& code, const Bindings& bindings, const CommonCode& common,
          ExecutionWarmer* warmer, std::function<Action*(std::size_t)> actions);

  void emit(const RegionPlan& region);
  /// Returns the offset of the code that enters a block of the region from outside.
  std::uint64_t entry(std::size_t block) const { return code_.labelOffsetFromBase(entries_[block]); }

 private:
  using Gp = asmjit::x86::Gp;
  using Mem = asmjit::x86::Mem;
  using Label = asmjit::Label;
  using CondCode = asmjit::x86::CondCode;
  using Inst = asmjit::x86::Inst::Id;

  /// Operand 2: a register, or a constant.
  struct Second {
    bool constant;
    std::int64_t value;
    unsigned number;
  };
  /// The operands of the instruction that set the condition codes, while they are known.
  struct LastCc {
    std::optional<CcKind> kind;  ///< as CpuState::cc_kind
    bool operands = false;       ///< the following are valid; otherwise those of CpuState are
    unsigned a = 0;
    Second b{};
  };

  // emitter.cpp: registers, calls of handlers, exits
  void choose_homes();
  void emit_block(Block& block);
  Mem state(std::int32_t offset, unsigned bytes) const;
  template <class T, class C>
  Mem state(T C::*member) const {
    return state(place(member), sizeof(T));
  }
  Mem r(unsigned number, unsigned bytes = 8) const;
  Gp home(unsigned number) const;
  Gp in(unsigned number, Gp scratch);
  void load(Gp to, unsigned number);
  Gp out(unsigned number, Gp scratch) const;
  void done(unsigned number, Gp value);
  void write_back();
  void reload(Registers set);
  void constant(Gp to, std::int64_t value);
  void call(const Action* first, std::size_t count);
  void call_handlers(const Action* first, std::size_t count);
  Label to_handler(const Action* a, Label resume, int destination = -1);
  void edge(Block& block, unsigned side, unsigned retired);
  void jump(const std::byte* common);

  // emit_integer.cpp
  void straight(const Action* a, const Decoded& d);
  Second second(const Action* a, bool immediate) const;
  void operate(Inst operation, Gp to, const Second& y, unsigned bytes = 8);
  void computation(const Action* a, const Decoded& d, bool immediate);
  void shift(Meaning meaning, Gp to, const Second& y);
  void divide(const Action* a, bool is_signed, bool immediate);
  void move(const Action* a, const Decoded& d, bool immediate);
  void note_operands(CcKind kind, unsigned x, const Second& y);
  void note_result(Gp result, unsigned destination);
  CondCode cc_flags(CcKind kind, bool wide, unsigned cond);
  CondCode known_cc_flags(bool wide, unsigned cond);
  CondCode any_cc_flags(bool wide, unsigned cond);
  CondCode register_flags(unsigned rcond, unsigned number);

  // emit_memory.cpp
  Gp address(unsigned base, const Second& y);
  void check(Gp address, unsigned bytes, bool write, Label refused);
  void access(const Action* a, const Decoded& d, bool immediate);

  // emit_warming.cpp
  void warm(const Action* a, const WarmingMeaning& meaning);
  void warm_access(const Action* a, const WarmingMeaning& meaning);
  void warm_branch(const Action* a, bool taken);

  // emit_fp.cpp
  void arithmetic(const Action* a, fp::Operation operation);
  void compare(const Action* a, bool is_double, bool signalling);

  // emit_branches.cpp
  /// States what control() has emitted.
  enum class End : std::uint8_t {
    None,    ///< nothing: the action is no control transfer
    Action,  ///< code of an action in the middle of the block
    Block,   ///< the end of the block
  };
  End control(Block& block, const Action* a, const std::function<void()>& before);
  CondCode flags(const Condition& k, const Action* a);
  bool branch(Block& block, const Action* a, const BranchMeaning& meaning);
  void indirect(const Action* a);

  asmjit::CodeHolder& code_;
  asmjit::x86::Assembler as_;
  const Bindings& bindings_;
  const CommonCode& common_;
  ExecutionWarmer* const warmer_;
  const std::function<Action*(std::size_t)> take_actions_;
  const RegionPlan* region_ = nullptr;
  Residence now_;          ///< at the place of emission
  Registers written_ = 0;  ///< in a region that loops: by any of its blocks
  LastCc cc_;
  std::vector<Label> entries_, inner_;       ///< of each block: from outside, and from within the region
  std::vector<std::function<void()>> cold_;  ///< code at the end
};

}  // namespace psim::isa::jit
