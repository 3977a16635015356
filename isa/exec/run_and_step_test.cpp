// SPDX-License-Identifier: Apache-2.0
// Blocks and single steps are two implementations of one machine. Random programs, which branch anywhere,
// fault often and overwrite themselves, must leave the same state in both; in blocks of handlers, and in
// blocks that are translated to host code when they have run once.
#include <gtest/gtest.h>

#include <random>

#include "base/sanitized.h"
#include "isa/exec/testing/bench_guest.h"
#include "isa/state/simd_state.h"
#include "isa/table/fields.h"
#include "isa/table/format.h"
#include "isa/table/spec.h"

namespace psim::isa {
namespace {
using bench::Word;

constexpr std::uint64_t kCode = 0x100000, kData = 0x110000, kStack = 0x120000;
constexpr std::uint64_t kCodeBytes = 2 * GuestMemory::kPageBytes, kDataBytes = 4 * GuestMemory::kPageBytes;
constexpr unsigned kWords = kCodeBytes / 4;

/// A fault or a software trap sends control to an address that depends on the history of the run.
struct Wanderer : Environment {
  void send(CpuState& state) {
    state.pc = kCode + 4 * ((state.instructions + log.size()) * 7919 % kWords);
    state.npc = state.pc + 4;
  }
  bool software_trap(CpuState& state, unsigned number) override {
    log.push_back(number);
    send(state);
    return true;
  }
  bool fault(CpuState& state, const Fault& fault) override {
    log.push_back(static_cast<std::uint64_t>(fault.kind) << 56 ^ fault.pc ^ fault.address << 20 ^ fault.word);
    log.push_back(state.pc ^ state.npc << 20 ^ state.instructions << 40);
    send(state);
    return true;
  }
  bool deadline(CpuState&) override { return true; }
  std::uint64_t tick(const CpuState& state) override { return state.instructions; }
  std::vector<std::uint64_t> log;
};

std::vector<Word> random_code(std::mt19937_64& random) {
  const auto rows = instructions();
  std::vector<Word> code(kWords);
  for (Word& word : code) {
    const Spec& row = rows[random() % rows.size()];
    word = (static_cast<Word>(random()) & ~row.pattern.mask) | row.pattern.value;
    switch (row.flow) {  // near targets, so that programs have loops
      case Flow::Call:
        word = (word & 0xc0000000) | static_cast<Word>(random() % 64 - 32u) % (1u << 30);
        break;
      case Flow::BranchIcc:
      case Flow::BranchFcc: {
        const bool predicted = row.format->suffix == Suffix::Bpcc || row.format->suffix == Suffix::Fbpfcc;
        const Word field = predicted ? 0x7ffff : 0x3fffff;
        word = (word & ~field) | (static_cast<Word>(random() % 64 - 32u) & field);
        break;
      }
      case Flow::BranchRegister:
        word = (word & 0xffcfc000) | (random() % 32);
        break;
      case Flow::CompareBranch:
        word &= 0xffe7ffff;
        break;
      default:
        if (row.flow == Flow::Trap || (row.effects & effect::kTraps) != 0) {
          if (random() % 4 != 0) word = bench::add(random() % 32, random() % 32, random() % 32);
          break;
        }
        // Memory: mostly from a pointer, near it.
        if ((row.effects & (effect::kLoad | effect::kStore)) != 0 && random() % 8 != 0) {
          word = (word & ~(31u << 14)) | static_cast<Word>(random() % 3 + 1) << 14;
          if (has_immediate(word)) word = (word & ~0x1fffu) | (random() % 64) * 8;
        }
        break;
    }
    // Pointers in %g1–%g3 and the stack pointers are rarely overwritten, so that they stay useful.
    const unsigned destination = rd(word);
    const bool integer_arithmetic = word >> 30 == 2 && (word >> 19 & 0x30) != 0x30;
    if (integer_arithmetic && (destination <= 3 || destination == 14 || destination == 30)) word |= 16u << 25;
  }
  // Compares directly before branches, which are fused.
  for (unsigned n = 1; n < kWords; ++n) {
    if (decode(code[n]).flow == Flow::BranchIcc && random() % 2 == 0)
      code[n - 1] = bench::cmp(random() % 32, random() % 32);
  }
  return code;
}

struct Machine {
  Machine(const std::vector<Word>& code, std::uint64_t seed) {
    memory.map(kCode, kCodeBytes, kRead | kWrite | kExecute);
    memory.map(kData, kDataBytes, kRead | kWrite);
    memory.map(kStack, kDataBytes, kRead | kWrite);
    std::uint64_t at = kCode;
    for (const Word word : code) memory.store<std::uint32_t>(at, word), at += 4;
    std::mt19937_64 random{seed};
    CpuState& s = executor.state();
    for (unsigned n = 0; n < 32; ++n) s.r[n] = random() >> random() % 64;
    for (auto& f : s.f) f = random();
    s.r[0] = 0, s.r[1] = kData + 64, s.r[2] = kCode + 8 * (random() % 500), s.r[3] = kData + 4096;
    s.r[14] = s.r[30] = kStack + 8192 - 2047;
    s.pc = kCode, s.npc = kCode + 4;
    // Half of the programs begin in SIMD state; in some, the PEs hold equal values and agree about branches.
    SimdState& simd = executor.simd();
    simd.on = seed % 2 != 0;
    simd.stack_window = kStack + 4096, simd.stack_bytes = 8192;
    for (auto& row : simd.f) {
      const std::uint64_t shared = random();
      for (unsigned pe = 0; pe < simd.pes; ++pe) row[pe] = seed % 4 == 1 ? shared : random();
    }
  }
  std::uint64_t sum(std::uint64_t address, std::uint64_t bytes) {
    std::uint64_t hash = 0, value = 0;
    for (std::uint64_t at = address; at < address + bytes; at += 8) {
      memory.load(at, value);
      hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    }
    return hash;
  }
  GuestMemory memory;
  Wanderer environment;
  Executor executor{memory, environment, FmaRounding::Fused};
};

void expect_same(Machine& a, Machine& b) {
  const CpuState &x = a.executor.state(), &y = b.executor.state();
  for (unsigned n = 0; n < 32; ++n) EXPECT_EQ(x.r[n], y.r[n]) << "r" << n;
  for (unsigned n = 0; n < 32; ++n) EXPECT_EQ(x.f[n], y.f[n]) << "%d" << 2 * n;
  EXPECT_EQ(x.pc, y.pc);
  EXPECT_EQ(x.npc, y.npc);
  EXPECT_EQ(x.cc().byte(), y.cc().byte());
  EXPECT_EQ(x.y, y.y);
  EXPECT_EQ(x.gsr, y.gsr);
  EXPECT_EQ(x.asi, y.asi);
  EXPECT_EQ(x.fprs, y.fprs);
  EXPECT_EQ(x.cwp, y.cwp);
  EXPECT_EQ(x.cansave, y.cansave);
  EXPECT_EQ(x.canrestore, y.canrestore);
  // A block may have tried an instruction that will trap, and ended before it: cexc and ftt already show it.
  constexpr std::uint64_t kTrap = 0x1f | 7u << 14;
  EXPECT_EQ(a.executor.read_fsr() & ~kTrap, b.executor.read_fsr() & ~kTrap);
  const SimdState &p = a.executor.simd(), &q = b.executor.simd();
  EXPECT_EQ(p.on, q.on);
  EXPECT_EQ(p.mask, q.mask);
  EXPECT_EQ(p.f, q.f);
  EXPECT_EQ(p.fcc, q.fcc);
  for (std::uint64_t at = 0; at < p.sbm_bytes; at += 8)
    for (unsigned pe = 0; pe < p.pes; ++pe) ASSERT_EQ(p.sbm_row(at)[pe], q.sbm_row(at)[pe]);
  EXPECT_EQ(a.environment.log, b.environment.log);
  for (const auto& [begin, bytes] : {std::pair{kCode, kCodeBytes}, {kData, kDataBytes}, {kStack, kDataBytes}})
    EXPECT_EQ(a.sum(begin, bytes), b.sum(begin, bytes));
}

class RunAndStep : public ::testing::TestWithParam<std::tuple<unsigned, std::uint16_t>> {};

TEST_P(RunAndStep, LeaveTheSameState) {
  unsigned compared = 0;
  for (unsigned program = 0; program < (kSanitized ? 4 : 20); ++program) {
    const auto [group, runs] = GetParam();
    const std::uint64_t seed = group * 1000 + program;
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    const std::vector<Word> code = random_code(random);
    Machine blocks{code, seed}, steps{code, seed};
    blocks.executor.set_translation(runs);
    for (unsigned part = 0; part < 10; ++part) {
      blocks.executor.run(1000);
      InstructionRecord record;
      while (steps.executor.state().instructions < blocks.executor.state().instructions)
        ASSERT_EQ(steps.executor.step(record, true), Pull::Record);
      // A run may end after a fault, before the next instruction; a step ends after an instruction.
      if (blocks.environment.log.size() != steps.environment.log.size()) continue;
      expect_same(blocks, steps);
      if (HasFailure()) return;
      ++compared;
    }
  }
  EXPECT_GE(compared, kSanitized ? 10u : 50u);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RunAndStep,
                         ::testing::Combine(::testing::Range(0u, 10u),
                                            ::testing::Values<std::uint16_t>(0, 1)));

}  // namespace
}  // namespace psim::isa
