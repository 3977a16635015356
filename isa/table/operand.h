// SPDX-License-Identifier: Apache-2.0
// Operands of instructions, one row each: the bits that they occupy, their syntax, the registers that they
// name and the numbers that they hold. Encoding, disassembly, dependences and documentation come from it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
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

/// The use of the register that an operand names.
enum class Role : std::uint8_t { Nothing, Address, Source, Destination };

/// The registers among which an operand names one.
enum class RegisterFile : std::uint8_t { None, Integer, Pair, Single, Double, Quad, PeSingle, PeDouble };

struct OperandRow {
  Operand operand;
  std::uint32_t bits;       ///< of the instruction word
  std::string_view syntax;  ///< in docs/isa.md; of a state register, in assembly too
  Role role = Role::Nothing;
  RegisterFile file = RegisterFile::None;
  std::int64_t least = 0, most = 0;  ///< of a number; both 0: there is none
  int state = -1;                    ///< number of the state register that it names
};

namespace operand_table {
constexpr std::uint32_t kRd = 0x1fu << 25, kRs1 = 0x1fu << 14, kRs2 = 0x1f, kRs3 = 0x1fu << 9;
// clang-format off
inline constexpr OperandRow kRows[] = {
    {Operand::None, 0, ""},
    {Operand::Rs1, kRs1, "rs1", Role::Source, RegisterFile::Integer},
    {Operand::Rs2, kRs2, "rs2", Role::Source, RegisterFile::Integer},
    {Operand::Rd, kRd, "rd", Role::Destination, RegisterFile::Integer},
    {Operand::RdSource, kRd, "rd", Role::Source, RegisterFile::Integer},
    {Operand::RdPair, kRd, "rd", Role::Destination, RegisterFile::Pair},
    {Operand::RdPairSource, kRd, "rd", Role::Source, RegisterFile::Pair},
    {Operand::Fs1, kRs1, "frs1", Role::Source, RegisterFile::Single},
    {Operand::Fs2, kRs2, "frs2", Role::Source, RegisterFile::Single},
    {Operand::Fs3, kRs3, "frs3", Role::Source, RegisterFile::Single},
    {Operand::Fs, kRd, "frd", Role::Destination, RegisterFile::Single},
    {Operand::FsSource, kRd, "frd", Role::Source, RegisterFile::Single},
    {Operand::Fd1, kRs1, "frs1", Role::Source, RegisterFile::Double},
    {Operand::Fd2, kRs2, "frs2", Role::Source, RegisterFile::Double},
    {Operand::Fd3, kRs3, "frs3", Role::Source, RegisterFile::Double},
    {Operand::Fd, kRd, "frd", Role::Destination, RegisterFile::Double},
    {Operand::FdSource, kRd, "frd", Role::Source, RegisterFile::Double},
    {Operand::Fq1, kRs1, "frs1", Role::Source, RegisterFile::Quad},
    {Operand::Fq2, kRs2, "frs2", Role::Source, RegisterFile::Quad},
    {Operand::Fq, kRd, "frd", Role::Destination, RegisterFile::Quad},
    {Operand::FqSource, kRd, "frd", Role::Source, RegisterFile::Quad},
    {Operand::PeS1, kRs1, "frs1", Role::Source, RegisterFile::PeSingle},
    {Operand::PeS2, kRs2, "frs2", Role::Source, RegisterFile::PeSingle},
    {Operand::PeS3, kRs3, "frs3", Role::Source, RegisterFile::PeSingle},
    {Operand::PeS, kRd, "frd", Role::Destination, RegisterFile::PeSingle},
    {Operand::PeD1, kRs1, "frs1", Role::Source, RegisterFile::PeDouble},
    {Operand::PeD2, kRs2, "frs2", Role::Source, RegisterFile::PeDouble},
    {Operand::PeD3, kRs3, "frs3", Role::Source, RegisterFile::PeDouble},
    {Operand::PeD, kRd, "frd", Role::Destination, RegisterFile::PeDouble},
    {Operand::Simm13, 0x1fff, "simm13", Role::Nothing, RegisterFile::None, -4096, 4095},
    {Operand::Simm11, 0x7ff, "simm11", Role::Nothing, RegisterFile::None, -1024, 1023},
    {Operand::Simm10, 0x3ff, "simm10", Role::Nothing, RegisterFile::None, -512, 511},
    {Operand::Simm5, kRs2, "simm5", Role::Nothing, RegisterFile::None, -16, 31},
    {Operand::Shcnt32, kRs2, "shcnt32", Role::Nothing, RegisterFile::None, 0, 31},
    {Operand::Shcnt64, 0x3f, "shcnt64", Role::Nothing, RegisterFile::None, 0, 63},
    {Operand::High22, 0x3fffff, "%hi(value)", Role::Nothing, RegisterFile::None, 0, 0x3fffff},
    {Operand::Const22, 0x3fffff, "const22", Role::Nothing, RegisterFile::None, -0x200000, 0xffffffff},
    {Operand::SiamMode, 7, "mode", Role::Nothing, RegisterFile::None, 0, 7},
    {Operand::MembarMask, 0x7f, "mask", Role::Nothing, RegisterFile::None, 0, 127},
    {Operand::PrefetchFunction, kRd, "function", Role::Nothing, RegisterFile::None, 0, 31},
    {Operand::AddressRegister, kRs1 | kRs2, "[rs1 + rs2]", Role::Address},
    {Operand::AddressImmediate, kRs1 | 0x1fff, "[rs1 + simm13]", Role::Address, RegisterFile::None, -4096, 4095},
    {Operand::AddressRs1, kRs1, "[rs1]", Role::Address},
    {Operand::TargetRegister, kRs1 | kRs2, "rs1 + rs2", Role::Source},
    {Operand::TargetImmediate, kRs1 | 0x1fff, "rs1 + simm13", Role::Source, RegisterFile::None, -4096, 4095},
    {Operand::TrapRegister, kRs1 | kRs2, "rs1 + rs2", Role::Source},
    {Operand::TrapImmediate, kRs1 | 0x7f, "rs1 + number", Role::Source, RegisterFile::None, 0, 127},
    {Operand::ImmediateAsi, 0xffu << 5, "asi", Role::Nothing, RegisterFile::None, 0, 255},
    {Operand::AsiRegister, 0, "%asi", Role::Address, RegisterFile::None, 0, 0, 3},
    {Operand::BranchIcc, 1u << 21, "i_or_xcc", Role::Source},
    {Operand::BranchFcc, 3u << 20, "%fccn", Role::Source},
    {Operand::MoveIcc, 1u << 12, "i_or_xcc", Role::Source},
    {Operand::MoveFcc, 3u << 11, "%fccn", Role::Source},
    {Operand::TrapIcc, 1u << 12, "i_or_xcc", Role::Source},
    {Operand::CompareFcc, 3u << 25, "%fccn", Role::Destination},
    {Operand::Disp30, 0x3fffffff, "target", Role::Nothing, RegisterFile::None, -(1LL << 31), (1LL << 31) - 4},
    {Operand::Disp22, 0x3fffff, "target", Role::Nothing, RegisterFile::None, -(1LL << 23), (1LL << 23) - 4},
    {Operand::Disp19, 0x7ffff, "target", Role::Nothing, RegisterFile::None, -(1LL << 20), (1LL << 20) - 4},
    {Operand::Disp16, 3u << 20 | 0x3fff, "target", Role::Nothing, RegisterFile::None, -(1LL << 17), (1LL << 17) - 4},
    {Operand::Disp10, 3u << 19 | 0xffu << 5, "target", Role::Nothing, RegisterFile::None, -(1LL << 11), (1LL << 11) - 4},
    {Operand::Y, 0, "%y", Role::Nothing, RegisterFile::None, 0, 0, 0},
    {Operand::Ccr, 0, "%ccr", Role::Nothing, RegisterFile::None, 0, 0, 2},
    {Operand::Asi, 0, "%asi", Role::Nothing, RegisterFile::None, 0, 0, 3},
    {Operand::Tick, 0, "%tick", Role::Nothing, RegisterFile::None, 0, 0, 4},
    {Operand::Pc, 0, "%pc", Role::Nothing, RegisterFile::None, 0, 0, 5},
    {Operand::Fprs, 0, "%fprs", Role::Nothing, RegisterFile::None, 0, 0, 6},
    {Operand::Gsr, 0, "%gsr", Role::Nothing, RegisterFile::None, 0, 0, 19},
    {Operand::Stick, 0, "%stick", Role::Nothing, RegisterFile::None, 0, 0, 24},
    {Operand::Pause, 0, "%pause", Role::Nothing, RegisterFile::None, 0, 0, 27},
    {Operand::Mwait, 0, "%mwait", Role::Nothing, RegisterFile::None, 0, 0, 28},
    {Operand::Fsr, 0, "%fsr"},
    {Operand::Simd, 0, "%simd", Role::Nothing, RegisterFile::None, 0, 0, 8},
    {Operand::PeMask, 0, "%pemask", Role::Nothing, RegisterFile::None, 0, 0, 9},
    {Operand::SimdStack, 0, "%simdstack", Role::Nothing, RegisterFile::None, 0, 0, 10},
    {Operand::AsrRead, kRs1, "%asr"},
    {Operand::AsrWrite, kRd, "%asr"},
    {Operand::PrivilegedRead, kRs1, "%privileged"},
    {Operand::PrivilegedWrite, kRd, "%privileged"},
};
// clang-format on
constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kRows); ++i)
    if (kRows[i].operand != static_cast<Operand>(i)) return false;
  return true;
}
static_assert(in_order());
}  // namespace operand_table

constexpr const OperandRow& row_of(Operand operand) {
  return operand_table::kRows[static_cast<std::size_t>(operand)];
}
/// Returns the bits of an instruction word that an operand occupies.
constexpr std::uint32_t field_bits(Operand operand) { return row_of(operand).bits; }
/// Returns what an instruction word has in the bits of an operand that are together; 0 if it has none.
constexpr unsigned field_of(const OperandRow& row, std::uint32_t word) {
  return row.bits == 0 ? 0 : (word & row.bits) >> std::countr_zero(row.bits);
}
/// Returns true for the distance to a label.
constexpr bool is_distance(Operand operand) {
  return operand >= Operand::Disp30 && operand <= Operand::Disp10;
}

}  // namespace psim::isa
