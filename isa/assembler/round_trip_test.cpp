// SPDX-License-Identifier: Apache-2.0
// The table, the disassembler and the assembler agree: the text of a word assembles to that word.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "base/error.h"
#include "base/sanitized.h"
#include "isa/assembler/assembler.h"
#include "isa/table/disassemble.h"
#include "isa/table/fields.h"
#include "isa/table/format.h"
#include "isa/table/pattern.h"
#include "isa/table/spec.h"
#include "isa/table/testing/words.h"

namespace psim::isa::assembler {
namespace {

// Branches can reach in both directions.
constexpr std::uint64_t kAddress = std::uint64_t{1} << 32;

bool has(const Format& format, std::initializer_list<Operand> operands) {
  return std::ranges::any_of(
      format.operands, [&](Operand each) { return std::ranges::find(operands, each) != operands.end(); });
}

/// Returns the reason why assemblers do not make a word; empty if they do.
std::string reserved(std::uint32_t word) {
  using enum Operand;
  const Spec& spec = decode(word);
  if ((spec.effects & effect::kReserved) != 0) return "another row's reserved word";
  const auto quad_bit = [&](std::initializer_list<Operand> operands, unsigned low) {
    return has(*spec.format, operands) && bits(word, low + 1, 1) != 0;
  };
  if (quad_bit({Fq, FqSource}, 25) || quad_bit({Fq1}, 14) || quad_bit({Fq2}, 0))
    return "bit 1 of a quad register is reserved (V9 5.1.4.1)";
  if (has(*spec.format, {RdPair, RdPairSource}) && rd(word) % 2 != 0) return "pairs are even (V9 A.27)";
  return {};
}

/// Returns the reason why the assembler makes another word with the same text; empty if there is none.
std::string same_text(std::uint32_t word) {
  using enum Operand;
  const Format& format = *decode(word).format;
  if (has(format, {AddressImmediate, TargetImmediate}) && simm13(word) == 0)
    return "register + 0 is written as register alone";
  if (has(format, {TargetImmediate}) && rs1(word) == 0)
    return "a target from %g0 is written as a number: call";
  const Spec& row = decode(word);
  const bool state = has(format, {Y}) && row.unit == isa::Unit::Int && row.name == "wr";
  constexpr std::string_view kSpelled[] = {"or", "orcc", "srl", "sra", "return", "save", "restore"};
  if (state || (row.effects & effect::kTraps) != 0 ||
      std::find(std::begin(kSpelled), std::end(kSpelled), row.name) != std::end(kSpelled))
    return "mov, clr, tst, clruw, signx, wr and the like say nothing of %g0 or 0";
  return {};
}

TEST(RoundTrip, EveryRowAssemblesFromItsDisassembly) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> words;
  std::vector<const Spec*> rows;
  std::string source;
  for (const Spec& spec : instructions()) {
    if ((spec.effects & effect::kReserved) != 0) continue;
    for (int i = 0; i < (kSanitized ? 16 : 60); ++i) {
      std::uint32_t word = testing::word_of(spec, random);
      // Synthetic spellings depend on equal registers and small constants.
      const auto with = [&](std::uint32_t mask, std::uint32_t value) {
        mask &= field_bits(spec.pattern);
        word = (word & ~mask) | (value & mask);
      };
      if (i % 16 == 0) with(0x3e000000, static_cast<std::uint32_t>(rs1(word)) << 25);
      if (i % 16 == 1) with(0x3e000000, static_cast<std::uint32_t>(rs2(word)) << 25);
      if (i % 16 == 2) with(0x3e001fff, static_cast<std::uint32_t>(rs1(word)) << 25 | 1);
      if (i % 16 == 3) with(0x3e000000, 0);
      if (i % 16 == 4) with(0x3e000000, 0x1e000000);
      if (i % 16 == 5) with(0x0007c000, 0);
      if ((decode(word).effects & effect::kReserved) != 0 || !reserved(word).empty()) continue;
      source += disassemble(word, kAddress + 4 * words.size()) + "\n";
      words.push_back(word);
      rows.push_back(&decode(word));
    }
  }
  std::vector<std::uint32_t> made;
  try {
    made = assembler::words(source, kAddress);
  } catch (const UserError& error) {
    FAIL() << error.what();
  }
  ASSERT_EQ(made.size(), words.size());
  std::map<const Spec*, unsigned> exact;
  unsigned differences = 0, other = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t pc = kAddress + 4 * i;
    if (made[i] == words[i]) {
      ++exact[rows[i]];
      continue;
    }
    if (disassemble(made[i], pc) == disassemble(words[i], pc) && !same_text(words[i]).empty()) {
      ++other;
      continue;
    }
    if (++differences < 20)
      ADD_FAILURE() << std::hex << words[i] << " is " << disassemble(words[i], pc) << "\n"
                    << made[i] << " was made: " << disassemble(made[i], pc);
  }
  EXPECT_EQ(differences, 0u);
  EXPECT_LT(other, words.size() / 20) << "of " << words.size();
  for (const Spec& spec : instructions()) {
    if ((spec.effects & effect::kReserved) != 0) continue;
    EXPECT_GT(exact[&spec], 0u) << "row " << spec.name << " " << spec.pattern.text << " was not made";
  }
}

}  // namespace
}  // namespace psim::isa::assembler
