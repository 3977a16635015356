// SPDX-License-Identifier: Apache-2.0
// The actions of blocks that keep a timing model warm (isa/state/execution_warmer.h): the checks that mostly
// show that nothing changes. Everything else is the handlers'.
#include <cstddef>

#include "isa/jit/emitter.h"

namespace psim::isa::jit {

using namespace asmjit;
using namespace asmjit::x86;

void Emitter::warm(const Action* a, const WarmingMeaning& meaning) {
  using enum WarmingMeaning::Kind;
  switch (meaning.kind) {
    case Access:
      return warm_access(a, meaning);
    case Always:
      return warm_branch(a, true);
    case Accesses:
    case Operations:
      if (a->imm == 0) return;
      as_.mov(rcx, reinterpret_cast<std::uint64_t>(meaning.kind == Accesses ? &warmer_->counts.accesses
                                                                            : &warmer_->counts.operations));
      constant(rax, a->imm);
      as_.add(qword_ptr(rcx), rax);
      return;
    case Fetch:
      break;
  }
  const std::uint64_t line = static_cast<std::uint64_t>(a->imm) >> warmer_->code.shift;
  const Label after = as_.newLabel();
  as_.mov(rcx, reinterpret_cast<std::uint64_t>(&warmer_->code.of(line)));
  constant(rax, static_cast<std::int64_t>(line << 1));
  as_.cmp(qword_ptr(rcx), rax);
  as_.jne(to_handler(a, after));
  as_.bind(after);
}

void Emitter::warm_access(const Action* a, const WarmingMeaning& meaning) {
  const Second y = meaning.by_register ? second(a, false) : Second{true, static_cast<std::int16_t>(a->rd), 0};
  const Gp at = address(a->rs1 / 8u, y);
  const Label after = as_.newLabel(), handler = to_handler(a, after);
  const ExecutionWarmer::RecentLines& data = warmer_->data;
  if (at != rax) as_.mov(rax, at);
  as_.shr(rax, data.shift);
  as_.mov(ecx, eax);
  as_.and_(ecx, static_cast<std::int32_t>(data.mask));
  as_.mov(rdx, reinterpret_cast<std::uint64_t>(data.entries.data()));
  as_.lea(rax, Mem(rax, rax, 0, meaning.write));
  if (meaning.write) {
    as_.cmp(rax, Mem(rdx, rcx, 3, 0));
    as_.jne(handler);
  } else {
    as_.xor_(rax, Mem(rdx, rcx, 3, 0));
    as_.cmp(rax, 1);
    as_.ja(handler);
  }
  as_.bind(after);
}

/// Does ExecutionWarmer::met(), and by a handler ExecutionWarmer::branch().
void Emitter::warm_branch(const Action* a, bool taken) {
  const Label other = as_.newLabel(), after = as_.newLabel();
  const BranchSite& at = warmer_->site(a->word);
  as_.mov(rdx, reinterpret_cast<std::uint64_t>(&at.entry));
  as_.mov(rax, qword_ptr(rdx));
  constant(rcx, static_cast<std::int64_t>(at.pc));
  as_.cmp(qword_ptr(rax, offsetof(HistoryEntry, pc)), rcx);
  as_.jne(other);
  as_.lea(rcx, Mem(r14, a->index + 1));
  as_.mov(qword_ptr(rax, offsetof(HistoryEntry, used)), rcx);
  const Mem counter = byte_ptr(rax, offsetof(HistoryEntry, counter));
  if (taken) {
    as_.mov(rcx, reinterpret_cast<std::uint64_t>(&warmer_->counts.taken));
    as_.inc(qword_ptr(rcx));
  }
  as_.cmp(counter, taken ? warmer_->counter_max : 0);
  as_.je(after);
  // The carry states that the counter predicts the other way.
  const std::int32_t half = warmer_->counter_max / 2;
  as_.mov(rdx, reinterpret_cast<std::uint64_t>(&warmer_->counts.mispredicted));
  if (taken) {
    as_.cmp(counter, half + 1);
  } else {
    as_.mov(ecx, half);
    as_.cmp(cl, counter);
  }
  as_.adc(qword_ptr(rdx), 0);
  as_.add(counter, taken ? 1 : -1);
  as_.bind(after);
  cold_.push_back([=, this, then = now_] {
    now_ = then;
    as_.bind(other);
    if (!taken) {  // a branch that has never been taken since
      as_.mov(rax, qword_ptr(rdx, offsetof(BranchSite, absent_after) - offsetof(BranchSite, entry)));
      as_.mov(rcx, reinterpret_cast<std::uint64_t>(warmer_->entered));
      as_.cmp(rax, qword_ptr(rcx));
      as_.je(after);
    }
    write_back();
    as_.mov(state(&Context::taken), taken ? 1 : 0);
    Action decided = warming_decided(a->word);
    decided.index = a->index;
    call_handlers(&decided, 1);
    reload(now_.valid);
    as_.jmp(after);
  });
}

}  // namespace psim::isa::jit
