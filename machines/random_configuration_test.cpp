// SPDX-License-Identifier: Apache-2.0
// Every configuration that the schema accepts runs a program to its end. Values are drawn for all keys of a
// machine, including extremes, and a program that uses every part of the core runs on each.
//
// For other draws: --gtest_random_seed=N.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "base/config/setting.h"
#include "base/statistics/registry.h"
#include "guest/live_source.h"
#include "guest/process.h"
#include "isa/assembler/assembler.h"
#include "machines/machine.h"
#include "pipeline/testing/systemc_test.h"
#include "pipeline/wired_core.h"

namespace psim {
namespace {

constexpr std::uint64_t kWindowMark = 0x0102'0304'0506'0708;  ///< stands for the address of the data window

/// Returns the text of a program for a core with or without PEs. Its exit status is a checksum.
std::string drawn_program_text(bool simd) {
  std::string text = R"(
        .global _start
_start: set     pages, %g2
        clr     %l7
)";
  // Loads and stores over 20 pages, more than a small TLB holds, independent of each other.
  const auto pages = [&text](int first, const char* what) {
    for (int i = 0; i < 10; ++i)
      text += fmt::format("        set pages + {}, %o{}\n        {}\n", (first + i) * 8200, i % 6,
                          fmt::format(fmt::runtime(what), fmt::arg("o", i % 6)));
  };
  pages(0, "stx %o{o}, [%o{o}]");
  pages(0, "ldx [%o{o}], %l{o}");
  pages(10, "prefetch [%o{o}], #n_reads");
  pages(3, "stw %o{o}, [%o{o} + 64]");
  pages(10, "ldx [%o{o}], %l{o}");
  text += "        add %l1, %l2, %l7\n        add %l4, %l7, %l7\n";
  // Chains through memory: loads of a whole store, of part of one, and of more than one.
  for (int i = 0; i < 4; ++i)
    text += fmt::format(R"(
        add     %l7, {0}, %l7
        stx     %l7, [%g2 + {1}]
        ldx     [%g2 + {1}], %l0
        lduw    [%g2 + {1} + 4], %l1
        stw     %l1, [%g2 + {1} + 8]
        stw     %l0, [%g2 + {1} + 12]
        ldx     [%g2 + {1} + 8], %l2
        xor     %l2, %l7, %l7
)",
                        i + 1, 16 * i);
  // Arithmetic of every unit, pipelined or not.
  text += R"(
        mulx    %l7, 77, %l0
        udivx   %l0, 13, %l1
        mulx    %l1, %l1, %l2
        add     %l7, %l2, %l7
        and     %l7, 0xff, %l3
        stx     %l3, [%g2]
        ldd     [%g2], %f0
        fxtod   %f0, %f2
        faddd   %f2, %f2, %f4
        fmuld   %f4, %f2, %f6
        fsqrtd  %f6, %f8
        fdivd   %f6, %f4, %f10
        fadds   %f1, %f1, %f3
        fdivs   %f3, %f3, %f5
        fmaddd  %f2, %f4, %f6, %f18
        alignaddr %g2, %l3, %o5
        faligndata %f2, %f4, %f20
        fxor    %f20, %f2, %f20
        fxtoq   %f0, %f24
        faddq   %f24, %f24, %f28
        fqtod   %f28, %f22
        faddd   %f22, %f18, %f18
        std     %f18, [%g2 + 16]
        ldd     [%g2 + 16], %o4
        add     %l7, %o5, %l7
        faddd   %f10, %f8, %f12
        fcmpd   %fcc0, %f12, %f4
        fbl     %fcc0, 1f
        fdtox   %f12, %f14
        add     %l7, 5, %l7
1:      std     %f14, [%g2 + 8]
        ldx     [%g2 + 8], %l0
        add     %l7, %l0, %l7
)";
  // Ordering, atomics, blocks, code.
  text += R"(
        membar  #StoreLoad
        add     %g2, 128, %o0
        mov     3, %o1
        swap    [%o0], %o1
        cas     [%o0], %g0, %o1
        ldstub  [%o0 + 9], %o2
        casx    [%o0], %g0, %o1
        membar  #Sync
        stda    %f0, [%o0] #ASI_BLK_P
        ldda    [%o0] #ASI_BLK_P, %f16
        stb     %l7, [%g2 + 63]
        prefetch [%g2 + 4000], #one_write
        set     _start, %o3
        flush   %o3
        rd      %tick, %o4
        wr      %g0, 0x80, %asi
)";
  // Branches on the bits of random numbers, and a call.
  text += R"(
        mov     24, %l0
        set     12345, %l1
