// SPDX-License-Identifier: Apache-2.0
// Checks the dependence sets of the extension's rows, and of all operations in SIMD state, against execution:
// an instruction changes only its destinations, and these depend only on its sources.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "isa/simd/testing/simd_guest.h"
#include "isa/table/analyse.h"
#include "isa/table/disassemble.h"
#include "isa/table/spec.h"
#include "isa/table/testing/words.h"

namespace psim::isa {
namespace {

using bench::Guest;
using bench::SimdGuest;

constexpr unsigned kPes = 4;
/// By register name: one number for scalar registers (the first entry), one per PE for PE registers.
using Values = std::array<std::array<std::uint64_t, kPes>, reg::kCount>;

/// Returns true for rows outside the test: the engine orders transfers; writers of state are serial, and `rd`
/// reads it back here.
bool left_out(const Spec& row) {
  return (row.effects & effect::kWriteSimd) != 0 || row.latency == LatencyClass::BlockTransfer ||
         row.latency == LatencyClass::TransferSync;
}
/// Returns true for divisions: PEs have no divider.
bool refused(const Spec& row) {
  constexpr std::string_view kDivisions[] = {"fdivs", "fdivd", "fdivq", "fsqrts", "fsqrtd", "fsqrtq"};
  return std::find(std::begin(kDivisions), std::end(kDivisions), row.name) != std::end(kDivisions);
}

class PeMachine {
 public:
  explicit PeMachine(bool on) : guest_({bench::nop(), bench::nop(), bench::nop()}, {.pes = kPes}), on_(on) {
    guest_.environment.resume = Guest::kText + 4;
  }

  void set(const Values& v) {
    CpuState& state = guest_.state();
    SimdState& simd = guest_.simd();
    for (unsigned n = 1; n < 32; ++n) state.r[n] = v[n][0];
    for (unsigned n = 0; n < 32; ++n) {
      state.f[n] = v[reg::kFp + 2 * n][0] << 32 | v[reg::kFp + 2 * n + 1][0];
      for (unsigned pe = 0; pe < kPes; ++pe)
        simd.f[n][pe] = v[reg::kSimdFp + 2 * n][pe] << 32 | v[reg::kSimdFp + 2 * n + 1][pe];
    }
    state.set_cc(
        {static_cast<std::uint8_t>(v[reg::kCcr][0] & 15), static_cast<std::uint8_t>(v[reg::kCcr][0] >> 4)});
    std::uint64_t fsr = v[reg::kFcc][0] << 10;
    for (unsigned n = 1; n < 4; ++n) fsr |= v[reg::kFcc + n][0] << (30 + 2 * n);
    guest_.executor.write_fsr(fsr);
    for (unsigned n = 0; n < 4; ++n)
      for (unsigned pe = 0; pe < kPes; ++pe) simd.fcc[n][pe] = v[reg::kSimdFcc + n][pe];
    state.gsr = v[reg::kGsr][0];
    simd.on = on_;
  }
  Values get() {
    Values v{};
    CpuState& state = guest_.state();
    const SimdState& simd = guest_.simd();
    for (unsigned n = 1; n < 32; ++n) v[n][0] = state.r[n];
    for (unsigned n = 0; n < 32; ++n) {
      v[reg::kFp + 2 * n][0] = state.f[n] >> 32, v[reg::kFp + 2 * n + 1][0] = state.f[n] & 0xffffffff;
      for (unsigned pe = 0; pe < kPes; ++pe) {
        v[reg::kSimdFp + 2 * n][pe] = simd.f[n][pe] >> 32;
        v[reg::kSimdFp + 2 * n + 1][pe] = simd.f[n][pe] & 0xffffffff;
      }
    }
    v[reg::kCcr][0] = state.cc().byte();
    const std::uint64_t fsr = guest_.executor.read_fsr();
    v[reg::kFcc][0] = fsr >> 10 & 3;
    for (unsigned n = 1; n < 4; ++n) v[reg::kFcc + n][0] = fsr >> (30 + 2 * n) & 3;
    for (unsigned n = 0; n < 4; ++n)
      for (unsigned pe = 0; pe < kPes; ++pe) v[reg::kSimdFcc + n][pe] = simd.fcc[n][pe];
    v[reg::kGsr][0] = state.gsr;
    return v;
  }
  /// Executes `word` once; returns false if it raised an exception.
  bool execute(std::uint32_t word) {
    const std::uint32_t code[] = {big_endian(word)};
    guest_.memory.copy_in(Guest::kText, std::as_bytes(std::span(code)), kMapped);
    guest_.state().pc = Guest::kText, guest_.state().npc = Guest::kText + 4;
    guest_.environment.faults.clear();
    InstructionRecord record;
    return guest_.executor.step(record, true) == Pull::Record && guest_.environment.faults.empty();
  }

