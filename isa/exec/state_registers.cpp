// SPDX-License-Identifier: Apache-2.0
// Reads and writes of the state registers (V9 manual, A.44 and A.62; %gsr and %stick: JPS1 5.2.11, 5.2.15).
#include "isa/exec/context.h"
#include "isa/exec/handler.h"
#include "isa/fields.h"
#include "isa/fp/environment.h"

namespace psim::isa {

namespace {
using u64 = std::uint64_t;

template <auto Read>
PSIM_HANDLER(read) {
  put(c, a->rd, Read(*c));
  PSIM_NEXT;
}
/// wr writes r[rs1] xor operand 2.
template <auto Write, bool I>
PSIM_HANDLER(write) {
  Write(*c, get(c, a->rs1) ^ (I ? static_cast<u64>(a->imm) : get(c, a->rs2)));
  PSIM_NEXT;
}
/// %tick, %stick and %pc: in the single-step path, where pc and the count of instructions are exact.
PSIM_HANDLER(alone) {
  if (!c->alone) return do_alone(c, a);
  put(c, a->rd, c->environment->tick(*c));
  PSIM_NEXT;
}
PSIM_HANDLER(read_pc) {
  if (!c->alone) return do_alone(c, a);
  put(c, a->rd, c->pc);
  PSIM_NEXT;
}
PSIM_HANDLER(illtrap) { PSIM_TROUBLE(FaultKind::IllegalInstruction); }
PSIM_HANDLER(privileged) { PSIM_TROUBLE(FaultKind::PrivilegedInstruction); }

template <auto Write>
Binding writes() {
  return {
      .handler = write<Write, false>, .immediate = write<Write, true>, .rs1 = Bank::Int, .rs2 = Bank::Int};
}
template <auto Read>
Binding reads() {
  // Bit 13 is not used by rd.
  return {.handler = read<Read>, .immediate = read<Read>, .rd = Bank::Int};
}
}  // namespace

void bind_state_registers(Bindings& b) {
  b[Op::Rdy] = reads<[](const Context& c) { return c.y; }>();
  b[Op::Rdccr] = reads<[](const Context& c) { return u64{c.cc().byte()}; }>();
  b[Op::Rdasi] = reads<[](const Context& c) { return u64{c.asi}; }>();
  b[Op::Rdfprs] = reads<[](const Context& c) { return u64{c.fprs}; }>();
  b[Op::Rdgsr] = reads<[](const Context& c) { return c.gsr; }>();
  b[Op::Rdtick] = b[Op::Rdstick] = {.handler = alone, .immediate = alone, .rd = Bank::Int};
  b[Op::Rdpc] = {.handler = read_pc, .immediate = read_pc, .rd = Bank::Int};
  b[Op::Wry] = writes<[](Context& c, u64 v) { c.y = v & 0xffffffff; }>();
  b[Op::Wrccr] = writes<[](Context& c, u64 v) {
    c.set_cc({static_cast<std::uint8_t>(v & 15), static_cast<std::uint8_t>(v >> 4 & 15)});
  }>();
  b[Op::Wrasi] = writes<[](Context& c, u64 v) { c.asi = static_cast<std::uint8_t>(v); }>();
  // Linux turns the floating-point unit on again at its next use, so that FEF = 0 is never noticed.
  b[Op::Wrfprs] = writes<[](Context& c, u64 v) { c.fprs = v & 7; }>();
  b[Op::Wrgsr] = writes<[](Context& c, u64 v) { fp::write_gsr(c, v); }>();
  b[Op::Wrgsr].floating = true;
  // A pause may end at once.
  b[Op::Wrpause] = writes<[](Context&, u64) {}>();
  b[Op::Illegal] = b[Op::Illtrap] = {.handler = illtrap, .immediate = illtrap};
  b[Op::Privileged] = {.handler = privileged, .immediate = privileged};
}

}  // namespace psim::isa
