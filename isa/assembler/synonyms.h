// SPDX-License-Identifier: Apache-2.0
// Spellings that only the assembler accepts: the disassembler prefers others for the same words (V9 manual,
// G.3; the names that gcc writes). Only forms.cpp includes this file.
#pragma once

#include <string_view>
#include <utility>

#include "isa/table/row.h"
#include "isa/table/synthetic.h"

namespace psim::isa::assembler {

namespace table = isa::table;

/// Forms tried before the rows and synthetic instructions of the same name, so that the word is that of GNU
/// as.
inline constexpr Synthetic kPreferred[] = {
    {"tst", "10 00000 010010 sssss 0 00000000 00000", &table::kR1},
};

inline constexpr Format kImmediateFirst{{Operand::Simm13, Operand::Rs1, Operand::Rd}},
    kImmediateR{{Operand::Simm13, Operand::Rd}}, kRegisterR{{Operand::Rs2, Operand::Rd}},
    kR1d{{Operand::Rs1, Operand::Rd}};

// clang-format off
/// Forms tried after them.
inline constexpr Synthetic kSynonyms[] = {
    {"not", "10 ddddd 000111 sssss 0 00000000 00000", &table::kR, Same::RdRs1},
    {"not", "10 ddddd 000111 sssss 0 00000000 00000", &kR1d},
    {"inc", "10 ddddd 000000 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"inccc", "10 ddddd 010000 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"dec", "10 ddddd 000100 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"deccc", "10 ddddd 010100 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"bset", "10 ddddd 000010 sssss 0 00000000 ttttt", &kRegisterR, Same::RdRs1},
    {"bset", "10 ddddd 000010 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"bclr", "10 ddddd 000101 sssss 0 00000000 ttttt", &kRegisterR, Same::RdRs1},
    {"bclr", "10 ddddd 000101 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"btog", "10 ddddd 000011 sssss 0 00000000 ttttt", &kRegisterR, Same::RdRs1},
    {"btog", "10 ddddd 000011 sssss 1 iiiiiiiiiiiii", &kImmediateR, Same::RdRs1},
    {"flush", "10 00000 111011 sssss 0 00000000 ttttt", &table::kReturnR},
    {"flush", "10 00000 111011 sssss 1 iiiiiiiiiiiii", &table::kReturnI},
    {"lduw", "11 ddddd 000000 sssss 0 00000000 ttttt", &table::kLoadR},
    {"lduw", "11 ddddd 000000 sssss 1 iiiiiiiiiiiii", &table::kLoadI},
    {"lduwa", "11 ddddd 010000 sssss 0 xxxxxxxx ttttt", &table::kLoadAsiR},
    {"lduwa", "11 ddddd 010000 sssss 1 iiiiiiiiiiiii", &table::kLoadAsiI},
    {"ldd", "11 ddddd 000011 sssss 0 00000000 ttttt", &table::kLoadPairR},
    {"ldd", "11 ddddd 000011 sssss 1 iiiiiiiiiiiii", &table::kLoadPairI},
    {"ldda", "11 ddddd 010011 sssss 0 xxxxxxxx ttttt", &table::kLoadPairAsiR},
    {"ldda", "11 ddddd 010011 sssss 1 iiiiiiiiiiiii", &table::kLoadPairAsiI},
    {"std", "11 ddddd 000111 sssss 0 00000000 ttttt", &table::kStorePairR},
    {"std", "11 ddddd 000111 sssss 1 iiiiiiiiiiiii", &table::kStorePairI},
    {"stda", "11 ddddd 010111 sssss 0 xxxxxxxx ttttt", &table::kStorePairAsiR},
    {"stda", "11 ddddd 010111 sssss 1 iiiiiiiiiiiii", &table::kStorePairAsiI},
    {"stw", "11 ddddd 000100 sssss 0 00000000 ttttt", &table::kStoreR},
    {"stw", "11 ddddd 000100 sssss 1 iiiiiiiiiiiii", &table::kStoreI},
    {"stwa", "11 ddddd 010100 sssss 0 xxxxxxxx ttttt", &table::kStoreAsiR},
    {"stwa", "11 ddddd 010100 sssss 1 iiiiiiiiiiiii", &table::kStoreAsiI},
};

/// Another name for all forms of a mnemonic.
inline constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"unimp", "illtrap"}, {"addx", "addc"}, {"addxcc", "addccc"}, {"subx", "subc"}, {"subxcc", "subccc"}, {"lzd", "lzcnt"},
    {"stub", "stb"}, {"stsb", "stb"}, {"stuh", "sth"}, {"stsh", "sth"}, {"stuw", "stw"}, {"stsw", "stw"},
    {"stuba", "stba"}, {"stsba", "stba"}, {"stuha", "stha"}, {"stsha", "stha"}, {"stuwa", "stwa"}, {"stswa", "stwa"},
    {"edge8", "edge8cc"}, {"edge8l", "edge8lcc"}, {"edge16", "edge16cc"}, {"edge16l", "edge16lcc"},
    {"edge32", "edge32cc"}, {"edge32l", "edge32lcc"},
    {"fcmple16", "fpcmple16"}, {"fcmpne16", "fpcmpne16"}, {"fcmpgt16", "fpcmpgt16"}, {"fcmpeq16", "fpcmpeq16"},
    {"fcmple32", "fpcmple32"}, {"fcmpne32", "fpcmpne32"}, {"fcmpgt32", "fpcmpgt32"}, {"fcmpeq32", "fpcmpeq32"},
    {"fucmple8", "fpcmpule8"}, {"fucmpne8", "fpcmpune8"}, {"fucmpgt8", "fpcmpugt8"}, {"fucmpeq8", "fpcmpueq8"},
    {"fzero", "fzerod"}, {"fone", "foned"}, {"fsrc1", "fsrc1d"}, {"fsrc2", "fsrc2d"}, {"fnot1", "fnot1d"}, {"fnot2", "fnot2d"},
    {"fand", "fandd"}, {"fandnot1", "fandnot1d"}, {"fandnot2", "fandnot2d"}, {"fnand", "fnandd"},
    {"for", "ford"}, {"fornot1", "fornot1d"}, {"fornot2", "fornot2d"}, {"fnor", "fnord"}, {"fxor", "fxord"}, {"fxnor", "fxnord"},
};

/// Mnemonics whose number may come first: "add 1, %o0, %o0".
inline constexpr std::string_view kCommutative[] = {
    "add", "addcc", "addc", "addccc", "and", "andcc", "or", "orcc", "xor", "xorcc", "xnor", "xnorcc",
    "mulx", "umul", "umulcc", "smul", "smulcc", "taddcc", "taddcctv"};

/// Further names of conditions (V9 manual, A.6, A.7, A.3; bgt and the like are GNU's).
inline constexpr std::pair<std::string_view, std::string_view> kIntegerConditionSynonyms[] = {
    {"z", "e"}, {"nz", "ne"}, {"geu", "cc"}, {"lu", "cs"}, {"lt", "l"}, {"gt", "g"}, {"eq", "e"}};
inline constexpr std::pair<std::string_view, std::string_view> kFloatConditionSynonyms[] = {{"z", "e"}, {"nz", "ne"}};
inline constexpr std::pair<std::string_view, std::string_view> kRegisterConditionSynonyms[] = {{"z", "e"}, {"nz", "ne"}};
// clang-format on

}  // namespace psim::isa::assembler
