// SPDX-License-Identifier: Apache-2.0
// Synthetic instructions: other spellings of words in the table (V9 manual, G.3), in the order of preference.
// Only the disassembler uses them.
#pragma once

#include <string_view>

#include "isa/table/row.h"

namespace psim::isa {

enum class Same : std::uint8_t { Any, RdRs1, RdRs2 };

struct Synthetic {
  std::string_view name;
  Pattern pattern;
  const Format* format;
  Same same = Same::Any;  ///< only where these fields name the same register
};

namespace table {

template <Operand state>
inline constexpr Format kWriteOnlyR1{{Rs1, state}};
template <Operand state>
inline constexpr Format kWriteOnlyR2{{Rs2, state}};
template <Operand state>
inline constexpr Format kWriteOnlyI{{Simm13, state}};
inline constexpr Format kTestI{{Simm13, Rs1}}, kPrefetchCode{{Disp19}}, kCas{{AddressRs1, Rs2, Rd}};
inline constexpr Format kR1{{Rs1}}, kR1r{{Rs1, Rd}}, kR{{Rd}}, kCompareRR{{Rs1, Rs2}},
    kCompareRI{{Rs1, Simm13}};
// clang-format off
inline constexpr Synthetic kSynthetics[] = {
    {"clr", "10 00000 000010 00000 0 00000000 00000", &kR},
    {"clr", "10 ddddd 000010 00000 1 0000000000000", &kR},
    {"mov", "10 ddddd 000010 00000 0 00000000 ttttt", &kRr},
    {"mov", "10 ddddd 000010 00000 1 iiiiiiiiiiiii", &kIr},
    {"mov", "10 ddddd 000010 sssss 0 00000000 00000", &kR1r},
    {"mov", "10 ddddd 000010 sssss 1 0000000000000", &kR1r},
    {"cmp", "10 00000 010100 sssss 0 00000000 ttttt", &kCompareRR},
    {"cmp", "10 00000 010100 sssss 1 iiiiiiiiiiiii", &kCompareRI},
    {"tst", "10 00000 010010 00000 0 00000000 ttttt", &kR2},
    {"tst", "10 00000 010010 sssss 0 00000000 00000", &kR1},
    {"tst", "10 00000 010010 sssss 1 0000000000000", &kR1},
    {"btst", "10 00000 010001 sssss 0 00000000 ttttt", &kCompareRR},
    {"btst", "10 00000 010001 sssss 1 iiiiiiiiiiiii", &kTestI},
    {"neg", "10 ddddd 000100 00000 0 00000000 ttttt", &kR, Same::RdRs2},
    {"neg", "10 ddddd 000100 00000 0 00000000 ttttt", &kRr},
    {"inc", "10 ddddd 000000 sssss 1 0000000000001", &kR, Same::RdRs1},
    {"inccc", "10 ddddd 010000 sssss 1 0000000000001", &kR, Same::RdRs1},
    {"dec", "10 ddddd 000100 sssss 1 0000000000001", &kR, Same::RdRs1},
    {"deccc", "10 ddddd 010100 sssss 1 0000000000001", &kR, Same::RdRs1},
    {"clruw", "10 ddddd 100110 sssss 0 0 0000000 00000", &kR, Same::RdRs1},
    {"clruw", "10 ddddd 100110 sssss 0 0 0000000 00000", &kR1r},
    {"signx", "10 ddddd 100111 sssss 0 0 0000000 00000", &kR, Same::RdRs1},
    {"signx", "10 ddddd 100111 sssss 0 0 0000000 00000", &kR1r},
    {"clr", "11 00000 000100 sssss 0 00000000 ttttt", &kFlushR},
    {"clr", "11 00000 000100 sssss 1 iiiiiiiiiiiii", &kFlushI},
    {"clrb", "11 00000 000101 sssss 0 00000000 ttttt", &kFlushR},
    {"clrb", "11 00000 000101 sssss 1 iiiiiiiiiiiii", &kFlushI},
    {"clrh", "11 00000 000110 sssss 0 00000000 ttttt", &kFlushR},
    {"clrh", "11 00000 000110 sssss 1 iiiiiiiiiiiii", &kFlushI},
    {"clrx", "11 00000 001110 sssss 0 00000000 ttttt", &kFlushR},
    {"clrx", "11 00000 001110 sssss 1 iiiiiiiiiiiii", &kFlushI},
    {"ret", "10 00000 111000 11111 1 0000000001000", &kNoOperands},
    {"retl", "10 00000 111000 01111 1 0000000001000", &kNoOperands},
    {"jmp", "10 00000 111000 sssss 0 00000000 ttttt", &kReturnR},
    {"jmp", "10 00000 111000 sssss 1 iiiiiiiiiiiii", &kReturnI},
    {"call", "10 01111 111000 sssss 0 00000000 ttttt", &kReturnR},
    {"call", "10 01111 111000 sssss 1 iiiiiiiiiiiii", &kReturnI},
    {"iprefetch", "00 0 0000 001 10 1 ooooooooooooooooooo", &kPrefetchCode},
    {"restore", "10 00000 111101 00000 0 00000000 00000", &kNoOperands},
    {"restore", "10 00000 111101 00000 1 0000000000000", &kNoOperands},
    {"save", "10 00000 111100 00000 0 00000000 00000", &kNoOperands},
    {"ldtxa", "11 ddddd 010011 sssss 0 0010xx1x ttttt", &kLoadPairAsiR},
    {"ldtxa", "11 ddddd 010011 sssss 0 1110x01x ttttt", &kLoadPairAsiR},
    {"cas", "11 ddddd 111100 sssss 0 10000000 ttttt", &kCas},
    {"casl", "11 ddddd 111100 sssss 0 10001000 ttttt", &kCas},
    {"casx", "11 ddddd 111110 sssss 0 10000000 ttttt", &kCas},
    {"casxl", "11 ddddd 111110 sssss 0 10001000 ttttt", &kCas},
    {"wr", "10 00000 110000 00000 0 00000000 ttttt", &kWriteOnlyR2<Y>},
    {"wr", "10 00000 110000 sssss 0 00000000 00000", &kWriteOnlyR1<Y>},
    {"wr", "10 00000 110000 00000 1 0000000000000", &kWriteOnlyR1<Y>},
    {"wr", "10 00000 110000 00000 1 iiiiiiiiiiiii", &kWriteOnlyI<Y>},
    {"wr", "10 00000 110000 sssss 1 0000000000000", &kWriteOnlyR1<Y>},
    {"simd_off", "10 01000 110000 00000 1 0000000000000", &kNoOperands},
    {"simd_on", "10 01000 110000 00000 1 0000000000001", &kNoOperands},
    {"pause", "10 11011 110000 00000 1 iiiiiiiiiiiii", &kSir},
    {"mwait", "10 11100 110000 00000 0 00000000 ttttt", &kR2},
    {"mwait", "10 11100 110000 00000 1 iiiiiiiiiiiii", &kSir},
    {"wrpr", "10 nnnnn 110010 sssss 0 00000000 00000", &kWriteOnlyR1<PrivilegedWrite>},
    {"wrpr", "10 nnnnn 110010 00000 1 iiiiiiiiiiiii", &kWriteOnlyI<PrivilegedWrite>},
};
// clang-format on

}  // namespace table
}  // namespace psim::isa