2:      mulx    %l1, 69, %l1
        add     %l1, 5, %l1
        btst    0x40, %l1
        be,a    %icc, 3f
        add     %l7, 3, %l7
        btst    0x80, %l1
        bne     %icc, 3f
        add     %l7, 1, %l7
        stx     %l7, [%g2 + 256]
        ldx     [%g2 + 256], %l7
3:      subcc   %l0, 1, %l0
        bne     %icc, 2b
        nop
        mov     11, %o0
        call    down
        mov     %l7, %o1
        add     %l7, %o0, %l7
)";
  if (simd)
    text += R"(
        set     window, %l0
        ldx     [%l0], %l0
        set     transfer, %l1
        sbmget  [%l1]
        sbmsync 2
        simd_on
        ldd     [%l0], %f0
        ldd     [%l0 + 8], %f2
        ldd     [%g2], %f4
        fpeid   %f8
        fxtod   %f8, %f8
        faddd   %f8, %f2, %f8
        fmuld   %f8, %f8, %f6
        faddd   %f6, %f0, %f6
        std     %f6, [%l0 + 64]
        ldd     [%l0 + 64], %f10
        ldda    [%l0] #ASI_BLK_P, %f16
        stda    %f16, [%l0] #ASI_BLK_P
        faddd   %f10, %f10, %f12
        fcmpd   %fcc1, %f12, %f12
        fbe     %fcc1, 4f
        nop
        add     %l7, 1, %l7
4:      stx     %l7, [%l0 + 72]
        ldx     [%l0 + 72], %l2
        simd_off
        add     %l7, %l2, %l7
        fsumd   %f12, %f14
        fdtox   %f14, %f14
        std     %f14, [%g2 + 512]
        set     transfer + 48, %l1
        sbmput  [%l1]
        sbmsync 4
        ldx     [%g2 + 512], %l0
        add     %l7, %l0, %l7
)";
  text += R"(
        srlx    %l7, 7, %o0
        xor     %o0, %l7, %o0
        and     %o0, 0x7f, %o0
        mov     188, %g1
        ta      0x6d
down:   save    %sp, -176, %sp
        subcc   %i0, 1, %o0
        be      %icc, 5f
        add     %i1, 7, %o1
        call    down
        nop
        mov     %o0, %o1
5:      ret
        restore %o1, 1, %o0
        .data
        .align 8
window: .xword 0x0102030405060708
transfer:
        .xword pages, 24, 256
        .word 0, 64, 24, 3, 3, 1
        .xword pages + 65536, 64, 128
        .word 64, 64, 16, 2, 3, 2
        .bss
        .align 64
pages:  .skip 262144
)";
  return text;
}

/// Returns the text of a program of loops drawn by `seed`: their bodies load, store to bytes that may be
/// loaded soon, branch on data, call, and compute.
std::string drawn_loops_text(unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&random](std::initializer_list<int> of) { return *(of.begin() + random() % of.size()); };
  std::string text = R"(
        .global _start
_start: set     pages, %g2
        clr     %l7
        clr     %g4
