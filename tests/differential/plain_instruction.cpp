// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/plain_instruction.h"

#include <algorithm>

#include "isa/table/format.h"

namespace psim::differential {

using isa::Op;
using isa::Operand;
using isa::Spec;
using Word = std::uint32_t;

namespace {

// Where qemu-sparc64 7.2 departs from the VIS manual; unit vectors cover these (isa/vis). Edge: sources are
// aligned in place. Array: field positions. Partitioned compares greater and less-equal: unsigned.
// Partitioned subtraction: operands swapped. Multiplies of pixels, merge, expand, pack: lane order. bshuffle:
// bytes of the result reversed. Quad compares into fcc1–fcc3 clear the flags and the rounding mode. stq
// stores the high half twice. Two NaN operands: the result follows x87's rule, so random values hold few
// NaNs. Not left out, so a seed may differ by it: fstod and fstoq of a signalling NaN raise no invalid there.
bool wrong_in_qemu(Op op) {
  switch (op) {
    case Op::Array8:
    case Op::Array16:
    case Op::Array32:
    case Op::Fpmerge:
    case Op::Fexpand:
    case Op::Fmul8x16:
    case Op::Fmul8x16au:
    case Op::Fmul8x16al:
    case Op::Fmul8ulx16:
    case Op::Fmul8sux16:
    case Op::Fmuld8sux16:
    case Op::Fmuld8ulx16:
    case Op::Fcmpq:
    case Op::Fcmpeq:
    case Op::Stqf:
    case Op::Bshuffle:
    case Op::Fpsub16:
    case Op::Fpsub16s:
    case Op::Fpsub32:
    case Op::Fpsub32s:
    case Op::Fpcmple16:
    case Op::Fpcmpgt16:
    case Op::Fpcmple32:
    case Op::Fpcmpgt32:
      return true;
    default:
      return (op >= Op::Edge8cc && op <= Op::Edge32lcc) || (op >= Op::Edge8n && op <= Op::Edge32ln);
  }
}

// Rows that random filling of fields may use; control transfer and windows are composed by the generator.
bool is_plain(const Spec& spec) {
  switch (spec.op) {
    case Op::Illegal:
    case Op::Illtrap:
    case Op::Privileged:
    case Op::Call:
    case Op::Jmpl:
    case Op::Return:
    case Op::Bicc:
    case Op::Bpcc:
    case Op::Fbfcc:
    case Op::Fbpfcc:
    case Op::Bpr:
    case Op::Cwb:
    case Op::Cxb:
    case Op::Tcc:
    case Op::Save:
    case Op::Restore:
    case Op::Rdtick:
    case Op::Rdstick:
    case Op::Wrpause:
    case Op::Wrfprs:
    case Op::Rdfprs:
    case Op::Wrgsr:  // interval rounding, which qemu has not
    case Op::Wrasi:  // only some values are user ASIs
    case Op::Ldfsr:
    case Op::Ldxfsr:  // could enable traps
    case Op::Taddcctv:
    case Op::Tsubcctv:  // trap on overflow
    case Op::Siam:      // qemu-sparc64 7.2 has no siam
    case Op::Rdpc:      // the two programs of a bisection differ in addresses
      return false;
    default:
      return true;
  }
}

bool is_division(Op op) {
  switch (op) {
    case Op::Udiv:
    case Op::Udivcc:
    case Op::Sdiv:
    case Op::Sdivcc:
    case Op::Udivx:
    case Op::Sdivx:
      return true;
    default:
      return false;
  }
}

constexpr bool is_store_only(const Spec& spec) {
  return (spec.effects & isa::effect::kStore) && !(spec.effects & isa::effect::kLoad);
}

}  // namespace

bool in_subset(const Spec& spec, Subset subset) {
  if (subset == Subset::All) return true;
  if (wrong_in_qemu(spec.op)) return false;
  return !(spec.op >= Op::Addxc || (spec.op >= Op::Fmadds && spec.op <= Op::Fpmaddxhi) ||
           spec.op == Op::Cwb || spec.op == Op::Cxb);
}

PlainInstructions::PlainInstructions(Random& random, Subset subset) : random_(random), subset_(subset) {
  for (const Spec& spec : isa::instructions())
    if (is_plain(spec) && in_subset(spec, subset)) rows_.push_back(&spec);
}

unsigned PlainInstructions::destination() {
  unsigned r;
  do {
    r = random_.below(32);
  } while (has_duty(r));
  return r;
}

unsigned PlainInstructions::even_destination() {
  return random_.one_of<unsigned>({8, 10, 12, 16, 18, 20, 22, 24, 26, 28});
}

Word PlainInstructions::filled(const Spec& spec, CodeBuilder& code, bool& usable) {
  Word word = spec.pattern.value;
  int offset =
      kScratch + static_cast<int>(random_.below(kScratchBytes - 64)) / 64 * 64;  // block accesses want 64
  const unsigned size = std::max<unsigned>(spec.bytes, 1);
  if (size < 64) offset += static_cast<int>(random_.below(64 / size) * size);
  const auto rd = [&](unsigned r) { word |= r << 25; };
  const auto field_double = [&] { return random_.below(32); };
  const auto field_quad = [&] { return random_.below(32) & 0x1Du; };
  for (const Operand operand : spec.format->operands) {
    switch (operand) {
      case Operand::Rd:
        rd(destination());
        break;
      case Operand::RdSource:
        rd(is_store_only(spec) ? random_.below(32) : destination());
        break;
      case Operand::RdPair:
        rd(even_destination());
        break;
      case Operand::RdPairSource:
        rd(random_.below(16) * 2);
        break;
      case Operand::Fs:
      case Operand::FsSource:
        rd(random_.below(32));
        break;
      case Operand::Fd:
      case Operand::FdSource:
        rd(field_double());
        break;
      case Operand::Fq:
      case Operand::FqSource:
        rd(field_quad());
        break;
      case Operand::Rs1:
      case Operand::Fs1:
      case Operand::Fd1:
        word |= random_.below(32) << 14;
        break;
      case Operand::Fq1:
        word |= field_quad() << 14;
        break;
      case Operand::Rs2:
      case Operand::Fs2:
      case Operand::Fd2:
      case Operand::Shcnt32:
      case Operand::Simm5:
        word |= random_.below(32);
        break;
      case Operand::Fq2:
        word |= field_quad();
        break;
      case Operand::Fs3:
      case Operand::Fd3:
        word |= random_.below(32) << 9;
        break;
      case Operand::Simm13:
        word |= random_.chance(50) ? random_.below(32) : random_.below(1u << 13);
        break;
      case Operand::Simm11:
        word |= random_.below(1u << 11);
        break;
      case Operand::Simm10:
        word |= random_.below(1u << 10);
        break;
      case Operand::Shcnt64:
        word |= random_.below(64);
        break;
      case Operand::High22:
      case Operand::Const22:
        word |= random_.below(1u << 22);
        break;
      case Operand::SiamMode:
        break;  // mode 0: leaves the rounding of %fsr in force
      case Operand::MembarMask:
        word |= random_.below(16);
        break;
      case Operand::PrefetchFunction:
        rd(random_.below(5));
        break;
      case Operand::AddressImmediate:
        word |= kBase << 14 | static_cast<Word>(offset);
        break;
      case Operand::AddressRegister: {
        const unsigned index = destination() | 16;  // never %g0
        if (has_duty(index)) {
          usable = false;
          return 0;
        }
        code.imm(2, 0x02, index, 0, offset);
        word |= kBase << 14 | index;
        break;
      }
      case Operand::AddressRs1:
        code.imm(2, 0x00, kPointer, kBase, offset);
        word |= kPointer << 14;
        break;
      case Operand::ImmediateAsi:
        word |= random_.one_of<Word>({0x80, 0x80, 0x88, 0x82}) << 5;
        break;
      case Operand::MoveIcc:
        word |= random_.below(2) << 12;
        break;
      case Operand::MoveFcc:
        word |= random_.below(4) << 11;
        break;
      case Operand::CompareFcc:
        word |= random_.below(4) << 25;
        break;
      case Operand::Y:
      case Operand::Ccr:
      case Operand::Asi:
      case Operand::Gsr:
      case Operand::Pc:
      case Operand::Fsr:
      case Operand::AsiRegister:
      case Operand::None:
        break;
      default:
        usable = false;
        return 0;  // an operand of the rows that is_plain() keeps out
    }
  }
  switch (spec.format->suffix) {
    case isa::Suffix::MoveIcc:
    case isa::Suffix::MoveFcc:
      word |= random_.below(16) << 14;
      break;
    case isa::Suffix::MoveR:
      word |= random_.one_of<Word>({1, 2, 3, 5, 6, 7}) << 10;
      break;
    default:
      break;
  }
  // No-fault ASIs are for loads.
  if ((spec.effects & isa::effect::kStore) != 0 && (word >> 13 & 1) == 0 && (word >> 5 & 0xFF) == 0x82)
    word ^= 0x2 << 5;
  return word;
}

void PlainInstructions::append(CodeBuilder& code) {
  bool usable = true;
  const Spec& spec = *rows_[random_.below(static_cast<unsigned>(rows_.size()))];
  const Word word = filled(spec, code, usable);
  if (!usable || &isa::decode(word) != &spec) return;
  if (is_division(spec.op)) {  // no division by zero
    if (word >> 13 & 1) {
      if ((word & 0x1FFF) == 0) return;
    } else {
      const unsigned divisor = word & 31;
      if (divisor == 0 || has_duty(divisor)) return;
      code.imm(2, 0x02, divisor, divisor, 1);
    }
  }
  // After logical operations and divisions qemu 7.2 loses the carry that addccc and subccc produce, unless
  // %ccr was written.
  if (subset_ == Subset::Qemu && (spec.op == Op::Addccc || spec.op == Op::Subccc)) {
    code.rd_asr(5, 2);
    code.wr_asr(2, 5);
  }
  code.word(word);
}

}  // namespace psim::differential
