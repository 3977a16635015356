// SPDX-License-Identifier: Apache-2.0
// Reads and writes of the state registers (V9 manual, A.44 and A.62; %gsr and %stick: JPS1 5.2.11, 5.2.15).
#include "isa/fp/environment.h"
#include "isa/state/context.h"
#include "isa/state/handler.h"
#include "isa/table/groups.h"
#include "isa/table/row.h"

namespace psim::isa::state_registers {
namespace {
using u64 = std::uint64_t;

u64 read_y(const Context& c) { return c.y; }
u64 read_ccr(const Context& c) { return c.cc().byte(); }
u64 read_asi(const Context& c) { return c.asi; }
u64 read_fprs(const Context& c) { return c.fprs; }
u64 read_gsr(const Context& c) { return c.gsr; }

void write_y(Context& c, u64 v) { c.y = v & 0xffffffff; }
void write_ccr(Context& c, u64 v) {
  c.set_cc({static_cast<std::uint8_t>(v & 15), static_cast<std::uint8_t>(v >> 4 & 15)});
}
void write_asi(Context& c, u64 v) { c.asi = static_cast<std::uint8_t>(v); }
/// Linux enables the floating-point unit again at its next use, so that FEF = 0 is never visible.
void write_fprs(Context& c, u64 v) { c.fprs = v & 7; }
void set_gsr(Context& c, u64 v) { fp::write_gsr(c, v); }
/// Does nothing: a pause may end at once.
void write_pause(Context&, u64) {}
/// Does nothing: a wait for a write may end at once.
void write_mwait(Context&, u64) {}

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

// Bit 13 is not used by rd.
template <auto Read>
constexpr Execution kReads{{.handler = read<Read>, .immediate = read<Read>}};
template <Operand>
constexpr Execution kTicks{{.handler = alone, .immediate = alone}};
constexpr Execution kReadsPc{{.handler = read_pc, .immediate = read_pc}};
template <auto Write>
constexpr Execution kWrites{{.handler = write<Write, false>, .immediate = write<Write, true>}};
template <auto Write>
constexpr Execution kWritesFloating{
    {.handler = write<Write, false>, .immediate = write<Write, true>, .floating = true}};

}  // namespace
}  // namespace psim::isa::state_registers

namespace psim::isa::table {
using namespace state_registers;

namespace {
// clang-format off
constexpr auto kStateRows = rows(
    // Reads.
    row("rd", "10 ddddd 101000 00000 0 0000000000000", kRead<Y>, kSimple, "V9 A.44", kReads<read_y>, effect::kReadY),
    row("rd", "10 ddddd 101000 00010 0 0000000000000", kRead<Ccr>, kSimple, "V9 A.44", kReads<read_ccr>, effect::kReadCc),
    row("rd", "10 ddddd 101000 00011 0 0000000000000", kRead<Asi>, kSimple, "V9 A.44", kReads<read_asi>, effect::kReadAsi),
    row("rd", "10 ddddd 101000 00100 0 0000000000000", kRead<Tick>, kSerial, "V9 A.44", kTicks<Tick>, effect::kTimed),
    row("rd", "10 ddddd 101000 00101 0 0000000000000", kRead<Pc>, kSimple, "V9 A.44", kReadsPc),
    row("rd", "10 ddddd 101000 00110 0 0000000000000", kRead<Fprs>, kSimple, "V9 A.44", kReads<read_fprs>, effect::kReadFprs),
    row("rd", "10 ddddd 101000 10011 0 0000000000000", kRead<Gsr>, kSimple, "JPS1 A.44", kReads<read_gsr>, effect::kReadGsr, 0, hwcap::kVis),
    row("rd", "10 ddddd 101000 11000 0 0000000000000", kRead<Stick>, kSerial, "JPS1 A.44", kTicks<Stick>, effect::kTimed, 0, hwcap::kVis2),
    // Writes: the value is rs1 xor the second operand.
    pair<"10 00000 110000 sssss">("wr", kWriteR<Y>, kWriteI<Y>, kSimple, "V9 A.63", kWrites<write_y>, effect::kWriteY),
    pair<"10 00010 110000 sssss">("wr", kWriteR<Ccr>, kWriteI<Ccr>, kSimple, "V9 A.63", kWrites<write_ccr>, effect::kWriteCc),
    pair<"10 00011 110000 sssss">("wr", kWriteR<Asi>, kWriteI<Asi>, kSerial, "V9 A.63", kWrites<write_asi>, effect::kWriteAsi),
    pair<"10 00110 110000 sssss">("wr", kWriteR<Fprs>, kWriteI<Fprs>, kSerial, "V9 A.63", kWrites<write_fprs>, effect::kWriteFprs),
    pair<"10 10011 110000 sssss">("wr", kWriteR<Gsr>, kWriteI<Gsr>, kSerial, "JPS1 A.63", kWritesFloating<set_gsr>, effect::kWriteGsr, 0, hwcap::kVis),
    pair<"10 11011 110000 sssss">("wr", kWriteR<Pause>, kWriteI<Pause>, kSerial, "OSA2011 WRPAUSE", kWrites<write_pause>, 0, 0, hwcap::kPause),
    pair<"10 11100 110000 sssss">("wr", kWriteR<Mwait>, kWriteI<Mwait>, kSerial, "OSA2015 WRMWAIT", kWrites<write_mwait>, effect::kTimed, 0, hwcap::kMwait)
);
// clang-format on
static_assert(disjoint(kStateRows), "two instructions claim the same word");
}  // namespace

std::span<const Spec> state_rows() { return kStateRows; }

}  // namespace psim::isa::table