outer:
)";
  for (int loop = 0; loop < 3; ++loop) {
    text += fmt::format("        set     {}, %l0\n        clr     %l1\n", draw({7, 60, 300}));
    text += fmt::format("loop{}:\n", loop);
    for (int i = 0; i < 6; ++i) {
      const int offset = draw({0, 8, 64, 4096});
      switch (random() % 8) {
        case 0:
          text +=
              fmt::format("        and     %l1, 0x1ff, %o0\n        sllx    %o0, {}, %o0\n", draw({3, 4, 6}));
          text +=
              fmt::format("        add     %o0, %g2, %o0\n        ldx     [%o0 + {}], %l2\n", offset & 0xfff);
          break;
        case 1:
          text += fmt::format("        stx     %l7, [%g2 + {}]\n", 8 * draw({0, 1, 5}));
          break;
        case 2:
          text += fmt::format("        lduw    [%g2 + {}], %l3\n        add     %l7, %l3, %l7\n",
                              4 * draw({0, 1, 2, 11}));
          break;
        case 3:
          text += fmt::format(
              "        andcc   %l7, {}, %g0\n        bne     skip{}_{}\n        add     %l7, %l1, %l7\n"
              "        xor     %l7, %l2, %l7\nskip{}_{}:\n",
              draw({1, 3, 15}), loop, i, loop, i);
          break;
        case 4:
          text +=
              "        mulx    %l7, 77, %l7\n        srlx    %l7, 3, %l4\n        add     %l7, %l4, %l7\n";
          break;
        case 5:
          text += "        call    deep\n        mov     4, %o0\n";
          break;
        case 6:
          text += "        fmuld   %f2, %f4, %f6\n        faddd   %f6, %f2, %f2\n";
          break;
        default:
          text += fmt::format("        stb     %l1, [%g2 + {}]\n        prefetch [%g2 + %l1], #n_reads\n",
                              draw({3, 9}));
      }
    }
    text += fmt::format(
        "        add     %l1, {}, %l1\n        subcc   %l0, 1, %l0\n        bne     loop{}\n        nop\n",
        draw({1, 3, 64}), loop);
  }
  return text + R"(
        add     %g4, 1, %g4
        cmp     %g4, 5
        bl      outer
        nop
        mov     188, %g1
        and     %l7, 63, %o0
        ta      0x6d
deep:   save    %sp, -176, %sp
        cmp     %i0, 0
        be      deepest
        nop
        call    deep
        sub     %i0, 1, %o0
deepest:
        ret
        restore %i0, 1, %o0
        .bss
        .align 64
pages:  .skip 65536
)";
}

struct ProgramImage {
  explicit ProgramImage(bool simd) : ProgramImage(drawn_program_text(simd)) {}
  explicit ProgramImage(const std::string& text)
      : file(isa::assembler::executable(isa::assembler::assemble(text))) {}
  isa::ElfImage image(std::uint64_t window) const {
    std::vector<std::byte> bytes(file.size());
    std::memcpy(bytes.data(), file.data(), file.size());
    const auto big_endian = [](std::uint64_t value) {
      std::array<std::byte, 8> b{};
      for (std::size_t i = 0; i < 8; ++i) b[i] = static_cast<std::byte>(value >> (56 - 8 * i));
      return b;
    };
    const auto mark = big_endian(kWindowMark), address = big_endian(window);
    const auto position = std::search(bytes.begin(), bytes.end(), mark.begin(), mark.end());
    if (position != bytes.end()) std::copy(address.begin(), address.end(), position);
    return isa::parse_elf("guest", std::move(bytes));
  }
  std::string file;
};

