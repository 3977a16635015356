// SPDX-License-Identifier: Apache-2.0
// Compares every operation on floating-point registers in SIMD state with the same word in scalar state, PE
// by PE. Compares every cross operation with the scalar operation on the partner's values.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/sanitized.h"
#include "isa/exec/executor.h"
#include "isa/instructions/testing/strand.h"
#include "isa/simd/testing/pe_strand.h"
#include "isa/state/decoded.h"
#include "isa/table/cross_form.h"
#include "isa/table/disassemble.h"
#include "isa/table/fields.h"
#include "isa/table/format.h"
#include "isa/table/spec.h"
#include "isa/table/testing/words.h"

namespace psim::isa {
namespace {

using simd::CrossForm, simd::cross_form, simd::negates, simd::source_pe;

/// Numbers of every kind, in doubles and in singles alike.
std::uint64_t value(std::mt19937_64& random) {
  constexpr std::uint64_t kSpecial[] = {0,
                                        0x8000000000000000,
                                        0x7ff0000000000000,
                                        0x7ff8000000000000,
                                        0x7ff0000000000001,
                                        0x0000000000000001,
                                        0x7fefffffffffffff,
                                        0x7f8000007f800001,
                                        0x3f8000003f800000,
                                        0xffffffffffffffff};
  const std::uint64_t any = random();
  switch (any % 16) {
    case 0:
      return kSpecial[random() % 10];
    case 1:
      return random();
    default:  // moderate, and often equal in the high bits
      return 0x3ff0000000000000 ^ (random() & 0x803fffffffffffff) ^ (any & 32 ? 0x40000000 : 0);
  }
}

/// Factors whose product is tiny and rounds up to the least normal number, and zeros to add to it. They
/// alternate, so that all PEs have the same values and no PE underflows more plainly.
std::uint64_t nearly_normal(unsigned turn, bool single) {
  constexpr std::uint64_t kDoubles[] = {0x000fffffffffffff, 0x3ff0000000000001, 0};
  constexpr std::uint64_t kSingles[] = {0x007fffff, 0x3f800001, 0};
  return single ? kSingles[turn % 3] << 32 | kSingles[(turn + 1) % 3] : kDoubles[turn % 3];
}

/// State bits of %fsr that a scalar strand needs: fccs of one PE, and the current rounding and traps.
constexpr std::uint64_t kAexc = 0x1f << 5;

struct Case {
  FmaRounding fma;
  unsigned pes;
  std::uint32_t mask;
  std::uint64_t tem;  ///< of %fsr
  bool specials;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << (c.fma == FmaRounding::Fused ? "fused " : "unfused ") << c.pes << " PEs, mask " << std::hex
       << c.mask << ", tem " << c.tem;
}

class EveryRow : public ::testing::TestWithParam<Case> {};

/// Returns the scalar twin of one PE: registers, fccs, the integer registers of the strand.
testing::Strand twin_of(const testing::PeStrand& pes, unsigned pe, FmaRounding fma) {
  testing::Strand twin{fma};
  static_cast<CpuState&>(twin.c) = static_cast<const CpuState&>(pes.c);
  for (unsigned n = 0; n < 32; ++n) twin.c.f[n] = pes.c.simd.f[n][pe];
  const auto& fcc = pes.c.simd.fcc;
  twin.c.fsr = (twin.c.fsr & ~(3u << 10 | std::uint64_t{0x3f} << 32)) | fcc[0][pe] << 10 | fcc[1][pe] << 32 |
               fcc[2][pe] << 34 | fcc[3][pe] << 36;
  return twin;
}

TEST_P(EveryRow, DoesTheSameInEveryEnabledPeAsInScalarState) {
  const Case& p = GetParam();
  std::mt19937_64 random{p.pes + p.mask + p.tem};
  std::mt19937 words{p.pes};
  unsigned rows = 0, trapped = 0, disagreed = 0;
  for (const Spec& spec : instructions()) {
    const bool cross = spec.manual == "PSIM cross";
    if (spec.unit != Unit::Fp && !cross) continue;
    if (spec.name.starts_with("fdiv") || spec.name.starts_with("fsqrt")) continue;
    ++rows;
    for (unsigned sample = 0; sample < 13; sample += kSanitized ? 5 : 1) {
      const std::uint32_t word = testing::word_of(spec, words);
      if (&decode(word) != &spec) continue;
      SCOPED_TRACE(disassemble(word, 0));
      testing::PeStrand strand{p.fma, p.pes};
      strand.c.simd.set_mask(p.mask);
      const bool special = p.specials && sample % 2 == 0;
      const bool tiny = p.specials && sample > 4;
      unsigned turn = sample;
      for (auto& row : strand.c.simd.f) {
        for (unsigned pe = 0; pe < p.pes; ++pe)
          row[pe] = tiny      ? nearly_normal(turn, sample % 2 == 0)
                    : special ? value(random)
                              : 0x3ff0000000000000 ^ (random() & 0x803fffffffffffff);
        ++turn;
      }
      const auto& operands = spec.format->operands;
      const bool to_integer = std::find(operands.begin(), operands.end(), Operand::Rd) != operands.end();
      if (to_integer && sample % 2 == 1)  // an integer register needs enabled PEs to agree
        for (auto& row : strand.c.simd.f)
          for (unsigned pe = 0; pe < p.pes; ++pe)
            if (p.mask >> pe & 1) row[pe] = row[strand.c.simd.first()];
      for (auto& row : strand.c.simd.fcc)
        for (unsigned pe = 0; pe < p.pes; ++pe) row[pe] = random() % 4;
      for (unsigned n = 1; n < 32; ++n) strand.c.r[n] = random();
      strand.c.set_cc({static_cast<std::uint8_t>(random() % 16), static_cast<std::uint8_t>(random() % 16)});
      strand.c.gsr = random() & 0xffffffff000000ff;
      strand.set_fsr(p.tem | (random() % 4) << 30);
      const std::array<SimdState::Lanes, 32> before = strand.c.simd.f;
      const auto scalar_before = strand.c.f;

      // The twins: a scalar strand executes each PE's operation.
      std::vector<testing::Strand> twins;
      bool traps = false;
      std::uint64_t accrued = 0;
      std::uint32_t differ = 0;
      for (unsigned pe = 0; pe < p.pes; ++pe) {
        testing::Strand& twin = twins.emplace_back(twin_of(strand, pe, p.fma));
        std::uint32_t scalar = word;
        if (cross) {
          const CrossForm form = cross_form(word);
          const unsigned from = rs2(word), number = form.is_double ? double_register(from) : from;
          std::uint64_t taken = before[number / 2][source_pe(form.cross, pe)];
          if (negates(form.cross, pe))
            taken ^= std::uint64_t{1} << (form.is_double || from % 2 == 0 ? 63 : 31);
          // A register that the operation does not name otherwise.
          unsigned free = 0;
          const auto row = [&](unsigned field) {
            return (form.is_double ? double_register(field) : field) / 2;
          };
          while (free == row(rd(word)) || free == row(rs1(word)) || free == row(rs3(word))) ++free;
          twin.c.f[free] = taken;
          const std::uint32_t fields = bits(form.scalar, 19, 6) == 0x34
                                           ? 0x1fu << 25 | 0x1fu << 14
                                           : 0x1fu << 25 | 0x1fu << 14 | 0x1fu << 9;
          scalar = form.scalar | (word & fields) | (2 * free + (form.is_double ? 0 : from % 2));
        }
        if ((p.mask >> pe & 1) == 0) continue;
        const bool done = twin.run(scalar);
        if (to_integer && twin.c.r[rd(word)] != twins[strand.c.simd.first()].c.r[rd(word)])
          differ |= 1u << pe;
        traps |= !done;
        accrued |= twin.fsr() & kAexc;
        if (cross) {  // the borrowed register is no result
          const CrossForm form = cross_form(word);
          const unsigned to = form.is_double ? double_register(rd(word)) : rd(word);
          const std::uint64_t result = twin.c.f[to / 2];
          for (unsigned n = 0; n < 32; ++n) twin.c.f[n] = before[n][pe];
          twin.c.f[to / 2] = result;
        }
      }

      const std::uint64_t integer_before = strand.c.r[rd(word)];
      const bool done = strand.run(word);
      ASSERT_EQ(done, !traps && differ == 0);
      disagreed += differ != 0;
      EXPECT_EQ(strand.c.f, scalar_before) << "scalar registers are not touched";
      trapped += traps;
      for (unsigned pe = 0; pe < p.pes; ++pe) {
        const bool enabled = !traps && !to_integer && (p.mask >> pe & 1) != 0;
        for (unsigned n = 0; n < 32; ++n)
          ASSERT_EQ(strand.c.simd.f[n][pe], enabled ? twins[pe].c.f[n] : before[n][pe])
              << "PE " << pe << " %d" << 2 * n;
        if (enabled) {
          const std::uint64_t fsr = twins[pe].fsr();
          EXPECT_EQ(strand.c.simd.fcc[0][pe], fsr >> 10 & 3);
          for (unsigned n = 1; n < 4; ++n) EXPECT_EQ(strand.c.simd.fcc[n][pe], fsr >> (30 + 2 * n) & 3);
        }
      }
      if (to_integer && differ != 0) {
        EXPECT_EQ(strand.c.fault.kind, FaultKind::PeInteger);
        EXPECT_EQ(strand.c.fault.pes, differ);
        EXPECT_EQ(strand.c.r[rd(word)], integer_before) << "nothing of it has happened";
      } else if (to_integer) {
        EXPECT_EQ(strand.c.r[rd(word)], twins[strand.c.simd.first()].c.r[rd(word)]);
      }
      if (!traps) {
        EXPECT_EQ(strand.fsr() & kAexc, accrued);
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(rows, 200u);
  EXPECT_GT(disagreed, kSanitized ? 3u : 10u);
  if (p.tem != 0 && p.specials) {
    EXPECT_GT(trapped, kSanitized ? 3u : 10u);
  }
}

constexpr std::uint64_t kInvalidTrap = 16u << 23;
INSTANTIATE_TEST_SUITE_P(Cores, EveryRow,
                         ::testing::Values(Case{FmaRounding::Fused, 16, 0xffff, 0, true},
                                           Case{FmaRounding::Unfused, 16, 0xffff, 0, true},
                                           Case{FmaRounding::Fused, 16, 0xffff, 0, false},
                                           Case{FmaRounding::Unfused, 16, 0xffff, 0, false},
                                           Case{FmaRounding::Fused, 2, 0x3, 0, true},
                                           Case{FmaRounding::Fused, 6, 0x3f, 0, false},
                                           Case{FmaRounding::Fused, 32, 0xffffffff, 0, true},
                                           Case{FmaRounding::Fused, 16, 0xa5c3, 0, true},
                                           Case{FmaRounding::Fused, 16, 0xffff, kInvalidTrap, true},
                                           Case{FmaRounding::Unfused, 16, 0x0ff0, kInvalidTrap, true}));

}  // namespace
}  // namespace psim::isa
