// SPDX-License-Identifier: Apache-2.0
// Checks the dependence sets that the pipeline schedules by against execution: an instruction changes only
// its destinations, and these depend only on its sources.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "isa/exec/executor.h"
#include "isa/table/analyse.h"
#include "isa/table/disassemble.h"
#include "isa/table/spec.h"
#include "isa/table/testing/words.h"

namespace psim::isa {
namespace {

constexpr std::uint64_t kText = 0x100000, kNops = kText + 0x1000, kData = 0x3fe000, kDataEnd = 0x900000,
                        kLine = 64;
constexpr std::uint32_t kNop = 0x01000000;
using Values = std::array<std::uint64_t, reg::kCount>;

/// Returns true for rows outside the test: no result in the current window, or a result that depends on time.
bool left_out(const Spec& row) {
  const bool moves_window = row.flow == Flow::Save || row.flow == Flow::Restore || row.flow == Flow::Return ||
                            row.flow == Flow::FlushWindows;
  return moves_window || row.flow == Flow::Trap || (row.effects & (effect::kTraps | effect::kTimed)) != 0;
}

/// Continues after every trap.
class Bystander final : public Environment {
 public:
  bool software_trap(CpuState&, unsigned) override { return true; }
  bool fault(CpuState& state, const Fault&) override {
    faulted = true;
    state.pc = kNops, state.npc = kNops + 4;
    return true;
  }
  bool deadline(CpuState&) override { return true; }
  std::uint64_t tick(const CpuState&) override { return 0; }
  bool faulted = false;
};

class Machine {
 public:
  Machine() {
    memory_.map(kText, 1 << 20, kRead | kExecute);
    memory_.map(kData, kDataEnd - kData, kRead | kWrite);
    const std::uint32_t nops[] = {big_endian(kNop), big_endian(kNop)};
    memory_.copy_in(kNops, std::as_bytes(std::span(nops)), kMapped);
  }

  void set(const Values& values) {
    CpuState& state = executor_.state();
    for (unsigned n = 1; n < 32; ++n) state.r[n] = values[n];
    for (unsigned n = 0; n < 32; ++n)
      state.f[n] = values[reg::kFp + 2 * n] << 32 | values[reg::kFp + 2 * n + 1];
    state.set_cc({static_cast<std::uint8_t>(values[reg::kCcr] & 15),
                  static_cast<std::uint8_t>(values[reg::kCcr] >> 4)});
    std::uint64_t fsr = values[reg::kFcc] << 10;
    for (unsigned n = 1; n < 4; ++n) fsr |= values[reg::kFcc + n] << (30 + 2 * n);
    executor_.write_fsr(fsr);
    state.y = values[reg::kY], state.gsr = values[reg::kGsr];
    state.asi = static_cast<std::uint8_t>(values[reg::kAsi]),
    state.fprs = static_cast<std::uint8_t>(values[reg::kFprs]);
  }

  Values get() {
    Values values{};
    CpuState& state = executor_.state();
    for (unsigned n = 1; n < 32; ++n) values[n] = state.r[n];
    for (unsigned n = 0; n < 32; ++n) {
      values[reg::kFp + 2 * n] = state.f[n] >> 32, values[reg::kFp + 2 * n + 1] = state.f[n] & 0xffffffff;
    }
    values[reg::kCcr] = state.cc().byte();
    const std::uint64_t fsr = executor_.read_fsr();
    values[reg::kFcc] = fsr >> 10 & 3;
    for (unsigned n = 1; n < 4; ++n) values[reg::kFcc + n] = fsr >> (30 + 2 * n) & 3;
    values[reg::kY] = state.y, values[reg::kGsr] = state.gsr;
    values[reg::kAsi] = state.asi, values[reg::kFprs] = state.fprs;
    return values;
  }

  /// Executes `word` once; returns false if it trapped.
  bool execute(std::uint32_t word, InstructionRecord& record) {
    const std::uint32_t code[] = {big_endian(word), big_endian(kNop)};
    memory_.copy_in(kText, std::as_bytes(std::span(code)), kMapped);
    executor_.state().pc = kText, executor_.state().npc = kText + 4;
    environment_.faulted = false;
    return executor_.step(record, true) == Pull::Record && !environment_.faulted;
  }

  using Line = std::array<std::byte, kLine>;
  Line line(std::uint64_t address) {
    Line bytes{};
    memory_.copy_out(address & ~(kLine - 1), bytes);
    return bytes;
  }
  void fill(std::uint64_t address) {
    Line bytes;
    for (std::size_t n = 0; n < kLine; ++n) bytes[n] = static_cast<std::byte>(37 * n + 11);
    memory_.copy_in(address & ~(kLine - 1), bytes);
  }
  void fill() {
    for (std::uint64_t at = kData; at < kDataEnd; at += kLine) fill(at);
  }