struct Ending {
  int status;
  std::uint64_t instructions;
  bool operator==(const Ending&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Ending& ending) {
  return out << "status " << ending.status << " after " << ending.instructions << " instructions";
}

isa::ProcessOptions process_options(const Machine& machine, bool timed) {
  isa::ProcessOptions options;
  options.arguments = {"guest"};
  options.simd = machine.simd;
  options.cycles_per_second = static_cast<std::uint64_t>(machine.core.clock_hz);
  options.timed = timed;
  return options;
}

Ending functional(const ProgramImage& guest, const Machine& machine) {
  isa::Process process(guest.image(machine.simd.data_window), process_options(machine, false));
  process.run(1'000'000);
  return {process.ending() ? process.ending()->code + 1000 * process.ending()->by_signal : -1,
          process.instructions()};
}

/// Checks that each instruction passes its stages in order of time.
struct StageOrder final : pipeline::CoreObserver {
  void on_leave(const pipeline::InstructionTimeline& timeline) override {
    std::uint64_t last = 0;
    for (const pipeline::StageEvent& event : timeline.stages) {
      EXPECT_LE(last, event.cycle);
      EXPECT_LT(event.cycle, timeline.end);
      last = event.cycle;
    }
  }
};

pipeline::Totals simulate(const ProgramImage& guest, const Machine& machine, pipeline::RunOptions options,
                          bool observed, Ending& ending) {
  isa::Process process(guest.image(machine.simd.data_window), process_options(machine, true));
  isa::LiveSource live(process);
  pipeline::WiredCore simulation(machine, live, options);
  StageOrder observer;
  if (observed) {
    simulation.core.attach(observer);
    simulation.core.count_activity();
  }
  simulation.run();
  EXPECT_TRUE(simulation.core.finished());
  ending = {process.ending() ? process.ending()->code + 1000 * process.ending()->by_signal : -1,
            simulation.core.totals().instructions};
  return simulation.core.totals();
}

/// Returns every count of a run: cycles, CPI stack, statistics, activity.
std::vector<std::uint64_t> counts(const ProgramImage& guest, const Machine& machine,
                                  pipeline::RunOptions options, bool active, std::uint64_t& repeated) {
  isa::Process process(guest.image(machine.simd.data_window), process_options(machine, true));
  isa::LiveSource live(process);
  pipeline::WiredCore simulation(machine, live, options);
  if (active) simulation.core.count_activity();
  statistics::Registry registry;
  simulation.register_statistics(registry);
  simulation.run();
  const pipeline::Totals totals = simulation.core.totals();
  std::vector<std::uint64_t> all{totals.cycles, totals.instructions, totals.flops};
  all.insert(all.end(), totals.cpi.begin(), totals.cpi.end());
  const statistics::Snapshot snapshot = registry.snapshot(statistics::Registry::Detail::Buckets);
  all.insert(all.end(), snapshot.totals.begin(), snapshot.totals.end());
  all.insert(all.end(), snapshot.buckets.begin(), snapshot.buckets.end());
  const pipeline::Activity activity = simulation.activity();
  std::vector<std::uint64_t> words(sizeof activity / sizeof(std::uint64_t));
  std::memcpy(words.data(), &activity, sizeof activity);
  all.insert(all.end(), words.begin(), words.end());
  repeated += simulation.core.repeated_instructions();
  return all;
}

/// Draws a value for every key of a machine, and again for those that break a rule between keys.
class Draw {
 public:
  Draw(Machine& machine, unsigned seed) : schema_(machine.schema), random_(seed) {}
  void run() {
    for (const Field& field : schema_.fields()) draw(field);
    for (unsigned round = 0; !repaired(); ++round) {
      ASSERT_LT(round, 400u) << ::testing::PrintToString(problems_);
      for (const std::string& line : problems_) redraw(line, round);
    }
  }
  /// Returns the drawn machine as command-line options.
  std::string text() const {
    std::string all;
    for (const Field& field : schema_.fields())
      if (field.text() != field.default_text && !field.key.starts_with("energy."))
        all += fmt::format(" --set '{}={}'", field.key, field.text());
    return all;
  }

 private:
  double position() {
    switch (random_() % 8) {
      case 0:
        return 0;
      case 1:
        return 1;
      default:
        return static_cast<double>(random_()) / static_cast<double>(random_.max());
    }
  }
  void set(const Field& field, std::string value) {
    ASSERT_EQ(field.set(setting(field, std::move(value))), "") << field.key;
  }
  void draw(const Field& field) { set(field, field.example(position())); }
  bool repaired() {
    Problems problems;
    schema_.apply({}, problems);
    problems_ = problems.lines();
    return problems_.empty();
  }
  /// Redraws the keys of a broken rule, which `line` names.
  void redraw(const std::string& line, unsigned round) {
    std::vector<const Field*> keys;
    for (const Field& field : schema_.fields()) {
      const std::size_t at = line.find(field.key);
      if (at == std::string::npos) continue;
      const char next = at + field.key.size() < line.size() ? line[at + field.key.size()] : ' ';
      if (next == ' ' || next == ':') keys.push_back(&field);
    }
    ASSERT_FALSE(keys.empty()) << line;
    const std::string table = keys[0]->key.substr(0, keys[0]->key.rfind('.') + 1);
    switch (round % 8) {
      case 6:  // all equal
        for (const Field* field : keys) field->set(setting(*field, keys[0]->text()));
        break;
      case 7:  // what else the table has, as it comes; in the end, as it was
        for (const Field& field : schema_.fields()) {
          if (!field.key.starts_with(table) || field.key.find('.', table.size()) != std::string::npos)
            continue;
          round < 40 ? draw(field) : set(field, field.default_text);
        }
        break;
      default: {
        const Field& field = *keys[random_() % keys.size()];
        draw(field);
        // Capacities are products of small numbers and a power of two.
        if (random_() % 2) odd_times_power(field);
      }
    }
  }
  Setting setting(const Field& field, std::string value) const {
    return {.key = field.key, .value = std::move(value), .kind_name = {}, .origin = {}};
  }
  void odd_times_power(const Field& field) {
    const std::string text = field.text();
    const std::size_t unit = text.find_first_not_of("0123456789");
    if (unit == 0) return;
    const std::uint64_t odd = 1 + random_() % 32, power = std::uint64_t{1} << random_() % 33;
    std::uint64_t value = odd * power;
    if (unit == std::string::npos && random_() % 2) value = std::stoull(text) & ~(power - 1);  // an address
    field.set(setting(field, std::to_string(value) + (unit == std::string::npos ? "" : " B")));
  }

