// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/error.h"
#include "base/statistics/print.h"
#include "cosim/cosim_run.h"
#include "isa/assembler/assembler.h"
#include "pipeline/testing/late_memory.h"
#include "pipeline/testing/systemc_test.h"

namespace psim {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Node 0 dirties the first line of data, lets node 1 begin to poll, and starts `kind` (1 put, 2 get). The
/// node that gets the data waits for the flag, and exits with 0 if the first word is there.
constexpr char kProgram[] = R"(
        .equ    kind, {0}
        .equ    bytes, {1}
        .section .data
        .align  64
data:   .skip   8192
        .align  64
flag:   .xword  0
        .align  64
        .text
        .global _start
_start: ldx     [%sp + 2047 + 152], %l0         ! the environment's first: "PSIM_NODE=n"
        ldub    [%l0 + 10], %l0
        sub     %l0, '0', %l0
        set     data, %l1
        set     flag, %l2
        setx    0xf000000000, %g1, %l3
        set     12345, %l4
        cmp     %l0, kind - 1                   ! who has the data
        bne     1f
        nop
        stx     %l4, [%l1]
1:      brnz    %l0, second
        nop
        set     20000, %o0
1:      brnz    %o0, 1b
        dec     %o0
        .rept   {2}
        add     %l5, 1, %l5
        .endr
        stx     %l1, [%l3]
        stx     %l1, [%l3 + 8]
        set     bytes, %o1
        stx     %o1, [%l3 + 16]
        mov     1, %o0
        stx     %o0, [%l3 + 24]                 ! peer
        stx     %o0, [%l3 + 32]                 ! value
        mov     kind, %o1
        cmp     %o1, 1
        bne     get
        nop
        stx     %l2, [%l3 + 48]                 ! notify
        membar  #Sync
        stx     %o1, [%l3 + 56]
        ba      done
        mov     0, %o0
get:    stx     %l2, [%l3 + 40]                 ! done
        membar  #Sync
        stx     %o1, [%l3 + 56]
        ba      wait
        nop
second: mov     kind, %o1
        cmp     %o1, 1
        bne     done
        mov     0, %o0
wait:   ldx     [%l2], %o1
        brz     %o1, wait
        nop
        ldx     [%l1], %o0
        sub     %o0, %l4, %o0
done:   mov     1, %g1
        ta      0x6d
)";

class CosimTest : public pipeline::testing::SystemCTest {
 protected:
  CosimTest() : directory_(fs::temp_directory_path() / fmt::format("psim_cosim_{}", ::getpid())) {
    fs::create_directories(directory_);
  }
  ~CosimTest() override { fs::remove_all(directory_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ / name) << text;
    return (directory_ / name).string();
  }
  /// Returns a scenario that runs `program`.
  std::string scenario(const std::string& program) {
    write("program", isa::assembler::executable(isa::assembler::assemble(program)));
    return write("scenario.toml", "nodes = 2\nprogram = \"program\"\n");
  }
  CosimResult run(const std::string& program, const std::vector<std::string>& sets = {}) {
    Progress silent(true);
    return run_cosim(*load_scenario(scenario(program), sets), guest_, 1, silent);
  }
  static std::map<std::string, std::uint64_t> parts(const cosim::Operation& operation) {
    return {operation.parts.begin(), operation.parts.end()};
  }

  fs::path directory_;
  GuestOptions guest_;
};

std::string program(int kind, int bytes, int delay = 0) { return fmt::format(kProgram, kind, bytes, delay); }

// The values of the machines sparc64v and torus3d, and of [interface]; cycles are of 500 ps.
constexpr std::uint64_t kCycle = 500, kTick = 1, kLine = 64, kHeader = 64;
constexpr std::uint64_t kBus = 16'000'000'000, kChannel = 5'000'000'000;  // bytes per second
constexpr std::uint64_t kMemory = 120 * kCycle;

