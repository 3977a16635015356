// SPDX-License-Identifier: Apache-2.0
// Functional warming against a run in all cycles: the same lines, pages and branches.
#include "pipeline/sampling/warmer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "guest/live_source.h"
#include "guest/testing/tiny_program.h"
#include "isa/assembler/assembler.h"
#include "pipeline/memory/state_words.h"
#include "pipeline/sampling/warm_state.h"
#include "pipeline/testing/systemc_test.h"

namespace psim::pipeline {
namespace {
using Words = std::vector<std::uint64_t>;

/// Writes each fourth line of 512 KiB, reads each line of an eighth of it twice, calls a
/// chain of functions that spills windows, and branches on a bit of a random number.
constexpr std::string_view kWalk = R"(
      sub %sp, -2047, %g2           ! memory below the stack, from a page on
      sethi %hi(0x200000), %g3
      sub %g2, %g3, %g2
      srlx %g2, 13, %g2
      sllx %g2, 13, %g2
      sethi %hi(0x80000), %g3
      mov 0, %g1
write: stx %g1, [%g2 + %g1]
      add %g1, 256, %g1
      cmp %g1, %g3
      bne %xcc, write
      nop
      mov 2, %g5
round: srlx %g3, 3, %g4
      mov 0, %g1
read: ldx [%g2 + %g1], %g6
      add %g1, 64, %g1
      cmp %g1, %g4
      bne %xcc, read
      nop
      subcc %g5, 1, %g5
      bne %xcc, round
      nop
      mov 12, %g4
float: faddd %f0, %f2, %f0
      subcc %g4, 1, %g4
      bne %icc, float
      nop
      mov 12, %o0
      call deep
      nop
      mov 1, %g1
      mov 500, %g5
toss: mulx %g1, 1103, %g1
      add %g1, 31, %g1
      and %g1, 4095, %g1
      andcc %g1, 64, %g0
      be %icc, even
      nop
      andn %g1, 7, %g6
      ldx [%g2 + %g6], %g0
even: subcc %g5, 1, %g5
      bne %xcc, toss
      nop
      mov 0, %o0
      mov 188, %g1
      ta 0x6d
deep: save %sp, -176, %sp
      brz %i0, up
      nop
      call deep
      sub %i0, 1, %o0
up:   ret
      restore
)";

class Nothing final : public isa::InstructionSource {
 public:
  isa::Pull next(std::uint64_t, bool, isa::InstructionRecord&) override { return isa::Pull::End; }
  const isa::StaticInstruction* text(std::uint64_t, bool) override { return nullptr; }
};

struct WarmerTest : testing::SystemCTest {
  WarmerTest() {
    machine.l1i.tlb.micro_entries = machine.l1d.tlb.micro_entries = 8;
    machine.l2.bytes = 192 * 1024;  // less than the program touches
    machine.l1d.bytes = machine.l1i.bytes = 16 * 1024;
  }
  /// Runs the program in all cycles.
  std::unique_ptr<WiredCore> in_cycles() {
    programs.emplace_back(isa::assembler::words(kWalk, isa::testing::kTinyEntry));
    sources.push_back(std::make_unique<isa::LiveSource>(programs.back().process()));
    auto core = std::make_unique<WiredCore>(machine, *sources.back(), RunOptions{});
    core->run();
    return core;
  }
  /// Runs it functionally; the first `steps` instructions one by one.
  std::unique_ptr<WiredCore> warmed(std::uint64_t steps) {
    programs.emplace_back(isa::assembler::words(kWalk, isa::testing::kTinyEntry));
    sources.push_back(std::make_unique<Nothing>());
    auto core = std::make_unique<WiredCore>(machine, *sources.back(), RunOptions{});
    core->run();
    isa::Process& process = programs.back().process();
    process.executor.set_translation(translated_runs);
    Warmer warmer(*core, [](std::uint32_t, const isa::CpuState&) {});
    warmer.steps_until = steps;
    process.executor.set_warmer(&warmer);
    process.run_ahead(~std::uint64_t{0}, isa::Process::kCyclePace);
    warmer.end(process.instructions());
    work = warmer.take_work();
    process.executor.set_warmer(nullptr);
    return core;
  }

