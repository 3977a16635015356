// SPDX-License-Identifier: Apache-2.0
#include "isa/jit/emitter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace psim::isa::jit {

using namespace asmjit;
using namespace asmjit::x86;

namespace {
constexpr std::array kHomes{Gp::kIdBp, Gp::kIdR15, Gp::kIdSi,  Gp::kIdDi,
                            Gp::kIdR8, Gp::kIdR9,  Gp::kIdR10, Gp::kIdR11};
const Gp kContext = rbx, kHost = r12, kPages = r13, kRetired = r14;

/// Ends a copy of actions: returns to the translated code.
PSIM_HANDLER(end_of_call) { return a; }

#if !PSIM_THREADED
const Action* run_copies(Context* c, const Action* a, std::byte* host, const std::uint8_t* pages) {
  while (a != nullptr && a->handler != static_cast<Handler>(end_of_call)) a = a->handler(c, a, host, pages);
  return a;
}
#endif

template <class T>
std::uint64_t as_number(T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
}  // namespace

CommonCode emit_common(CodeHolder& code) {
  Assembler as(&code);
  CommonCode common;
  const auto here = [&] { return reinterpret_cast<const std::byte*>(as.offset()); };
  const std::array saved{rbx, rbp, r12, r13, r14, r15};
  const auto restore = [&] {
    as.mov(qword_ptr(kContext, place(&Context::instructions)), kRetired);
    as.mov(rdi, kContext);
    as.mov(rdx, kHost);
    as.mov(rcx, kPages);
    as.add(rsp, 8);
    for (auto r = saved.rbegin(); r != saved.rend(); ++r) as.pop(*r);
  };
  common.enter = here();
  for (const Gp& r : saved) as.push(r);
  as.sub(rsp, 8);  // calls need a multiple of 16
  as.mov(kContext, rdi);
  as.mov(kHost, rdx);
  as.mov(kPages, rcx);
  as.mov(kRetired, qword_ptr(kContext, place(&Context::instructions)));
  as.jmp(qword_ptr(rsi, offsetof(Action, imm)));
  common.leave = here();
  restore();
#if PSIM_THREADED
  as.jmp(qword_ptr(rsi, offsetof(Action, handler)));
#else
  as.mov(rax, rsi);
  as.ret();
#endif
  common.leave_next = here();
  as.mov(qword_ptr(kContext, place(&Context::exit_action)), rsi);
  as.mov(byte_ptr(kContext, place(&Context::exit)), static_cast<int>(Exit::Next));
  const Label null = as.newLabel();
  as.jmp(null);
  common.leave_target = here();
  as.mov(byte_ptr(kContext, place(&Context::exit)), static_cast<int>(Exit::Jump));
  common.leave_null = here();
  as.bind(null);
  restore();
  as.xor_(eax, eax);
  as.ret();
  return common;
}

Emitter::Emitter(CodeHolder& code, const Bindings& bindings, const CommonCode& common,
                 ExecutionWarmer* warmer, std::function<Action*(std::size_t)> actions)
    : code_{code},
      as_{&code},
      bindings_{bindings},
      common_{common},
      warmer_{warmer},
      take_actions_{std::move(actions)} {}

Mem Emitter::state(std::int32_t offset, unsigned bytes) const { return Mem(kContext, offset, bytes); }
Mem Emitter::r(unsigned number, unsigned bytes) const {
  return state(static_cast<std::int32_t>(8 * number), bytes);
}
Gp Emitter::home(unsigned number) const { return gpq(now_.home[number]); }

void Emitter::constant(Gp to, std::int64_t value) {
  if (value == static_cast<std::uint32_t>(value))
    as_.mov(to.r32(), static_cast<std::uint32_t>(value));
  else
    as_.mov(to, value);
}

/// Puts a guest register into `to`, without a change of flags.
void Emitter::load(Gp to, unsigned number) {
  if (number == 0)
    as_.mov(to.r32(), 0);
  else if ((now_.valid >> number & 1) != 0)
    as_.mov(to, home(number));
  else
    as_.mov(to, r(number));
}

/// Returns the host register that holds a guest register: its home, or else `scratch`.
Gp Emitter::in(unsigned number, Gp scratch) {
  if (!now_.at_home(number)) {
    load(scratch, number);
    return scratch;
  }
  reload(Registers{1} << number & ~now_.valid);
  return home(number);
}

/// Returns the host register in which a result for a guest register is computed: its home, or else `scratch`.
Gp Emitter::out(unsigned number, Gp scratch) const {
  return number < 32 && now_.at_home(number) ? home(number) : scratch;
}

/// Makes `value` that of a guest register; 32 takes writes to %g0.
void Emitter::done(unsigned number, Gp value) {
  if (number == 32) return;
  if (cc_.operands && (cc_.a == number || (!cc_.b.constant && cc_.b.number == number))) cc_.operands = false;
  if (!now_.at_home(number)) {
    as_.mov(r(number), value);
    return;
  }
  if (value != home(number)) as_.mov(home(number), value);
  now_.valid |= Registers{1} << number;
  now_.dirty |= Registers{1} << number;
}

void Emitter::write_back() {
  for_each(now_.dirty, [&](unsigned number) { as_.mov(r(number), home(number)); });
}
void Emitter::reload(Registers set) {
  for_each(set, [&](unsigned number) { as_.mov(home(number), r(number)); });
  now_.valid |= set;
}

void Emitter::jump(const std::byte* common) { as_.jmp(as_number(common)); }

/// Calls the handlers of `count` actions. Guest registers are in CpuState.
void Emitter::call_handlers(const Action* first, std::size_t count) {
  Action* const copies = take_actions_(count + 1);
  std::copy(first, first + count, copies);
  copies[count] = {.handler = end_of_call};
  as_.mov(state(&Context::instructions), kRetired);
  as_.mov(rdi, kContext);
  as_.mov(rsi, as_number(copies));
  as_.mov(rdx, kHost);
  as_.mov(rcx, kPages);
#if PSIM_THREADED
  as_.call(qword_ptr(rsi, offsetof(Action, handler)));
#else
  as_.mov(rax, as_number(run_copies));
  as_.call(rax);
#endif
  as_.test(rax, rax);
  const Label left = as_.newLabel();
  as_.jz(left);
  // The reason to leave names a copy.
  cold_.push_back([=, this, distance = as_number(first) - as_number(copies)] {
    as_.bind(left);
    as_.mov(rax, distance);
    as_.add(state(&Context::exit_action), rax);
    jump(common_.leave_null);
  });
}

/// Does actions by their handlers, which may change any register.
void Emitter::call(const Action* first, std::size_t count) {
  write_back();
  now_.valid = now_.dirty = 0;
  cc_ = {};
  call_handlers(first, count);
}

/// Returns the place to jump to if the handler must do an action, which then goes on at `resume`.
/// `destination`: the register that the action writes.
Label Emitter::to_handler(const Action* a, Label resume, int destination) {
  const Label label = as_.newLabel();
  cold_.push_back([=, this, then = now_] {
    now_ = then;
    as_.bind(label);
    write_back();
    call_handlers(a, 1);
    if (destination >= 0 && destination < 32 && now_.at_home(static_cast<unsigned>(destination)))
      now_.valid |= Registers{1} << destination;
    reload(now_.valid);
    as_.jmp(resume);
  });
  return label;
}

/// Ends the block: `retired` instructions are done, and exit `side` of its Exits is next.
void Emitter::edge(Block& block, unsigned side, unsigned retired) {
  as_.lea(kRetired, Mem(kRetired, static_cast<std::int32_t>(retired)));
  const Action* const* const next = &block.exits->next[side];
  const auto leave = [this, next] {
    as_.mov(rsi, as_number(next));
    as_.mov(rsi, qword_ptr(rsi));
  };
  if (region_->loops)
    for (std::size_t n = 0; n < region_->blocks.size(); ++n) {
      if (*next != region_->blocks[n]->actions()) continue;
      reload(now_.homes & ~now_.valid);
      as_.cmp(kRetired, state(&Context::limit));
      as_.jb(inner_[n]);
      now_.dirty = written_;
      write_back();
      leave();
      jump(common_.leave_next);
      return;
    }
  write_back();
  leave();
  as_.cmp(kRetired, state(&Context::limit));
  as_.jae(as_number(common_.leave_next));
  as_.jmp(qword_ptr(rsi, offsetof(Action, imm)));
}

namespace {
bool operand_of(std::uint16_t offset) { return offset < 8 * 32; }
template <class F>
void for_each_action(Block& block, F f) {
  const Action* const actions = block.actions();
  for (const Action* a = actions + 1; a < actions + block.slots; ++a) {
    if (a == reinterpret_cast<const Action*>(block.exits))
      a += kExitSlots - 1;
    else
      f(*a);
  }
}
}  // namespace

/// Gives host registers to the guest registers that the region uses most.
void Emitter::choose_homes() {
  std::array<std::uint64_t, 33> uses{};
  for (Block* const block : region_->blocks) {
    const std::uint64_t weight = 1 + std::uint64_t{block->actions()->word};  // runs of the block
    for_each_action(*block, [&](const Action& a) {
      for (const std::uint16_t operand : {a.rd, a.rs1, a.rs2})
        if (operand < 8 * 32) uses[operand / 8] += weight;
      if (operand_of(a.rd)) written_ |= Registers{1} << a.rd / 8;
      if (a.handler == static_cast<Handler>(link_handler)) written_ |= 1u << 15;
    });
  }
  uses[0] = 0;
  for (const std::uint32_t host : kHomes) {
    const auto most = std::max_element(uses.begin(), uses.end());
    if (*most == 0) break;
    const auto number = static_cast<unsigned>(most - uses.begin());
    now_.home[number] = static_cast<std::uint8_t>(host);
    now_.homes |= Registers{1} << number;
    *most = 0;
  }
  written_ &= now_.homes;
}

void Emitter::emit(const RegionPlan& region) {
  region_ = &region;
  choose_homes();
  for (std::size_t n = 0; n < region.blocks.size(); ++n)
    entries_.push_back(as_.newLabel()), inner_.push_back(as_.newLabel());
  for (std::size_t n = 0; n < region.blocks.size(); ++n) {
    as_.bind(entries_[n]);
    now_.valid = now_.dirty = 0;
    if (region.loops) {
      reload(now_.homes);
      now_.dirty = written_;
      as_.bind(inner_[n]);
    }
    cc_ = {};
    emit_block(*region.blocks[n]);
  }
  for (std::size_t n = 0; n < cold_.size(); ++n) std::function<void()>{cold_[n]}();
}

void Emitter::emit_block(Block& block) {
  const Action* const actions = block.actions();
  const Action* const exits = reinterpret_cast<const Action*>(block.exits);
  const Action* others = nullptr;  // the first of those that are waiting to be called
  std::size_t waiting = 0;
  const auto call_others = [&] {
    if (waiting != 0) call(others, waiting);
    waiting = 0;
  };
  for (const Action* a = actions + 1; a < actions + block.slots; ++a) {
    if (a == exits) a += kExitSlots;
    const Decoded d = decoded(a->word, bindings_);
    if (a->handler == d.action.handler && bindings_[*d.spec].meaning != Meaning::Other) {
      call_others();
      straight(a, d);
    } else if (const End end = control(block, a, call_others); end != End::None) {
      if (end == End::Block) return;
    } else if (const auto warming = warming_meaning(*a)) {
      call_others();
      warm(a, *warming);
    } else {
      if (waiting++ == 0) others = a;
    }
  }
  call_others();
  as_.ud2();  // the last action leaves
}

}  // namespace psim::isa::jit
