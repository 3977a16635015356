// SPDX-License-Identifier: Apache-2.0
// Translated floating-point instructions give the results and flags of single steps, for operands of all
// kinds.
#include <gtest/gtest.h>

#include <random>

#include "isa/exec/testing/bench_guest.h"
#include "isa/state/handler.h"

namespace psim::isa {
namespace {
using namespace bench;

constexpr std::uint64_t kDoubles[] = {0,
                                      std::uint64_t{1} << 63,  // -0
                                      0x3ff0'0000'0000'0000,   // 1
                                      0xbff8'0000'0000'0001,   // about -1.5
                                      0x0010'0000'0000'0000,   // the least normal number
                                      0x0010'0000'0000'0001,
                                      0x000f'ffff'ffff'ffff,
                                      0x0000'0000'0000'0001,
                                      0x3fef'ffff'ffff'ffff,
                                      0x7fef'ffff'ffff'ffff,
                                      0x7ff0'0000'0000'0000,  // infinity
                                      0xfff0'0000'0000'0000,
                                      0x7ff8'0000'0000'0000,  // NaNs
                                      0x7ff0'0000'0000'0001,
                                      0xfff8'dead'beef'0001};

/// Runs `word` in a loop; returns the state afterwards. `runs` as for set_translation().
CpuState state_after(Word word, const CpuState& start, std::uint64_t fsr, std::uint16_t runs,
                     std::uint64_t& fsr_after, std::vector<FaultKind>& faults) {
  Guest guest({word, b(kA, -1), nop()});
  guest.executor.set_translation(runs);
  const std::uint64_t pc = guest.state().pc;
  guest.state().f = start.f;
  guest.executor.write_fsr(fsr);
  guest.environment.resume = pc + 4;
  guest.executor.run(9);
  fsr_after = guest.executor.read_fsr();
  for (const Fault& fault : guest.environment.faults) faults.push_back(fault.kind);
  return guest.state();
}

TEST(TranslatedArithmetic, HasTheResultsAndFlagsOfHandlers) {
  std::mt19937_64 random{1};
  for (const Spec& row : instructions()) {
    if (row.unit != Unit::Fp || row.manual.starts_with("PSIM") || row.manual.starts_with("VIS") ||
        row.manual.starts_with("OSA"))
      continue;
    for (unsigned n = 0; n < 15; ++n) {
      CpuState start;
      for (auto& f : start.f) {
        const std::uint64_t x = kDoubles[random() % std::size(kDoubles)], y = random();
        f = n % 3 == 0   ? x
            : n % 3 == 1 ? (x & ~std::uint64_t{7}) | (y & 7)
                         : (x >> 32 << 32) | kDoubles[y % 15] >> 32;
        if (n % 3 == 2)
          f = std::uint64_t{__builtin_bit_cast(std::uint32_t,
                                               static_cast<float>(__builtin_bit_cast(double, x)))}
                  << 32 |
              static_cast<std::uint32_t>(y);
      }
      const Word word = (static_cast<Word>(random()) & ~row.pattern.mask) | row.pattern.value;
      const std::uint64_t fsr = (random() % 4) << 30 | (n % 10 == 9 ? (random() & 31) << 23 : 0);
      std::uint64_t fsr_a = 0, fsr_b = 0;
      std::vector<FaultKind> faults_a, faults_b;
      const CpuState a = state_after(word, start, fsr, 1, fsr_a, faults_a),
                     b = state_after(word, start, fsr, 0, fsr_b, faults_b);
      ASSERT_EQ(fsr_a, fsr_b) << row.name << " " << std::hex << word << " fsr " << fsr;
      ASSERT_EQ(a.f, b.f) << row.name << " " << std::hex << word;
      ASSERT_EQ(faults_a, faults_b) << row.name << " " << std::hex << word;
    }
  }
}

}  // namespace
}  // namespace psim::isa
