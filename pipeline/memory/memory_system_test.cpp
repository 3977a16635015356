// SPDX-License-Identifier: Apache-2.0
// L1, L2 and memory together over TLM-2.0, without a core: cycles derived by hand. 2 GHz: a cycle is 500 ps.
#include "pipeline/memory/memory_system.h"

#include <gtest/gtest.h>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <list>
#include <random>

#include "pipeline/testing/protocol_checker.h"
#include "pipeline/testing/systemc_test.h"
#include "pipeline/testing/textbook_memory.h"

namespace psim::pipeline {
namespace {

using sc_core::sc_time;
using testing::ProtocolChecker;
using testing::TextbookMemory;

class MemoryChain : public testing::SystemCTest {};

const auto kPeriod = [] { return sc_time(500, sc_core::SC_PS); };

struct Machine {
  L1Config l1;
  L2Config l2;
  MemoryConfig memory;
  Machine() { l1.tlb.enabled = false; }
  /// L1 of two lines, one set: lines leave soon. L2 of `lines` lines, one set.
  static Machine tiny(std::uint32_t lines) {
    Machine machine;
    machine.l1.bytes = 128;
    machine.l2.bytes = 64 * lines;
    machine.l2.ways = lines;
    return machine;
  }
};

/// A data cache over L2 and a memory of the test's choice, with checkers on both links.
struct HierarchyBench {
  /// `own`: our MemoryController is behind L2; otherwise bind memory_checker.out.
  explicit HierarchyBench(const Machine& machine, bool own = true)
      : port("port", 64, kPeriod()),
        cache(machine.l1, port),
        l2("l2", machine.l2, kPeriod()),
        l2_checker("l2_checker"),
        memory_checker("memory_checker") {
    port.serve(cache);
    port.out_lines.bind(l2_checker.in);
    l2_checker.out.bind(l2.in_requests);
    l2.out_back_invalidate(port);
    l2.out_lines.bind(memory_checker.in);
    if (!own) return;
    memory = std::make_unique<MemoryController>("memory", machine.memory, kPeriod());
    memory_checker.out.bind(memory->in_requests);
    start();
  }
  ~HierarchyBench() {
    for (const auto& violation : l2_checker.violations) ADD_FAILURE() << violation;
    for (const auto& violation : memory_checker.violations) ADD_FAILURE() << violation;
    EXPECT_EQ(l2_checker.in_flight(), 0u);
    EXPECT_EQ(memory_checker.in_flight(), 0u);
    EXPECT_EQ(port.pool().in_use(), 0u);
    EXPECT_EQ(l2.pool().in_use(), 0u);
  }
  void start() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
  Access access(std::uint64_t address, std::uint64_t cycle, AccessKind kind = AccessKind::Load,
                std::uint64_t token = 0) {
    return cache.access(address, 8, kind, cycle, token);
  }
  /// Returns all completions up to the last one known.
  std::vector<Completion> drain() {
    std::vector<Completion> got;
    while (cache.next_event_cycle() != kNever) {
      cycle = cache.next_event_cycle();
      cache.drain(cycle, [&](const Completion& completion) { got.push_back(completion); });
    }
    return got;
  }
  /// Makes a single access; returns the cycles from its begin to its data, and the level that had the line.
  std::pair<std::uint64_t, Level> timed(std::uint64_t address, AccessKind kind = AccessKind::Load) {
    cycle += 1000;  // nothing is under way by then
    const std::uint64_t begin = cycle;
    const Access got = access(address, begin, kind);
    if (got.outcome == Outcome::Hit) return {got.cycle - begin, Level::L1};
    const auto done = drain();
    EXPECT_EQ(done.size(), 1u);
    return {done.at(0).cycle - begin, done.at(0).level};
  }
  using Timed = std::pair<std::uint64_t, Level>;