std::uint64_t bus(std::uint64_t bytes) { return bytes * 1'000'000'000'000 / kBus; }
std::uint64_t channel(std::uint64_t bytes) { return bytes * 1'000'000'000'000 / kChannel; }
/// Returns the time of a read. The first line is dirty and is written back. Then the lines follow each other
/// on the bus; the last one adds its latency, which includes its time there.
std::uint64_t dma_read(std::uint64_t bytes) {
  return bus(kLine) + (bytes / kLine - 1) * bus(kLine) + kMemory;
}
/// Returns the time of a write: the data, then the flag; each becomes visible a tick later.
std::uint64_t dma_write(std::uint64_t bytes) { return bus(bytes) + kTick + bus(8) + kTick; }
/// Two routers (10 + 10 + 10 + 65 ns), the cable between them and those to both interfaces (5 ns).
constexpr std::uint64_t kRouters = 2 * 95'000 + 3 * 5'000;

/// Returns the time at which the load that sees a flag commits. Polls begin at `phase`; the flag has been
/// written at `written`. The loop (load, branch, nop) begins every 3 cycles; an instruction has its IA 9
/// cycles before X. The line leaves the caches when the flag's write begins. The first poll whose X comes
/// then or later misses L1 and L2: 4 + 20 + 120 cycles, then Rs, U, W. The poll that sees the flag is the
/// first whose IA comes when it is written. It waits for the same line and commits after the polls between,
/// four instructions per cycle.
std::uint64_t seen(std::uint64_t written, std::uint64_t phase) {
  const auto cycle = [](std::uint64_t time) { return (time + kCycle - 1) / kCycle; };
  const auto poll_from = [&](std::uint64_t c) { return c + (3 + phase - c % 3) % 3; };
  const std::uint64_t misses = poll_from(cycle(written - bus(8) - kTick) - 9),
                      sees = poll_from(cycle(written));
  return (misses + 9 + 144 + 3 + (sees - misses) / 4) * kCycle;
}

TEST_F(CosimTest, APutTakesAsLongAsItsPartsByHand) {
  for (const int delay : {0, 5}) {
    const CosimResult result = run(program(1, 1024, delay));
    ASSERT_EQ(result.operations.size(), 1u);
    const cosim::Operation& put = result.operations[0];
    EXPECT_TRUE(put.ended);
    const std::uint64_t written =
        put.begun + 50'000 + dma_read(1024) + 200'000 + channel(1024 + kHeader) + kRouters + dma_write(1024);
    std::vector<std::pair<std::string, std::uint64_t>> parts{
        {"store to doorbell", 50'000},       {"dma read", dma_read(1024)}, {"setup", 200'000},
        {"packet", channel(1024 + kHeader)}, {"routers", kRouters},        {"dma write", dma_write(1024)}};
    if (delay == 0) {
      // The begin of the receiver's polls cannot be derived by hand: it is one of three cycles.
      std::uint64_t phase = 0;
      while (phase < 2 && seen(written, phase) != put.at) ++phase;
      parts.emplace_back("poll", seen(written, phase) - written);
    } else {
      // At another time within the loop: a line from memory, and at most the polls under way.
      ASSERT_FALSE(put.parts.empty());
      EXPECT_GE(put.parts.back().second, (144 + 3) * kCycle);
      EXPECT_LE(put.parts.back().second, (144 + 3 + 8) * kCycle);
      parts.emplace_back("poll", put.parts.back().second);
    }
    EXPECT_EQ(put.parts, parts) << delay;
    EXPECT_EQ(result.nodes[0].ending().code, 0);
    EXPECT_EQ(result.nodes[1].ending().code, 0) << "the data are not there with the flag";
    EXPECT_EQ(result.messages, 2u);  // data, answer
    renew_context();
  }
}