  Schema& schema_;
  std::mt19937 random_;
  std::vector<std::string> problems_;
};

constexpr unsigned kShards = 10, kDraws = 50;  ///< 500 in all

class RandomConfiguration : public pipeline::testing::SystemCTest,
                            public ::testing::WithParamInterface<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Machine, RandomConfiguration, ::testing::Range(0u, kShards));

TEST_P(RandomConfiguration, RunsToTheEnd) {
  const ProgramImage scalar(false), simd(true);
  for (unsigned i = 0; i < kDraws; ++i) {
    const unsigned seed =
        (static_cast<unsigned>(GTEST_FLAG_GET(random_seed)) * kShards + GetParam()) * kDraws + i;
    Machine machine;
    Draw draw(machine, seed);
    draw.run();
    SCOPED_TRACE(fmt::format("seed {}:{}", seed, draw.text()));
    ASSERT_FALSE(HasFatalFailure());
    const ProgramImage& guest = machine.simd.pes ? simd : scalar;
    Ending ending{};
    renew_context();
    pipeline::Totals totals;
    ASSERT_NO_THROW(totals = simulate(guest, machine, {}, i % 4 == 0, ending));
    EXPECT_EQ(ending, functional(guest, machine));
    EXPECT_LT(ending.status, 128);
    EXPECT_EQ(std::accumulate(totals.cpi.begin(), totals.cpi.end(), std::uint64_t{0}), totals.cycles);
    if (HasFailure()) return;
    if (totals.cycles > 60'000) continue;
    renew_context();
    pipeline::Totals stepped;
    ASSERT_NO_THROW(stepped = simulate(guest, machine, {.skip_idle = false, .interval = 777}, false, ending));
    EXPECT_EQ(stepped.cycles, totals.cycles);
    EXPECT_EQ(stepped.cpi, totals.cpi);
  }
}

TEST_P(RandomConfiguration, RepeatsStretchesWithEqualCounts) {
  std::uint64_t none = 0, repeated = 0;
  for (unsigned i = 0; i < kDraws / 5; ++i) {
    const unsigned seed =
        (static_cast<unsigned>(GTEST_FLAG_GET(random_seed)) * kShards + GetParam()) * kDraws + i;
    const ProgramImage guest(drawn_loops_text(seed));
    Machine machine;
    Draw draw(machine, seed);
    if (i % 5 != 0) draw.run();
    ASSERT_FALSE(HasFatalFailure());
    const pipeline::RunOptions plain{.interval = i % 3 == 0 ? 1777u : 0u};
    pipeline::RunOptions memoized = plain;
    memoized.memoize = true;
    renew_context();
    const std::vector<std::uint64_t> expected = counts(guest, machine, plain, i % 2 == 0, none);
    renew_context();
    const std::vector<std::uint64_t> actual = counts(guest, machine, memoized, i % 2 == 0, repeated);
    const auto other = std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end()).first;
    EXPECT_EQ(actual, expected) << "first of them: number " << other - expected.begin() << " of "
                                << expected.size() << "; seed " << seed << ":" << draw.text() << "\n"
                                << drawn_loops_text(seed);
    if (HasFailure()) return;
  }
  EXPECT_EQ(none, 0u);
  EXPECT_GT(repeated, 0u);
}

}  // namespace
}  // namespace psim
