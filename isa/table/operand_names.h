// SPDX-License-Identifier: Apache-2.0
// The words of assembly text, for both the disassembler and the assembler: registers, conditions, functions.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace psim::isa::names {

using namespace std::string_view_literals;

// clang-format off
/// By number.
inline constexpr std::array kIntegerNames{
    "%g0"sv, "%g1"sv, "%g2"sv, "%g3"sv, "%g4"sv, "%g5"sv, "%g6"sv, "%g7"sv,
    "%o0"sv, "%o1"sv, "%o2"sv, "%o3"sv, "%o4"sv, "%o5"sv, "%sp"sv, "%o7"sv,
    "%l0"sv, "%l1"sv, "%l2"sv, "%l3"sv, "%l4"sv, "%l5"sv, "%l6"sv, "%l7"sv,
    "%i0"sv, "%i1"sv, "%i2"sv, "%i3"sv, "%i4"sv, "%i5"sv, "%fp"sv, "%i7"sv};

/// Conditions by their code (V9 A.7, A.5, A.3, A.36); a reserved code has no name.
inline constexpr std::array kIntegerConditions{
    "n"sv, "e"sv,  "le"sv, "l"sv,  "leu"sv, "cs"sv, "neg"sv, "vs"sv,
    "a"sv, "ne"sv, "g"sv,  "ge"sv, "gu"sv,  "cc"sv, "pos"sv, "vc"sv};
inline constexpr std::array kFloatConditions{
    "n"sv, "ne"sv, "lg"sv, "ul"sv, "l"sv,   "ug"sv, "g"sv,   "u"sv,
    "a"sv, "e"sv,  "ue"sv, "ge"sv, "uge"sv, "le"sv, "ule"sv, "o"sv};
inline constexpr std::array kRegisterConditions{""sv, "e"sv, "lez"sv, "lz"sv, ""sv, "ne"sv, "gz"sv, "gez"sv};
inline constexpr std::array kBranchRegisterConditions{""sv, "z"sv, "lez"sv, "lz"sv, ""sv, "nz"sv, "gz"sv, "gez"sv};

/// Ancillary state registers by number. Registers 20 and 21 can only be written.
inline constexpr std::array kAsrNames{
    "%y"sv,           "%asr1"sv,          "%ccr"sv,     "%asi"sv,       "%tick"sv,
    "%pc"sv,          "%fprs"sv,          "%asr7"sv,    "%asr8"sv,      "%asr9"sv,
    "%asr10"sv,       "%asr11"sv,         "%asr12"sv,   "%asr13"sv,     "%asr14"sv,
    "%asr15"sv,       "%pcr"sv,           "%pic"sv,     "%dcr"sv,       "%gsr"sv,
    "%softint_set"sv, "%softint_clear"sv, "%softint"sv, "%tick_cmpr"sv, "%stick"sv,
    "%stick_cmpr"sv};
/// Privileged registers by number; number 31 is %ver.
inline constexpr std::array kPrivilegedNames{
    "%tpc"sv,      "%tnpc"sv,     "%tstate"sv, "%tt"sv,  "%tick"sv,    "%tba"sv,
    "%pstate"sv,   "%tl"sv,       "%pil"sv,    "%cwp"sv, "%cansave"sv, "%canrestore"sv,
    "%cleanwin"sv, "%otherwin"sv, "%wstate"sv, "%fq"sv,  "%gl"sv};

/// Functions of prefetch, with their numbers; the others are written as numbers.
inline constexpr std::array<std::pair<unsigned, std::string_view>, 11> kPrefetchFunctions{{
    {0, "#n_reads"}, {1, "#one_read"}, {2, "#n_writes"}, {3, "#one_write"}, {4, "#page"},
    {16, "#invalidate"}, {17, "#unified"},
    {20, "#n_reads_strong"}, {21, "#one_read_strong"}, {22, "#n_writes_strong"}, {23, "#one_write_strong"}}};
/// Bits of a membar's mask, from bit 0.
inline constexpr std::array kMembarMasks{
    "#LoadLoad"sv, "#StoreLoad"sv, "#LoadStore"sv, "#StoreStore"sv, "#Lookaside"sv, "#MemIssue"sv, "#Sync"sv};
// clang-format on

}  // namespace psim::isa::names