  L1Port port;
  L1Cache cache;
  L2Cache l2;
  ProtocolChecker l2_checker, memory_checker;
  std::unique_ptr<MemoryController> memory;
  std::uint64_t cycle = 0;
};

TEST_F(MemoryChain, ALoadTakesTheSumOfTheLatenciesOfTheLevelsItPasses) {
  HierarchyBench bench(Machine::tiny(12));
  EXPECT_EQ(bench.timed(0x1000), HierarchyBench::Timed(4 + 20 + 120, Level::Memory));
  EXPECT_EQ(bench.timed(0x1000), HierarchyBench::Timed(4, Level::L1));
  bench.timed(0x2000);
  bench.timed(0x3000);  // 0x1000 has left L1's two lines
  EXPECT_EQ(bench.timed(0x1000), HierarchyBench::Timed(4 + 20, Level::L2));
}

// L1 of two lines, L2 of three. 0x1000 is written, and comes back dirty to L2 when 0x3000 evicts it from L1,
// which makes it L2's most recently used line. So 0x4000 evicts 0x2000, later 0x5000 evicts 0x3000, 0x6000
// evicts 0x4000, and 0x7000 evicts 0x1000, which is written to memory.
TEST_F(MemoryChain, StatisticsOfAKnownSequence) {
  HierarchyBench bench(Machine::tiny(3));
  bench.timed(0x1000, AccessKind::Store);
  for (const std::uint64_t address : {0x2000, 0x3000, 0x4000}) bench.timed(address);
  EXPECT_EQ(bench.timed(0x3000), HierarchyBench::Timed(4, Level::L1));
  EXPECT_EQ(bench.timed(0x1000), HierarchyBench::Timed(4 + 20, Level::L2));
  for (const std::uint64_t address : {0x5000, 0x6000, 0x7000}) bench.timed(address);
  const L2Stats& l2 = bench.l2.stats();
  EXPECT_EQ(l2.misses, 7u);
  EXPECT_EQ(l2.hits, 1u);
  EXPECT_EQ(l2.merges, 0u);
  EXPECT_EQ(l2.writes, 1u);
  EXPECT_EQ(l2.evictions, 4u);
  EXPECT_EQ(l2.write_backs, 1u);
  EXPECT_EQ(l2.miss_latency.sum(), 7u * (20 + 120));
  EXPECT_EQ(l2.outstanding.count(1), 7u) << "each alone";
  EXPECT_EQ(bench.cache.stats().back_invalidates, 2u) << "0x2000 and 0x3000";
  const MemoryStats& memory = bench.memory->stats();
  EXPECT_EQ(memory.reads, 7u);
  EXPECT_EQ(memory.writes, 1u);
  EXPECT_EQ(memory.bytes_read, 7u * 64);
  EXPECT_EQ(memory.bytes_written, 64u);
  EXPECT_EQ(memory.queueing.sum(), 8u)
      << "the write, behind the read that took its place: 64 bytes of the bus";
}

TEST_F(MemoryChain, LatenciesAreTakenFromTheConfiguration) {
  Machine machine = Machine::tiny(4);
  machine.l1.latency = 3;
  machine.l2.latency = 11;
  machine.memory.latency = 200;
  HierarchyBench bench(machine);
  EXPECT_EQ(bench.timed(0x1000), HierarchyBench::Timed(3 + 11 + 200, Level::Memory));
  bench.timed(0x2000);
  bench.timed(0x3000);
  EXPECT_EQ(bench.timed(0x1000), HierarchyBench::Timed(3 + 11, Level::L2));
}

TEST_F(MemoryChain, IndependentMissesAreLimitedByTheBandwidthOfMemory) {
  Machine machine;  // 64 B at 16 GB/s and 2 GHz: 8 cycles per line
  HierarchyBench bench(machine);
  for (std::uint64_t i = 0; i < 16; ++i)
    ASSERT_EQ(bench.access(0x10000 + 64 * i, i / 2, AccessKind::Load, i).outcome, Outcome::Miss);
  const auto done = bench.drain();
  ASSERT_EQ(done.size(), 16u);
  // The first leaves L1 at 4, L2 at 24; the bus carries one line every 8 cycles; data come 120 after that.
  for (std::uint64_t i = 0; i < 16; ++i) {
    EXPECT_EQ(done[i].token, i);
    EXPECT_EQ(done[i].cycle, 24 + 8 * i + 120);
  }
  EXPECT_EQ(bench.memory->stats().bus_ticks, 16u * 8 * 500);
  EXPECT_EQ(bench.memory->stats().bytes(), 16u * 64);
  // Line i leaves L2 in cycle 24 + 2 i, for its path takes two cycles per line, and waits until 24 + 8 i.
  EXPECT_EQ(bench.memory->stats().queueing.samples(), 16u);
  EXPECT_EQ(bench.memory->stats().queueing.sum(), 6u * (15 * 16 / 2));
}

TEST_F(MemoryChain, IndependentHitsInL2AreLimitedByItsPath) {
  Machine machine;  // 64 B at 32 B per cycle: 2 cycles per line
  machine.l1.bytes = 1024;
  HierarchyBench bench(machine);
  for (std::uint64_t i = 0; i < 64; ++i) bench.timed(0x10000 + 64 * i);
  const std::uint64_t c = bench.cycle + 1000;
  for (std::uint64_t i = 0; i < 8; ++i) bench.access(0x10000 + 64 * i, c + i / 2, AccessKind::Load, i);
  const auto done = bench.drain();
  ASSERT_EQ(done.size(), 8u);
  for (std::uint64_t i = 0; i < 8; ++i) EXPECT_EQ(done[i].cycle, c + 4 + 2 * i + 20);
}

TEST_F(MemoryChain, AMissWithoutAMissRegisterInL2WaitsForOne) {
  Machine machine;
  machine.l2.miss_registers = 1;
  HierarchyBench bench(machine);
  bench.access(0x1000, 0, AccessKind::Load, 1);
  bench.access(0x2000, 0, AccessKind::Load, 2);
  const auto done = bench.drain();
  EXPECT_EQ(done.at(0).cycle, 144u);
  EXPECT_EQ(done.at(1).cycle, 144u + 120);  // leaves L2 when the first line is there
  EXPECT_EQ(bench.l2.stats().misses_delayed, 1u);
}

TEST_F(MemoryChain, ReadsBeyondTheOutstandingLimitWaitForAnAnswer) {
  Machine machine;
  machine.memory.outstanding = 2;
  HierarchyBench bench(machine);
  for (std::uint64_t i = 0; i < 3; ++i) bench.access(0x1000 + 64 * i, i, AccessKind::Load, i);
  const auto done = bench.drain();
  EXPECT_EQ(done.at(1).cycle, 152u);
  EXPECT_EQ(done.at(2).cycle, 144u + 120);
}

TEST_F(MemoryChain, ALineThatLeavesL2LeavesL1) {
  Machine machine = Machine::tiny(2);
  machine.l1.bytes = 512;  // L1 is the larger one
  HierarchyBench bench(machine);
  bench.timed(0x1000);
  bench.timed(0x2000);
  bench.timed(0x3000);
  EXPECT_EQ(bench.cache.stats().back_invalidates, 1u);
  EXPECT_EQ(bench.timed(0x2000).second, Level::L1);
  EXPECT_EQ(bench.timed(0x1000).second, Level::Memory);
  EXPECT_EQ(bench.memory->stats().writes, 0u);
}

TEST_F(MemoryChain, ADirtyLineTakenBackFromL1IsWrittenToMemoryOnce) {
  Machine machine = Machine::tiny(2);
  machine.l1.bytes = 512;
  HierarchyBench bench(machine);
  bench.timed(0x1000, AccessKind::Store);
  bench.timed(0x2000);
  bench.timed(0x3000);
  EXPECT_EQ(bench.memory->stats().writes, 1u);
  EXPECT_EQ(bench.l2.stats().back_invalidates, 1u);
}

TEST_F(MemoryChain, AWrittenLineGoesFromL1ToL2ToMemory) {
  HierarchyBench bench(Machine::tiny(4));
  bench.timed(0x1000, AccessKind::Store);
  bench.timed(0x2000);
  bench.timed(0x3000);  // the store's line leaves L1
  EXPECT_EQ(bench.l2.stats().writes, 1u);
  EXPECT_EQ(bench.memory->stats().writes, 0u);
  for (std::uint64_t i = 4; i < 8; ++i) bench.timed(i * 0x1000);
  EXPECT_EQ(bench.memory->stats().writes, 1u);
}

TEST_F(MemoryChain, WriteBacksTakeBandwidthFromReads) {
  Machine machine = Machine::tiny(2);
  HierarchyBench bench(machine);
  bench.timed(0x1000, AccessKind::Store);
  bench.timed(0x2000);
  const std::uint64_t c = bench.cycle + 1000;
  bench.access(0x3000, c, AccessKind::Load, 1);      // evicts 0x1000: written after the read
  bench.access(0x4000, c + 1, AccessKind::Load, 2);  // after both on the bus
  const auto done = bench.drain();
  EXPECT_EQ(done.at(0).cycle, c + 144);
  EXPECT_EQ(done.at(1).cycle, c + 144 + 2 * 8);
}

TEST_F(MemoryChain, ADirectMappedL2KeepsALineUnderWayInItsSet) {
  Machine machine = Machine::tiny(1);
  HierarchyBench bench(machine);
  bench.access(0x1000, 0, AccessKind::Load, 1);
  bench.access(0x2000, 0, AccessKind::Load, 2);
  const auto done = bench.drain();
  EXPECT_EQ(done.at(0).cycle, 144u);
  EXPECT_EQ(done.at(1).cycle, 144u + 120);
}

TEST_F(MemoryChain, PayloadsAreReused) {
  HierarchyBench bench(Machine::tiny(4));
  for (std::uint64_t i = 0; i < 1000; ++i) bench.timed(i * 64, AccessKind::Store);
  EXPECT_LE(bench.port.pool().size(), 2u);
  EXPECT_LE(bench.l2.pool().size(), 2u);
  EXPECT_EQ(bench.memory_checker.completed_at_once, bench.memory_checker.transactions);
}

// A reference of two lists, searched from the front: the expected contents of an inclusive pair of one-set
// LRU caches.
struct ReferencePair {
  struct Line {
    std::uint64_t number;
    bool dirty;
  };
  static std::list<Line>::iterator find(std::list<Line>& set, std::uint64_t line) {
    return std::find_if(set.begin(), set.end(), [&](const Line& l) { return l.number == line; });
  }
  static bool use(std::list<Line>& set, std::uint64_t line, bool write) {
    const auto at = find(set, line);
    if (at == set.end()) return false;
    at->dirty |= write;
    set.splice(set.begin(), set, at);
    return true;
  }
  Level access(std::uint64_t line, bool write) {
    if (use(l1, line, write)) return Level::L1;
    Level level = Level::L2;
    if (!use(l2, line, false)) {
      level = Level::Memory;
      if (l2.size() == l2_lines) {
        Line victim = l2.back();
        l2.pop_back();
        if (const auto copy = find(l1, victim.number); copy != l1.end()) {
          victim.dirty |= copy->dirty;
          l1.erase(copy);
        }
        memory_writes += victim.dirty;
      }
      l2.push_front({line, false});
    }
    if (l1.size() == l1_lines) {
      if (l1.back().dirty) use(l2, l1.back().number, true);
      l1.pop_back();
    }
    l1.push_front({line, write});
    return level;
  }
  std::size_t l1_lines, l2_lines;
  std::list<Line> l1, l2;
  std::uint64_t memory_writes = 0;
};

TEST_F(MemoryChain, OneAccessAtATimeItBehavesAsASequentialInclusivePair) {
  Machine machine = Machine::tiny(4);
  machine.l1.ways = 2;
  HierarchyBench bench(machine);
  ReferencePair reference{2, 4, {}, {}};
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t line = random() % 7;
    const bool write = random() % 3 == 0;
    ASSERT_EQ(bench.timed(line * 64, write ? AccessKind::Store : AccessKind::Load).second,
              reference.access(line, write))
        << "access " << i;
  }
  EXPECT_EQ(bench.memory->stats().writes, reference.memory_writes);
}

TEST_F(MemoryChain, UnderRandomTrafficEveryAccessCompletesAndTheProtocolHolds) {
  Machine machine = Machine::tiny(4);
  machine.l1.bytes = 512;
  machine.l1.miss_registers = 8;
  machine.l2.miss_registers = 3;
  HierarchyBench bench(machine);
  std::mt19937_64 random(11);
  std::uint64_t missed = 0;
  std::uint64_t completed = 0;
  for (std::uint64_t c = 0; c < 50'000; ++c) {
    bench.cache.drain(c, [&](const Completion&) { ++completed; });
    const auto kind = random() % 2 == 0 ? AccessKind::Load : AccessKind::Store;
    missed += bench.access(random() % 12 * 64, c, kind).outcome == Outcome::Miss;
  }
  completed += bench.drain().size();
  EXPECT_GT(missed, 1000u);
  EXPECT_EQ(completed, missed);
}

// --- memories of other authors -----------------------------------------------------------------------------

/// Steps the kernel and the cache cycle by cycle, as a core would.
std::vector<Completion> step(HierarchyBench& bench, std::uint64_t cycles) {
  std::vector<Completion> got;
  for (std::uint64_t i = 0; i < cycles; ++i) {
    bench.cache.drain(bench.cycle, [&](const Completion& completion) { got.push_back(completion); });
    sc_core::sc_start(kPeriod());
    ++bench.cycle;
  }
  return got;
}

TEST_F(MemoryChain, ABlockingMemoryAtTheStandardSocketWorks) {
  HierarchyBench bench(Machine::tiny(4), false);
  TextbookMemory memory("textbook");
  bench.memory_checker.out.bind(memory.socket);
  bench.start();
  bench.access(0x1000, 0, AccessKind::Load, 5);
  const auto done = step(bench, 400);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].token, 5u);
  // 60 ns are 120 cycles. The socket's adaptor waits that time and then answers without notice: reported in
  // the cycle after, usable two cycles of notice later.
  EXPECT_EQ(done[0].cycle, 24u + 120 + 1 + 2);
  EXPECT_EQ(done[0].level, Level::Memory);
}

