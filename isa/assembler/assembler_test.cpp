// SPDX-License-Identifier: Apache-2.0
#include "isa/assembler/assembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "isa/assembler/listing.h"

namespace psim::isa::assembler {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

const Section* find(const Assembly& assembly, std::string_view name) {
  for (const Section& section : assembly.sections)
    if (section.name == name) return &section;
  return nullptr;
}
/// Returns the bytes of .data.
std::vector<std::uint8_t> data(const std::string& text) {
  const Assembly assembly = assemble(".data\n" + text);
  const Section* section = find(assembly, ".data");
  return section == nullptr ? std::vector<std::uint8_t>{} : section->bytes;
}
std::string complaint(const std::string& text) {
  try {
    executable(assemble(text, {.file = "a.s"}));
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}
/// Returns the value of an expression, as 64 bits of data.
std::uint64_t value(const std::string& expression) {
  std::uint64_t result = 0;
  for (const std::uint8_t byte : data(".xword " + expression)) result = result << 8 | byte;
  return result;
}

TEST(Assembler, BranchesReachLabelsOnBothSides) {
  EXPECT_EQ(words("top: nop\n ba,a top\n bne,pn %xcc, end\n brz %o1, top\nend: call top\n"),
            (Words{0x01000000, 0x30bfffff, 0x12600002, 0x02fa7ffd, 0x7ffffffc}));
}

TEST(Assembler, NumericLabelsMeanTheNearestInTheirDirection) {
  EXPECT_EQ(words("1: ba 1f\n1: ba 1b\n ba 1f\n1: nop\n"),
            (Words{0x10800001, 0x10800000, 0x10800001, 0x01000000}));
}

TEST(Assembler, TheBitsOfConstantsAreChosenByTheAbi) {
  EXPECT_EQ(value("%hi(0x12345678)"), 0x48d15u);
  EXPECT_EQ(value("%lo(0x12345678)"), 0x278u);
  EXPECT_EQ(value("%hh(0x123456789abcdef0)"), 0x48d15u);
  EXPECT_EQ(value("%hm(0x123456789abcdef0)"), 0x278u);
  EXPECT_EQ(value("%lm(0x123456789abcdef0)"), 0x26af37u);
  EXPECT_EQ(value("%h44(0xabcdef01234)"), 0x2af37bu);
  EXPECT_EQ(value("%m44(0xabcdef01234)"), 0x301u);
  EXPECT_EQ(value("%l44(0xabcdef01234)"), 0x234u);
  EXPECT_EQ(value("%hix(-4096)"), 0x3u);
  EXPECT_EQ(static_cast<std::int64_t>(value("%lox(-4095)")), -1023);
}

TEST(Assembler, ExpressionsHaveThePrecedenceOfGnuAs) {
  EXPECT_EQ(value("2 + 3 * 4"), 14u);
  EXPECT_EQ(value("1 + 2 | 4"), 7u) << "| binds tighter than +";
  EXPECT_EQ(value("1 << 4 - 1"), 15u) << "<< binds as *";
  EXPECT_EQ(value("(7 - 10) / 2"), static_cast<std::uint64_t>(-1));
  EXPECT_EQ(value("-7 % 4"), static_cast<std::uint64_t>(-3));
  EXPECT_EQ(value("~0 ^ 0xf & 0x3c"), 0x30u);
  EXPECT_EQ(value("'A' + '\\n' + 0x10 + 010 + 0b11"), 65u + 10 + 16 + 8 + 3);
}

TEST(Assembler, DistancesInOneSectionAreNumbers) {
  EXPECT_THAT(data("0: .skip 24\n1: .half 1b - 0b + (2f - 0b) / 4\n2:"), ElementsAreArray([] {
                std::vector<std::uint8_t> bytes(26);
                bytes[25] = 24 + 26 / 4;
                return bytes;
              }()));
}

TEST(Assembler, DataIsBigEndianAndOfItsSize) {
  EXPECT_THAT(data(".byte 1, -1\n.half 0x203\n.word 0x4050607\n.xword -2"),
              ElementsAre(1, 255, 2, 3, 4, 5, 6, 7, 255, 255, 255, 255, 255, 255, 255, 254));
  EXPECT_THAT(data(".single 1.5\n.double -0.1"),
              ElementsAre(0x3f, 0xc0, 0, 0, 0xbf, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a));
  EXPECT_THAT(data(".ascii \"a\\n\\x41\\101\"\n.asciz \"!#/*\""),
              ElementsAre('a', '\n', 'A', 'A', '!', '#', '/', '*', 0));
  EXPECT_THAT(data(".byte 1\n.skip 2, 7\n.align 4\n.byte 2"), ElementsAre(1, 7, 7, 0, 2));
}

TEST(Assembler, TextMayHoldBytesBeyondAscii) {
  EXPECT_THAT(data(".ascii \"\xc3\xa9\" ! caf\xc3\xa9"), ElementsAre(0xc3, 0xa9));
  EXPECT_THAT(complaint(" \xc3\xa9 %o1"), HasSubstr("a.s:1:2: got "));
}

TEST(Assembler, CodeIsAlignedWithNops) {
  EXPECT_EQ(words("nop\n.align 16\nret\n"),
            (Words{0x01000000, 0x30680003, 0x01000000, 0x01000000, 0x81c7e008}));
  EXPECT_EQ(words("nop\n.align 8\nret\n"), (Words{0x01000000, 0x01000000, 0x81c7e008}));
}

TEST(Assembler, SubsectionsLieInTheOrderOfTheirNumbers) {
  EXPECT_EQ(words("a: ba b\n.subsection 1\nb: .word 7, c - a\n.previous\nc: ba b\n.subsection -1\n.word a - "
                  "d, . - d\nd:\n"),
            (Words{static_cast<std::uint32_t>(0), 0xfffffffc, 0x10800002, 0x10800001, 7, 4}));
}

TEST(Assembler, DirectivesMayBeWrittenInCapitals) {
  EXPECT_EQ(data(".Section \".data\"\n.LOC 1 2\n.loC\n.Float 1.5\n.cfi_StartProc\n.CFI_endproc\n"),
            data(".float 1.5\n"));
}

TEST(Assembler, CommentsAndSeparatorsEqualThoseOfGnuAs) {
  EXPECT_EQ(words("# 1 \"a.c\"\nnop ! one; ret\n nop; ret /* two */ ; nop\n/* three\n nop\n*/ nop\n membar "
                  "#Sync ! #\n"),
            (Words{0x01000000, 0x01000000, 0x81c7e008, 0x01000000, 0x01000000, 0x8143e040}));
}

TEST(Assembler, SyntheticInstructionsEqualThoseOfTheManual) {
  EXPECT_EQ(
      words(
          "cmp %o1, 5\n tst %o1\n mov 5, %g1\n not %o1\n neg %o1, %o2\n clr [%o1+4]\n inc 4, %o1\n dec %o1\n"
          "btst %o1, %o2\n bset 4, %o2\n bclr %o1, %o2\n btog 4, %o2\n ret\n retl\n jmp %o1+%o2\n call %o1\n"
          "restore\n mov %o1, %y\n mov %y, %o1\n"),
      (Words{0x80a26005, 0x80924000, 0x82102005, 0x923a4000, 0x94200009, 0xc0226004, 0x92026004, 0x92226001,
             0x808a400a, 0x9412a004, 0x942a8009, 0x941aa004, 0x81c7e008, 0x81c3e008, 0x81c2400a, 0x9fc24000,
             0x81e80000, 0x81800009, 0x93400000}));
}

TEST(Assembler, ConstantsTakeAsFewInstructionsAsTheyNeed) {
  EXPECT_EQ(words("set -2, %o1"), (Words{0x92103ffe}));
  EXPECT_EQ(words("set 0x12345400, %o1"), (Words{0x13048d15}));
  EXPECT_EQ(words("set 0xfffffffe, %o1"), (Words{0x133fffff, 0x921263fe}));
  EXPECT_EQ(words("setsw -0x12345678, %o1"), (Words{0x13048d15, 0x921a7d88}));
  EXPECT_EQ(words("setx 0x123456789abcdef0, %o1, %o2"),
            (Words{0x13048d15, 0x1526af37, 0x92126278, 0x9412a2f0, 0x932a7020, 0x94128009}));
  EXPECT_EQ(words("set there, %o1\nthere:", 0x40000), (Words{0x13000100, 0x92126008}));
}

TEST(Assembler, SymbolsCanBeSetBeforeAndAfterTheirUse) {
  EXPECT_EQ(words(".set a, b + 1\n mov a, %g1\n b = 4\n"), (Words{0x82102005}));
  EXPECT_EQ(words("a = 1\n mov a, %g1\n a = a + 1\n mov a, %g1\n"), (Words{0x82102001, 0x82102002}));
}

TEST(Assembler, AnAddressInAnExecutableIsWhereItsSectionLies) {
  const LinkedAssembly linked =
      link_at(assemble(".global _start\n_start: set x, %o0\n.data\nx: .xword x, y - x\n.bss\ny: .skip 8\n"),
              0x100000);
  EXPECT_THAT(linked.addresses, ElementsAre(0x100000, 0x102000, 0x102010));
  EXPECT_THAT(find(linked.assembly, ".data")->bytes,
              ElementsAre(0, 0, 0, 0, 0, 0x10, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 16));
}

TEST(Assembler, WritableSectionsShareNoPageWithOthers) {
  EXPECT_THAT(link_at(assemble("nop\n.rodata\n.byte 1\n.bss\n.skip 8\n"), 0x100000).addresses,
              ElementsAre(0x100000, 0x102000, 0x104000));
  EXPECT_THAT(link_at(assemble("nop\n.bss\n.skip 8\n"), 0x100000).addresses, ElementsAre(0x100000, 0x102000));
}

TEST(Assembler, TheListingHasAddressWordTextAndLine) {
  EXPECT_EQ(listing(assemble(".global _start\n_start: mov 1, %o0\n ba _start\n call f\n"), false),
            "section .text\n_start:\n           0:  90102001  mov 1, %o0  ! line 2\n"
            "           4:  10800000  b 0x4  ! R_SPARC_WDISP22 _start, line 3\n"
            "           8:  40000000  call 0x8  ! R_SPARC_WDISP30 f, line 4\n");
}

TEST(AssemblerErrors, AllMistakesAreReportedWithPositionAndExpectedText) {
  EXPECT_EQ(complaint("_start:\n  ad %o1, %o2, %o3\n  add %o1, 5000, %o3\n  ld [%o1, %o2\n"),
            "a.s:2:3: got ad, expected an instruction or directive; did you mean add?\n"
            "a.s:3:12: got 5000, expected -4096 … 4095\n"
            "a.s:4:10: got ,, expected ]");
}

TEST(AssemblerErrors, ExpectedOperandsAreNamedByTheInstruction) {
  EXPECT_THAT(complaint(" add %o1, %o2"),
              HasSubstr("a.s:1:2: got add with 2 operands, expected an integer register too"));
  EXPECT_THAT(complaint(" add %o1, %f2, %o3"),
              HasSubstr("a.s:1:11: got %f2, expected an integer register or a number -4096 … 4095"));
  EXPECT_THAT(complaint(" faddd %f1, %f2, %f4"), HasSubstr("got %f1, expected an even register %f0 … %f62"));
  EXPECT_THAT(complaint(" fadds %f1, %f2, %f40"), HasSubstr("got %f40, expected a register %f0 … %f31"));
  EXPECT_THAT(complaint(" ldx [%o1], %f3"), HasSubstr("got %f3, expected an integer register or %fsr"));
  EXPECT_THAT(complaint(" lda [%o1 + 4] 0x80, %o2"), HasSubstr("%asi after [ register + number ]"));
  EXPECT_THAT(complaint(" bne,pt here\nhere:"),
              HasSubstr("a.s:1:5: got ,pt after bne, expected no prediction without %icc, %xcc or %fccN"));
  EXPECT_THAT(complaint(" mov %o8, %o1"),
              HasSubstr("a.s:1:6: got %o8, expected a register or %hi(…); did you mean %o"));
  EXPECT_THAT(complaint(" add %o1, %hi(x), %o1"),
              HasSubstr("expected something else than %hi(…) of an address here"));
  EXPECT_THAT(complaint(" nop nop"), HasSubstr("a.s:1:6: got nop, expected"));
}

TEST(AssemblerErrors, DistancesOutOfReachNameTheRange) {
  EXPECT_THAT(complaint("a: .skip 4096\n cwbe %o1, 0, a"),
              HasSubstr("a.s:2:15: got a, expected a multiple of 4 within -2048 … 2044 bytes of the "
                        "instruction; it is -4096 bytes away"));
}

TEST(AssemblerErrors, TextIsNoNumber) {
  EXPECT_THAT(complaint("a = \"b\""), HasSubstr("got text, expected a number or an address"));
  EXPECT_THAT(complaint(".xword \"b\""), HasSubstr("a.s:1:"));
}

TEST(AssemblerErrors, SymbolsAreDefinedOnce) {
  EXPECT_THAT(complaint("a: nop\na: nop"),
              HasSubstr("a.s:2:1: got a again, expected a new name: line 1 defines it"));
  EXPECT_THAT(
      complaint("_start: call strlenn\nstrlen: nop"),
      HasSubstr("a.s:1:14: got strlenn, expected a symbol that this file defines; did you mean strlen?"));
  EXPECT_THAT(complaint(" ba 1f"), HasSubstr("got 1f, expected a label 1: below"));
  EXPECT_THAT(complaint(" ba 1b"), HasSubstr("got 1b, expected a label 1: above"));
  EXPECT_THAT(complaint(".set a, b\n.set b, a\n mov a, %g1"), HasSubstr("whose value depends on itself"));
  EXPECT_THAT(complaint(" mov a, %g1\n.set a, 1\n.set a, 2"),
              HasSubstr("a.s:3:6: got a again, expected one value"));
  EXPECT_THAT(complaint("start: nop"), HasSubstr("got no label _start"));
}

TEST(AssemblerErrors, SizesAreBounded) {
  EXPECT_THAT(complaint(".skip 1 << 60"), HasSubstr("expected at most 67108864"));
  EXPECT_THAT(complaint(".bss\n.skip 1 << 60"), HasSubstr("in .bss, expected at most 4294967296"));
  EXPECT_THAT(complaint(".align 1 << 40"), HasSubstr("expected a power of two up to 524288"));
  EXPECT_THAT(complaint(".align 3"), HasSubstr("got the alignment 3"));
  EXPECT_THAT(complaint(".word " + std::string(200, '(') + "1"), HasSubstr("nested deeper than 100"));
  EXPECT_THAT(complaint(".byte 256"), HasSubstr("got 256, expected -128 … 255"));
  EXPECT_THAT(complaint(".word 18446744073709551616"), HasSubstr("at most 64 bits"));
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "bad\n";
  const std::string text = complaint(many);
  EXPECT_EQ(std::ranges::count(text, '\n'), 50);
  EXPECT_THAT(text, HasSubstr("more than 49 mistakes"));
}

TEST(AssemblerErrors, TextThatNeverEndsIsReported) {
  EXPECT_THAT(complaint("_start: nop /* what"),
              HasSubstr("a.s:1:13: got the end of the file in a comment, expected */"));
  EXPECT_THAT(complaint(".ascii \"abc"), HasSubstr("a.s:1:8: got \""));
}

}  // namespace
}  // namespace psim::isa::assembler
