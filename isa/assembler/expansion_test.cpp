// SPDX-License-Identifier: Apache-2.0
// Macros, repetitions, conditions, included files: the same results as GNU as, and mistakes.
#include "isa/assembler/expansion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "isa/assembler/assembler.h"
#include "isa/table/testing/objdump.h"

namespace psim::isa::assembler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string mistakes(std::string_view text) {
  try {
    assemble(text);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(Expansion, AMacroGetsItsArgumentsByPositionByNameOrByDefault) {
  const auto made = words(R"(
        .macro both a, b=7
        .word \a, \b
        .endm
        both 1, 2
        both 3
        both b=5, a=4
)");
  EXPECT_THAT(made, ElementsAre(1u, 2u, 3u, 7u, 4u, 5u));
}

TEST(Expansion, RepetitionsNestInMacrosAndCallsAreNumbered) {
  const auto made = words(R"(
        .macro fill count
        .rept \count
        .word 0x10 + \@
        .endr
        .irp n, 1, 2, 3
        .word \n << 4
        .endr
        .endm
        fill 2
        fill 1
)");
  EXPECT_THAT(made, ElementsAre(0x10u, 0x10u, 0x10u, 0x20u, 0x30u, 0x11u, 0x10u, 0x20u, 0x30u));
}

TEST(Expansion, ConditionsChooseLinesAndNest) {
  const auto made = words(R"(
        .set n, 3
        .if n < 0
        .word 1
        .elseif n == 3
        .word 2
        .ifc a, b
        .word 3
        .else
        .word 4
        .endif
        .else
        .word 5
        .endif
        .if n >= 4
        .error "never read"
        .endif
)");
  EXPECT_THAT(made, ElementsAre(2u, 4u));
}

TEST(Expansion, StatementsOfOneLineAndLabelsKeepTheirPositions) {
  const auto made = words("a: .rept 2; .word 9; .endr\n .word a\n .macro m; nop; .endm\nx: m\n .word x - a");
  EXPECT_THAT(made, ElementsAre(9u, 9u, 0u, 0x01000000u, 12u));
}

TEST(Expansion, AFileMayLieNextToTheFileThatIncludesIt) {
  const testing::ScratchFile inner(".inc");
  std::ofstream(inner.name()) << "/* a comment */ .word 5\n.macro six\n.word 6\n.endm\n";
  const auto made = words(".include \"" + inner.name() + "\"\n six\n");
  EXPECT_THAT(made, ElementsAre(5u, 6u));
}

TEST(Expansion, MistakesNameTheLineAndTheMacro) {
  EXPECT_THAT(mistakes(" .macro m a\n ad \\a\n .endm\n nop\n m %o0\n"),
              HasSubstr("input:5:2: got ad, expected an instruction or directive"));
  EXPECT_THAT(mistakes(" .macro m a\n ad \\a\n .endm\n nop\n m %o0\n"), HasSubstr("(in macro m)"));
  EXPECT_THAT(mistakes(" .macro m a\n nop\n"), HasSubstr("input:1:2: got .macro and the end"));
  EXPECT_THAT(mistakes(" nop\n .endr\n"), HasSubstr("input:2:2: got .endr alone"));
  EXPECT_THAT(mistakes(" .macro m a:req\n .endm\n m\n"), HasSubstr("got m without a, expected it"));
  EXPECT_THAT(mistakes(" .macro m a\n .endm\n m 1, 2\n"), HasSubstr("got m with more than 1 arguments"));
  EXPECT_THAT(mistakes(" .macro m\n m\n .endm\n m\n"), HasSubstr("within each other 200 deep"));
  EXPECT_THAT(mistakes(" .if 1\n nop\n"), HasSubstr("expected .endif"));
  EXPECT_THAT(mistakes(" .else\n"), HasSubstr("got .else without .if"));
  EXPECT_THAT(mistakes(" .include \"/nowhere/at/all\"\n"), HasSubstr("expected a file that can be read"));
  EXPECT_THAT(mistakes(" .rept 100000000\n nop\n .endr\n"), HasSubstr("got 100000000 repetitions"));
  EXPECT_THAT(mistakes(" .if 1 == 1\n .error \"told\"\n .endif\n"), HasSubstr("got .error: told"));
}

}  // namespace
}  // namespace psim::isa::assembler