 private:
  GuestMemory memory_;
  Bystander environment_;
  Executor executor_{memory_, environment_, FmaRounding::Fused};
};

std::uint64_t random_value(unsigned name, std::mt19937_64& random) {
  const std::uint64_t any = random();
  if (name < reg::kFp) return any;
  if (name < reg::kCcr) {  // halves of moderate doubles half the time, otherwise any value
    const bool high = (name - reg::kFp) % 2 == 0;
    return (high && (any & 1) != 0 ? 0x3ff00000 ^ (any >> 16 & 0x801fffff) : any) & 0xffffffff;
  }
  if (name == reg::kCcr) return any & 0xff;
  if (name < reg::kY) return any & 3;
  if (name == reg::kY) return any & 0xffffffff;
  if (name == reg::kGsr) return any & 0xffffffff000000ff;  // no interval mode: its writers are serial
  if (name == reg::kAsi) return (any & 1) != 0 ? 0x80 : 0x88;
  if (name == reg::kFprs) return 4 | (any & 3);
  return 0;
}

template <class List>
bool has(const List& list, unsigned count, unsigned name) {
  for (unsigned k = 0; k < count; ++k) {
    if (name >= list[k].first && name < list[k].first + list[k].count) return true;
  }
  return false;
}

TEST(Dependence, DestinationsAreAllThatChangesAndFollowFromTheSources) {
  std::mt19937 words(3);
  std::mt19937_64 random(4);
  Machine machine;
  machine.fill();
  std::size_t executed = 0;
  for (const Spec& spec : instructions()) {
    if (left_out(spec) || spec.manual.starts_with("PSIM")) continue;
    bool reached = false;
    for (int sample = 0; sample < 40; ++sample) {
      std::uint32_t word = testing::word_of(spec, words);
      const bool memory = (spec.effects & (effect::kLoad | effect::kStore)) != 0;
      if (memory && (word >> 13 & 1) != 0) word &= ~0x3fu | spec.pattern.mask;  // aligned displacement
      if (memory && (word >> 13 & 1) == 0 && (word & 0x1fe0 & ~spec.pattern.mask) != 0 && sample % 4 != 0) {
        word = (word & ~0x1fe0u) | 0x1000;  // mostly the primary space
      }
      const StaticInstruction instruction = analyse(word);
      if (instruction.spec != &spec) continue;  // a finer row
      const auto is_source = [&](unsigned n) { return has(instruction.source, instruction.sources, n); };
      const auto is_destination = [&](unsigned n) {
        return has(instruction.destination, instruction.destinations, n);
      };
      Values first{}, second{};
      for (unsigned n = 1; n < reg::kCount; ++n) {
        first[n] = n < reg::kFp ? 0x400000 + (random() % 1024) * 64 : random_value(n, random);
        second[n] = is_source(n) ? first[n] : random_value(n, random);
      }

      // With %asi, analyse() treats such a register as the first of a block.
      if (instruction.access_bytes == 64 && (word >> 13 & 1) != 0)
        first[reg::kAsi] = second[reg::kAsi] = 0xf0;

      InstructionRecord one, other;
      machine.set(first);
      if (!machine.execute(word, one)) continue;
      const Values result = machine.get();
      const auto stored = machine.line(one.address);
      machine.fill(one.address);
      ++executed, reached = true;
      for (unsigned n = 1; n < reg::kCount; ++n) {
        if (n == reg::kFsr || n == reg::kFprs) continue;  // accrued flags and dirty bits impose no order
        ASSERT_TRUE(result[n] == first[n] || is_destination(n))
            << disassemble(word, kText) << " changes register name " << n;
      }

      machine.set(second);
      ASSERT_TRUE(machine.execute(word, other)) << disassemble(word, kText) << " traps by what is no source";
      const Values again = machine.get();
      for (unsigned n = 1; n < reg::kCount; ++n) {
        if (!is_destination(n)) continue;
        ASSERT_EQ(result[n], again[n])
            << disassemble(word, kText) << ": register name " << n << " depends on more than the sources";
      }
      ASSERT_EQ(one.address, other.address) << disassemble(word, kText);
      ASSERT_EQ(one.taken, other.taken) << disassemble(word, kText);
      ASSERT_EQ(one.target, other.target) << disassemble(word, kText);
      ASSERT_EQ(stored, machine.line(one.address)) << disassemble(word, kText) << " stores another datum";
      machine.fill(one.address);
    }
    EXPECT_TRUE(reached) << spec.name << " " << spec.pattern.text << " never ran";
  }
  EXPECT_GT(executed, 10000u);
}

}  // namespace
}  // namespace psim::isa