/// An approximately timed memory with all four phases: accepts a request after 4 ns, answers after 60 ns.
struct FourPhaseMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<FourPhaseMemory> socket{"socket"};
  explicit FourPhaseMemory(const sc_core::sc_module_name& name)
      : sc_module(name), queue_(this, &FourPhaseMemory::phase_due) {
    socket.register_nb_transport_fw(this, &FourPhaseMemory::nb_transport_fw);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_time& delay) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    payload.acquire();
    queue_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  void phase_due(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& due) {
    sc_time none = sc_core::SC_ZERO_TIME;
    tlm::tlm_phase phase = due;
    if (due == tlm::BEGIN_REQ) {
      queue_.notify(payload, tlm::END_REQ, sc_time(4, sc_core::SC_NS));
      queue_.notify(payload, tlm::BEGIN_RESP, sc_time(60, sc_core::SC_NS));
      return;
    }
    if (due == tlm::BEGIN_RESP) payload.set_response_status(tlm::TLM_OK_RESPONSE);
    socket->nb_transport_bw(payload, phase, none);
    if (due == tlm::BEGIN_RESP) payload.release();
  }

 private:
  tlm_utils::peq_with_cb_and_phase<FourPhaseMemory> queue_;
};

TEST_F(MemoryChain, AFourPhaseMemoryAtTheStandardSocketWorksOneRequestAtATime) {
  HierarchyBench bench(Machine::tiny(4), false);
  FourPhaseMemory memory("four_phase");
  bench.memory_checker.out.bind(memory.socket);
  bench.start();
  bench.access(0x1000, 0, AccessKind::Load, 1);
  bench.access(0x2000, 0, AccessKind::Load, 2);
  const auto done = step(bench, 400);
  ASSERT_EQ(done.size(), 2u);
  EXPECT_EQ(done[0].cycle, 24u + 120 + 1 + 2);      // as above
  EXPECT_EQ(done[1].cycle, 24u + 8 + 120 + 1 + 2);  // its request waited 4 ns = 8 cycles for END_REQ
}

TEST_F(MemoryChain, UnderRandomTrafficAFourPhaseMemoryAnswersEveryAccess) {
  Machine machine = Machine::tiny(4);
  machine.l1.bytes = 512;
  machine.l1.miss_registers = 8;
  machine.l2.miss_registers = 3;
  HierarchyBench bench(machine, false);
  FourPhaseMemory memory("four_phase");
  bench.memory_checker.out.bind(memory.socket);
  bench.start();
  std::mt19937_64 random(13);
  std::uint64_t missed = 0;
  std::uint64_t completed = 0;
  for (int i = 0; i < 5000; ++i) {
    completed += step(bench, 1).size();
    bench.cache.drain(bench.cycle, [&](const Completion&) { ++completed; });
    const auto kind = random() % 2 == 0 ? AccessKind::Load : AccessKind::Store;
    missed += bench.access(random() % 12 * 64, bench.cycle, kind).outcome == Outcome::Miss;
  }
  completed += step(bench, 2000).size();
  EXPECT_GT(missed, 100u);
  EXPECT_EQ(completed, missed);
}

}  // namespace
}  // namespace psim::pipeline