// A poll that misses after the line has left the caches waits for memory. In a machine it sees the flag. Here
// its value is that of its IA, 9 cycles before, so that a later poll sees the flag, which commits after those
// between.
TEST_F(CosimTest, APollSeesAFlagAtMostThreeCyclesLate) {
  std::set<std::uint64_t> found;
  for (int delay = 0; delay < 9; ++delay) {
    const CosimResult result = run(program(1, 64, delay));
    ASSERT_EQ(result.operations.size(), 1u);
    const cosim::Operation& put = result.operations[0];
    const std::uint64_t written =
        put.begun + 50'000 + dma_read(64) + 200'000 + channel(64 + kHeader) + kRouters + dma_write(64);
    // The line leaves at this time, the next X of a poll is at most 2 cycles later, 144 cycles after it the
    // line comes, then Rs, U, W. The error: at most 9 cycles from IA to X, 2 of the flag's write and 2 until
    // the next IA lie between the two polls, with four instructions per cycle.
    const std::uint64_t leaves = (written - bus(8) - kTick + kCycle - 1) / kCycle, at = put.at / kCycle;
    const std::uint64_t least = leaves + 144 + 3, error = (9 + 2 + 2) / 4;
    EXPECT_GE(at, least) << delay;
    EXPECT_LE(at, least + 2 + error) << delay;
    found.insert(at - least);
    renew_context();
  }
  EXPECT_GT(found.size(), 1u) << "the delays do not move the polls";
}