  MachineConfig machine;
  std::uint16_t translated_runs = 0;
  Work work;  ///< of the last program that ran functionally
  std::list<isa::testing::TinyProgram> programs;
  std::vector<std::unique_ptr<isa::InstructionSource>> sources;
};

template <class Component>
Words words_of(Component& component) {
  Words words;
  StateWords out(words, ~std::uint64_t{0});
  component.warm_state(out);
  return words;
}

/// The tags of a cache, with their dirty bits.
std::set<std::uint64_t> lines(const Words& words, std::uint64_t sets_times_ways) {
  std::set<std::uint64_t> lines(words.end() - static_cast<std::ptrdiff_t>(sets_times_ways), words.end());
  lines.erase(0);
  return lines;
}
std::set<std::uint64_t> lines(L1Cache& cache) {
  return lines(words_of(cache), cache.config().bytes / cache.config().line_bytes);
}

/// The pages of the main TLB of a first-level cache.
std::set<std::uint64_t> pages(L1Cache& cache) {
  const Words words = words_of(cache);
  const TlbConfig& tlb = cache.config().tlb;
  const auto first = words.begin() + 3 + 256 / 8 + 3 * static_cast<std::ptrdiff_t>(tlb.micro_entries);
  std::set<std::uint64_t> pages(first, first + tlb.main_entries);
  pages.erase(~std::uint64_t{0});
  return pages;
}

/// Target, counter and kind of each branch of the history.
std::map<std::uint64_t, std::tuple<std::uint64_t, std::uint64_t>> branches(BranchHistory& history) {
  const Words words = words_of(history);
  std::map<std::uint64_t, std::tuple<std::uint64_t, std::uint64_t>> branches;
  for (std::size_t i = 2; i + 4 <= 2 + 4 * 16384; i += 4)
    if (words[i + 2] != 0) branches[words[i]] = {words[i + 1], words[i + 3]};
  return branches;
}

TEST_F(WarmerTest, LeavesTheLinesPagesAndBranchesOfARunInAllCycles) {
  const auto detailed = in_cycles();
  const auto data = lines(detailed->data_cache), second = lines(words_of(detailed->memory.l2), 3072);
  const auto code = lines(detailed->instruction_cache);
  const auto data_pages = pages(detailed->data_cache);
  const auto history = branches(detailed->core.fetch().history());
  EXPECT_EQ(data.size(), 256u);
  EXPECT_GT(std::count_if(second.begin(), second.end(), [](std::uint64_t tag) { return tag & 1; }), 100);
  EXPECT_GT(history.size(), 6u);
  renew_context();
  const auto warm = warmed(0);
  EXPECT_EQ(lines(warm->data_cache), data);
  EXPECT_EQ(pages(warm->data_cache), data_pages);
  EXPECT_EQ(branches(warm->core.fetch().history()), history);
  // Wrong paths fetch further lines of code.
  const auto warm_code = lines(warm->instruction_cache);
  EXPECT_TRUE(std::includes(code.begin(), code.end(), warm_code.begin(), warm_code.end()));
  const auto warm_second = lines(words_of(warm->memory.l2), 3072);
  std::vector<std::uint64_t> differ;
  std::set_symmetric_difference(second.begin(), second.end(), warm_second.begin(), warm_second.end(),
                                std::back_inserter(differ));
  EXPECT_LE(differ.size(), 4 * (code.size() - warm_code.size()));
}

TEST_F(WarmerTest, CountsTheWorkOfARunInAllCycles) {
  const auto detailed = in_cycles();
  const BranchStats& branches = detailed->core.fetch().branch_stats();
  const LoadStoreStats& accesses = detailed->core.operands().stats();
  EXPECT_GT(detailed->core.fetch().history().mispredicted(), 100u);
  EXPECT_NE(accesses.loads % 16, 0u);
  for (const std::uint64_t steps : {std::uint64_t{0}, std::uint64_t{5'000}, ~std::uint64_t{0}})
    for (const std::uint16_t runs : {0, 1, 30}) {
      SCOPED_TRACE(::testing::Message() << steps << " steps, translated after " << runs << " runs");
      renew_context();
      translated_runs = runs;
      const auto warm = warmed(steps);
      EXPECT_EQ(work.loads, accesses.loads);
      EXPECT_EQ(work.stores, accesses.stores);
      EXPECT_EQ(work.branches, branches.branches);
      EXPECT_EQ(work.taken, branches.taken);
      EXPECT_EQ(work.divisions, 0u);
      EXPECT_EQ(work.multiplications, 500u);
      EXPECT_EQ(work.fp_operations, 12u);
      EXPECT_EQ(work.mispredicted + warm->core.fetch().history().mispredicted(),
                detailed->core.fetch().history().mispredicted());
    }
}

TEST_F(WarmerTest, WarmsBySingleStepsAsByBlocks) {
  Words by_blocks, by_steps;
  copy_warm_state(*warmed(0), by_blocks);
  for (const std::uint64_t steps : {std::uint64_t{5'000}, ~std::uint64_t{0}}) {
    renew_context();
    copy_warm_state(*warmed(steps), by_steps);
    EXPECT_EQ(by_steps, by_blocks) << steps;
  }
}

TEST_F(WarmerTest, WarmsByTranslatedBlocksAsByHandlers) {
  Words by_handlers, by_code;
  copy_warm_state(*warmed(0), by_handlers);
  for (const std::uint16_t runs : {1, 30}) {
    renew_context();
    translated_runs = runs;
    copy_warm_state(*warmed(0), by_code);
    EXPECT_EQ(by_code, by_handlers) << runs;
  }
}

TEST_F(WarmerTest, RestoresAStateThatWasCopied) {
  Words state, restored;
  copy_warm_state(*warmed(0), state);
  renew_context();
  Nothing nothing;
  WiredCore core(machine, nothing, RunOptions{});
  core.run();
  set_warm_state(core, state);
  copy_warm_state(core, restored);
  EXPECT_EQ(restored, state);
  state.push_back(0);
  EXPECT_THROW(set_warm_state(core, state), UserError);
  state.resize(state.size() - 2);
  EXPECT_THROW(set_warm_state(core, state), UserError);
}

TEST(WarmState, IsTheSumOfItsDifferences) {
  const Words first(1000, 7);
  Words second = first;
  second[0] = 0, second[500] = ~std::uint64_t{0}, second[999] = 8;
  isa::trace::Bytes bytes;
  put_difference(bytes, first, second);
  EXPECT_LT(bytes.size(), 20u);
  Words words = first;
  isa::trace::Reader reader(bytes.data(), bytes.data() + bytes.size());
  apply_difference(reader, words);
  EXPECT_EQ(words, second);
}

}  // namespace
}  // namespace psim::pipeline