 private:
  SimdGuest guest_;
  bool on_;
};

std::uint64_t random_value(unsigned name, std::mt19937_64& random) {
  const std::uint64_t any = random();
  if (name < reg::kFp) return (any & 1) != 0 ? any >> 1 & 3 : any;  // numbers of PEs, otherwise any value
  const bool scalar = name < reg::kCcr, of_pes = name >= reg::kSimdFp && name < reg::kSimdFcc;
  if (scalar || of_pes) {  // halves of moderate doubles half the time, otherwise any value
    const bool high = (name - (scalar ? reg::kFp : reg::kSimdFp)) % 2 == 0;
    return (high && (any & 1) != 0 ? 0x3ff00000 ^ (any >> 16 & 0x801fffff) : any) & 0xffffffff;
  }
  if (name == reg::kCcr) return any & 0xff;
  if (name == reg::kGsr) return any & 0xffffffff000000ff;
  const bool fcc =
      (name >= reg::kFcc && name < reg::kFcc + 4) || (name >= reg::kSimdFcc && name < reg::kSimd);
  return fcc ? any & 3 : 0;
}

template <class List>
bool has(const List& list, unsigned count, unsigned name) {
  for (unsigned k = 0; k < count; ++k)
    if (name >= list[k].first && name < list[k].first + list[k].count) return true;
  return false;
}

void check_rows(bool on, unsigned least) {
  std::mt19937 words(5);
  std::mt19937_64 random(6);
  PeMachine machine(on);
  unsigned rows = 0;
  for (const Spec& spec : instructions()) {
    const bool cross = spec.manual == "PSIM cross";
    const bool wanted = spec.manual.starts_with("PSIM") ? on || !cross : on && spec.unit == Unit::Fp;
    if (!wanted || left_out(spec)) continue;
    bool reached = false;
    for (unsigned sample = 0; sample < 16; ++sample) {
      const std::uint32_t word = testing::word_of(spec, words);
      const StaticInstruction instruction = analyse(word, on);
      if (instruction.spec != &spec) continue;  // a finer row
      const auto is_source = [&](unsigned n) { return has(instruction.source, instruction.sources, n); };
      const auto is_destination = [&](unsigned n) {
        return has(instruction.destination, instruction.destinations, n);
      };
      Values first{}, second{};
      for (unsigned n = 1; n < reg::kCount; ++n) {
        for (unsigned pe = 0; pe < kPes; ++pe) {
          // A value for an integer register must be the same in all PEs.
          const bool one = n < reg::kSimdFp || sample % 2 == 0;
          first[n][pe] = one && pe != 0 ? n < reg::kSimdFp ? 0 : first[n][0] : random_value(n, random);
          second[n][pe] = is_source(n)     ? first[n][pe]
                          : one && pe != 0 ? n < reg::kSimdFp ? 0 : second[n][0]
                                           : random_value(n, random);
        }
      }
      machine.set(first);
      first = machine.get();
      if (!machine.execute(word)) continue;
      reached = true;
      const Values result = machine.get();
      for (unsigned n = 1; n < reg::kCount; ++n)
        ASSERT_TRUE(result[n] == first[n] || is_destination(n))
            << disassemble(word, 0) << " changes register name " << n;
      machine.set(second);
      ASSERT_TRUE(machine.execute(word)) << disassemble(word, 0) << " is an exception by what is no source";
      const Values again = machine.get();
      for (unsigned n = 1; n < reg::kCount; ++n)
        if (is_destination(n)) {
          ASSERT_EQ(result[n], again[n])
              << disassemble(word, 0) << ": register name " << n << " depends on more than the sources";
        }
    }
    rows += reached;
    EXPECT_EQ(reached, !refused(spec)) << spec.name << " " << spec.pattern.text;
  }
  EXPECT_GE(rows, least);
}

TEST(SimdDependence, RowsOfTheExtensionFollowTheirSetsInScalarState) { check_rows(false, 14); }
TEST(SimdDependence, AllOperationsFollowTheirSetsInSimdState) { check_rows(true, 230); }

}  // namespace
}  // namespace psim::isa