TEST_F(CosimTest, CoresAndDmaOfEachNodeUseAMemoryModelOfTheirOwn) {
  const auto plugged = load_scenario(scenario(program(1, 1024)), {});
  int made = 0;
  plugged->node.make_memory = [&](const sc_core::sc_module_name& name, const pipeline::MemoryConfig&,
                                  const sc_core::sc_time&) {
    ++made;
    return std::make_unique<pipeline::testing::LateMemory>(name);
  };
  Progress silent(true);
  const CosimResult result = run_cosim(*plugged, guest_, 1, silent);
  EXPECT_EQ(made, 2);
  ASSERT_EQ(result.operations.size(), 1u);
  // This memory has no bus: all lines are read, and written, in 60 ns.
  const auto took = parts(result.operations[0]);
  EXPECT_EQ(took.at("dma read"), 60'000u);
  EXPECT_EQ(took.at("dma write"), 2 * (60'000 + kTick)) << "data, then the flag";
  EXPECT_EQ(result.nodes[1].ending().code, 0) << "the data are not there with the flag";
}

// The wait loop of kProgram with wr %mwait. Instructions are fetched in rows of eight. The first wait times
// out, so that caches and branch prediction have the loop.
constexpr char kSleep[] = R"(wait:   mov     100, %g2
        .align  64
again:  ldxa    [%l2] 0x84, %o1
        brnz    %o1, seen
        nop
        wr      %g2, 0, %mwait
        sub     %g0, 1, %g2                     ! the next wait is for ever
        .rept   11
        nop
        .endr
        ba      again                           ! the third row
        nop
seen:
)";

TEST_F(CosimTest, AWriteToTheMonitoredLineWakesTheCoreInTheNextCycle) {
  std::string text = program(1, 1024);
  const std::size_t begin = text.find("wait:   ldx"), end = text.find("        ldx     [%l1], %o0");
  text.replace(begin, end - begin, kSleep);
  const CosimResult result = run(text);
  ASSERT_EQ(result.operations.size(), 1u);
  const cosim::Operation& put = result.operations[0];
  EXPECT_TRUE(put.ended);
  const std::uint64_t written =
      put.begun + 50'000 + dma_read(1024) + 200'000 + channel(1024 + kHeader) + kRouters + dma_write(1024);
  // The line leaves L1 when the flag's write begins, at `written` - bus(8) - kTick. The core fetches from the
  // next cycle on: the rest of the first row, the second row, the branch two cycles later; and three cycles
  // after that, as in the loop of kProgram, its target: the load. The flag is there, and the load misses.
  const std::uint64_t wakes = (written - bus(8) - kTick) / kCycle + 1;
  EXPECT_EQ(put.at, (wakes + 2 + 3 + 9 + 144 + 3) * kCycle);
  EXPECT_EQ(result.nodes[1].ending().code, 0) << "the data are not there with the flag";
  EXPECT_LT(result.nodes[1].instructions, 100u) << "polls would be thousands";
}

TEST_F(CosimTest, AGetRequestsFirstAndNeedsNoProgramAtTheOtherEnd) {
  const CosimResult result = run(program(2, 4096));
  ASSERT_EQ(result.operations.size(), 1u);
  const cosim::Operation& get = result.operations[0];
  EXPECT_TRUE(get.ended);
  auto parts = get.parts;
  ASSERT_FALSE(parts.empty());
  EXPECT_EQ(parts.back().first, "poll");
  // From the line on its way to W; the phase of the loop is worth two cycles, its length at X six.
  EXPECT_GE(parts.back().second, (144 + 3) * kCycle);
  EXPECT_LE(parts.back().second, (144 + 3 + 8) * kCycle);
  parts.pop_back();
  // Three packets of 2,048, 2,048 and 64 bytes follow each other on every channel.
  const std::vector<std::pair<std::string, std::uint64_t>> by_hand{
      {"store to doorbell", 50'000},         {"request: setup", 200'000},
      {"request: packet", channel(kHeader)}, {"request: routers", kRouters},
      {"dma read", dma_read(4096)},          {"setup", 200'000},
      {"packet", channel(4096 + kHeader)},   {"routers", kRouters},
      {"dma write", dma_write(4096)}};
  EXPECT_EQ(parts, by_hand);
  EXPECT_EQ(result.nodes[0].ending().code, 0) << "the data are not there with the flag";
}

TEST_F(CosimTest, ASlowerPartIsSlowerByThatMuch) {
  const CosimResult result = run(program(1, 64), {"interface.doorbell=70 ns", "interface.setup=300 ns",
                                                  "router.traversal=75 ns", "memory.latency=150 cycles"});
  const auto put = parts(result.operations.at(0));
  EXPECT_EQ(put.at("store to doorbell"), 70'000u);
  EXPECT_EQ(put.at("setup"), 300'000u);
  EXPECT_EQ(put.at("routers"), kRouters + 2 * 10'000);
  EXPECT_EQ(put.at("dma read"), dma_read(64) + 30 * kCycle);
}

/// Both nodes compute in loops, on data and at addresses of their own, and wait for each other's put.
constexpr char kExchanges[] = R"(
        .section .data
        .align  64
data:   .skip   8192
        .align  64
flag:   .xword  0
        .text
        .global _start
_start: ldx     [%sp + 2047 + 152], %l0
        ldub    [%l0 + 10], %l0
        sub     %l0, '0', %l0
        set     data, %l1
        set     flag, %l2
        setx    0xf000000000, %g1, %l3
        mov     1, %l6
again:  set     {0}, %o0
        mulx    %l0, 3, %o1
        add     %o0, %o1, %o0
1:      and     %o0, 0x3f, %o2
        sllx    %o2, 3, %o2
        ldx     [%l1 + %o2], %o3
        add     %o3, %o0, %o3
        xor     %o3, %l7, %l7
        stx     %o3, [%l1 + %o2]
        andcc   %l7, 7, %g0
        bne     2f
        nop
        mulx    %l7, 5, %l7
2:      brnz    %o0, 1b
        dec     %o0
        stx     %l1, [%l3]
        add     %l1, 2048, %o0
        stx     %o0, [%l3 + 8]
        mov     256, %o1
        stx     %o1, [%l3 + 16]
        xor     %l0, 1, %o0
        stx     %o0, [%l3 + 24]
        stx     %l6, [%l3 + 32]
        stx     %l2, [%l3 + 48]
        membar  #Sync
        mov     1, %o0
        stx     %o0, [%l3 + 56]
3:      ldx     [%l2], %o1
        cmp     %o1, %l6
        bne     %xcc, 3b
        nop
        cmp     %l6, 4
        bne     again
        inc     %l6
        mov     1, %g1
        mov     0, %o0
        ta      0x6d
)";

TEST_F(CosimTest, RepeatedStretchesChangeNoCountOfNodes) {
  for (const int loops : {60, 1000, 4000}) {
    for (const bool energy : {false, true}) {
      std::vector<std::string> counts;
      std::vector<std::vector<std::uint64_t>> times;
      std::vector<net::Parcel> joules(2);
      for (const bool memoize : {false, true}) {
        renew_context();
        const auto scenario = load_scenario(this->scenario(fmt::format(kExchanges, loops)), {});
        scenario->memoize = memoize;
        if (energy) scenario->measure_energy();
        Progress silent(true);
        const CosimResult result = run_cosim(*scenario, guest_, 1, silent);
        counts.push_back(statistics::to_text(result.statistics));
        if (memoize && loops >= 1000) {
          EXPECT_GT(result.repeated_instructions, result.instructions() / 4);
        }
        times.emplace_back();
        for (const NodeResult& node : result.nodes) {
          EXPECT_EQ(node.ending().code, 0);
          times.back().push_back(node.cycles), times.back().push_back(node.instructions);
        }
        for (const cosim::Operation& operation : result.operations) times.back().push_back(operation.at);
        for (const cosim::NodeAccount& node : result.energy) node.write(joules[memoize]);
      }
      EXPECT_EQ(times[0], times[1]) << loops;
      EXPECT_EQ(counts[0], counts[1]) << loops;
      EXPECT_EQ(joules[0].bytes(), joules[1].bytes()) << loops;
    }
  }
}

TEST_F(CosimTest, MistakesOfScenariosNameTheirLine) {
  const auto complaint = [&](const std::string& text) -> std::string {
    try {
      load_scenario(write("wrong.toml", text), {});
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  write("program", "");
  EXPECT_THAT(complaint("nodes = 2\nprogramm = \"program\"\n"),
              HasSubstr("wrong.toml:2: programm = \"program\": unknown key; did you mean program?"));
  EXPECT_THAT(complaint("nodes = 0\nprogram = \"program\"\n"), HasSubstr("wrong.toml:1: nodes = 0: "));
  EXPECT_THAT(complaint("nodes = 2\nprogram = \"none\"\n"),
              HasSubstr("wrong.toml:2: program = \"none\": no such file"));
  EXPECT_THAT(complaint("nodes = 2\n"), HasSubstr("program: is not set"));
  EXPECT_THAT(complaint("program = \"program\"\n[interface]\nsetup = \"90 ns\"\n"),
              HasSubstr("wrong.toml:3: interface.setup = 90000 ps; expected at least 100000 ps"));
  EXPECT_THAT(complaint("machine = \"sparc64w\"\nprogram = \"program\"\n"),
              HasSubstr("did you mean sparc64v?"));
}

TEST_F(CosimTest, MistakesOfProgramsNameTheNode) {
#ifdef PSIM_SANITIZED
  GTEST_SKIP()
      << "AddressSanitizer takes the stacks of SystemC's threads for this one's when an exception passes";
#endif
  const auto complaint = [&](const std::string& text) -> std::string {
    renew_context();
    try {
      run(text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  const std::string good = program(1, 64);
  const auto with = [&](const std::string& line, const std::string& other) {
    std::string text = good;
    const std::size_t at = text.find(line);
    EXPECT_NE(at, std::string::npos) << line;
    return text.replace(at, line.size(), other);
  };
  EXPECT_THAT(complaint(with(".equ    bytes, 64", ".equ    bytes, 0")),
              HasSubstr("node 0: the interface's number of bytes is 0; expected 1 to 16777216"));
  EXPECT_THAT(complaint(with("stx     %o1, [%l3 + 56]", "stx     %l4, [%l3 + 56]")),
              HasSubstr("node 0: the interface's doorbell is 12345; expected 1 to put or 2 to get"));
  EXPECT_THAT(complaint(with("stx     %l1, [%l3]", "stx     %l4, [%l3]")),
              HasSubstr("node 0: the interface cannot read 64 bytes at 0x3039"));
  EXPECT_THAT(complaint(with("stx     %l1, [%l3 + 8]", "stx     %l4, [%l3 + 8]")),
              HasSubstr("node 1: the interface cannot write 64 bytes at 0x3039"));
  EXPECT_THAT(complaint(with("stx     %l1, [%l3]", "stb     %l1, [%l3]")),
              HasSubstr("node 0: a store of 1 bytes to the device at 0xf000000000 is refused"));
}

}  // namespace
}  // namespace psim
