// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/plain_instruction.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "isa/table/format.h"

namespace psim::differential {

using isa::Operand;
using isa::Spec;
using Word = std::uint32_t;

namespace {

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Where qemu-sparc64 7.2 departs from the VIS manual; unit vectors cover these (isa/vis). Edge: sources are
// aligned in place. Array: field positions. Partitioned compares greater and less-equal: unsigned.
// Partitioned subtraction: operands swapped. Multiplies of pixels, merge, expand, pack: lane order. bshuffle:
// bytes of the result reversed. Quad compares into fcc1–fcc3 clear the flags and the rounding mode. stq
// stores the high half twice. Two NaN operands: the result follows x87's rule, so random values hold few
// NaNs. Not left out, so a seed may differ by it: fstod and fstoq of a signalling NaN raise no invalid there.
bool wrong_in_qemu(const Spec& spec) {
  constexpr std::string_view kNames[] = {
      "array8",     "array16",    "array32",    "fpmerge",    "fexpand",     "fmul8x16",
      "fmul8x16au", "fmul8x16al", "fmul8ulx16", "fmul8sux16", "fmuld8sux16", "fmuld8ulx16",
      "fcmpq",      "fcmpeq",     "stq",        "bshuffle",   "fpsub16",     "fpsub16s",
      "fpsub32",    "fpsub32s",   "fpcmple16",  "fpcmpgt16",  "fpcmple32",   "fpcmpgt32"};
  return spec.name.starts_with("edge") || is_one_of(spec.name, kNames);
}

// Rows that random filling of fields may use; control transfer and windows are composed by the generator.
bool is_plain(const Spec& spec) {
  using namespace isa;
  if (spec.flow != Flow::Straight && spec.flow != Flow::FlushWindows) return false;
  if ((spec.effects & (effect::kTraps | effect::kTimed)) != 0) return false;
  for (const Operand operand : spec.format->operands) {
    if (operand == Operand::Pause || operand == Operand::Fprs) return false;
    if (operand == Operand::Pc) return false;  // the two programs of a bisection differ in addresses
  }
  // Interval rounding, which qemu has not, and only some values of %asi are user ASIs; loads of %fsr could
  // enable traps.
  const bool siam = spec.name == "siam";  // qemu-sparc64 7.2 has none
  const bool state = (spec.effects & (effect::kWriteGsr | effect::kWriteAsi)) != 0 && spec.name == "wr";
  if (siam || state || (spec.effects & effect::kWriteFsr) != 0) return false;
  return spec.name != "taddcctv" && spec.name != "tsubcctv";  // trap on overflow
}

bool is_division(const Spec& spec) { return spec.latency == isa::LatencyClass::IntDivide; }

constexpr bool is_store_only(const Spec& spec) {
  return (spec.effects & isa::effect::kStore) && !(spec.effects & isa::effect::kLoad);
}

}  // namespace

bool in_subset(const Spec& spec, Subset subset) {
  if (subset == Subset::All) return true;
  if (wrong_in_qemu(spec)) return false;
  namespace hwcap = isa::hwcap;
  constexpr std::uint64_t kLater =
      hwcap::kVis3 | hwcap::kVis3b | hwcap::kHpc | hwcap::kFmaf | hwcap::kIma | hwcap::kCbcond;
  return (spec.needs & kLater) == 0 && !spec.manual.starts_with("PSIM");
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
      kScratch + static_cast<int>(random_.below(kScratchBytes - 64)) / 64 * 64;  // block accesses need 64
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
  if (is_division(spec)) {  // no division by zero
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
  if (subset_ == Subset::Qemu && (spec.name == "addccc" || spec.name == "subccc")) {
    code.rd_asr(5, 2);
    code.wr_asr(2, 5);
  }
  code.word(word);
}

}  // namespace psim::differential
