// SPDX-License-Identifier: Apache-2.0
// Formats: the operands of an instruction in assembler order. Operand syntax, the registers read and written
// and the bits that belong to fields all come from here; rows never repeat them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace psim::isa {

/// One operand of an instruction. A number in a name says the register field (1, 2, 3: rs1, rs2, rs3; none:
/// rd); "Source" marks an rd that is read.
enum class Operand : std::uint8_t {
  None,
  // clang-format off
  Rs1, Rs2, Rd, RdSource,
  RdPair, RdPairSource,         ///< %rd and %rd+1
  Fs1, Fs2, Fs3, Fs, FsSource,  ///< single
  Fd1, Fd2, Fd3, Fd, FdSource,  ///< double
  Fq1, Fq2, Fq, FqSource,       ///< quad
  PeS1, PeS2, PeS3, PeS,        ///< single register of the PEs, in either state; written %f like a scalar one
  PeD1, PeD2, PeD3, PeD,        ///< double register of the PEs
  Simm13, Simm11, Simm10, Simm5, Shcnt32, Shcnt64,
  High22,                       ///< %hi(…)
  Const22, SiamMode, MembarMask, PrefetchFunction,
  AddressRegister, AddressImmediate,  ///< [ %rs1 + … ]
  AddressRs1,                         ///< [ %rs1 ]
  TargetRegister, TargetImmediate,    ///< the same without brackets: jmpl, return
  TrapRegister, TrapImmediate,        ///< number of a software trap
  ImmediateAsi, AsiRegister,
  BranchIcc, BranchFcc, MoveIcc, MoveFcc, TrapIcc, CompareFcc,
  Disp30, Disp22, Disp19, Disp16, Disp10,
  // State registers, by name.
  Y, Ccr, Asi, Tick, Pc, Fprs, Gsr, Stick, Pause, Mwait, Fsr,
  Simd, PeMask, SimdStack,  ///< of the SIMD extension: %simd, %pemask, %simdstack
  AsrRead, AsrWrite, PrivilegedRead, PrivilegedWrite,  ///< named by rs1 (read) or rd (write)
  // clang-format on
};

/// The suffix of a mnemonic: a condition, an annul bit, a prediction.
enum class Suffix : std::uint8_t {
  None,
  Bicc,
  Bpcc,
  Fbfcc,
  Fbpfcc,
  Bpr,
  MoveIcc,
  MoveFcc,
  MoveR,
  Tcc,
  CompareBranch
};

struct Format {
  std::array<Operand, 4> operands{};  ///< Operand::None after the last
  Suffix suffix = Suffix::None;
};

/// Returns the bits of an instruction word that an operand occupies.
constexpr std::uint32_t field_bits(Operand operand) {
  constexpr std::uint32_t rd = 0x1fu << 25, rs1 = 0x1fu << 14, rs2 = 0x1f, rs3 = 0x1fu << 9;
  switch (operand) {
    using enum Operand;
    case Rd:
    case RdSource:
    case RdPair:
    case RdPairSource:
    case Fs:
    case FsSource:
    case Fd:
    case FdSource:
    case Fq:
    case FqSource:
    case PeS:
    case PeD:
    case PrefetchFunction:
    case AsrWrite:
    case PrivilegedWrite:
      return rd;
    case Rs1:
    case Fs1:
    case Fd1:
    case Fq1:
    case PeS1:
    case PeD1:
    case AddressRs1:
    case AsrRead:
    case PrivilegedRead:
      return rs1;
    case Rs2:
    case Fs2:
    case Fd2:
    case Fq2:
    case PeS2:
    case PeD2:
    case Shcnt32:
    case Simm5:
      return rs2;
    case Fs3:
    case Fd3:
    case PeS3:
    case PeD3:
      return rs3;
    case Simm13:
      return 0x1fff;
    case Simm11:
      return 0x7ff;
    case Simm10:
      return 0x3ff;
    case Shcnt64:
      return 0x3f;
    case High22:
    case Const22:
    case Disp22:
      return 0x3fffff;
    case SiamMode:
      return 7;
    case MembarMask:
      return 0x7f;
    case AddressRegister:
    case TargetRegister:
    case TrapRegister:
      return rs1 | rs2;
    case AddressImmediate:
    case TargetImmediate:
      return rs1 | 0x1fff;
    case TrapImmediate:
      return rs1 | 0x7f;
    case ImmediateAsi:
      return 0xffu << 5;
    case BranchIcc:
      return 1u << 21;
    case BranchFcc:
      return 3u << 20;
    case MoveIcc:
    case TrapIcc:
      return 1u << 12;
    case MoveFcc:
      return 3u << 11;
    case CompareFcc:
      return 3u << 25;
    case Disp30:
      return 0x3fffffff;
    case Disp19:
      return 0x7ffff;
    case Disp16:
      return 3u << 20 | 0x3fff;
    case Disp10:
      return 3u << 19 | 0xffu << 5;
    case None:
    case AsiRegister:
    case Y:
    case Ccr:
    case Asi:
    case Tick:
    case Pc:
    case Fprs:
    case Gsr:
    case Stick:
    case Pause:
    case Mwait:
    case Fsr:
    case Simd:
    case PeMask:
    case SimdStack:
      return 0;
  }
  return 0;
}

constexpr std::uint32_t field_bits(Suffix suffix) {
  constexpr std::uint32_t annul = 1u << 29, predict = 1u << 19, cond = 0xfu << 25;
  switch (suffix) {
    case Suffix::None:
      return 0;
    case Suffix::Bicc:
    case Suffix::Fbfcc:
      return annul | cond;
    case Suffix::Bpcc:
    case Suffix::Fbpfcc:
      return annul | cond | predict;
    case Suffix::Bpr:
      return annul | predict | 7u << 25;
    case Suffix::MoveIcc:
    case Suffix::MoveFcc:
      return 0xfu << 14;
    case Suffix::MoveR:
      return 7u << 10;
    case Suffix::Tcc:
      return cond;
    case Suffix::CompareBranch:
      return 1u << 29 | 7u << 25;
  }
  return 0;
}

constexpr std::uint32_t field_bits(const Format& format) {
  std::uint32_t result = field_bits(format.suffix);
  for (const Operand operand : format.operands) result |= field_bits(operand);
  return result;
}

}  // namespace psim::isa
