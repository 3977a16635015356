// SPDX-License-Identifier: Apache-2.0
// The stack of examples/memory: times by hand, and the base protocol between it and psim's second level. The
// path is 10 ns, precharge, activate and access 14 ns each, 64 bytes on the bus of a channel 2 ns.
#include "stacked_memory.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <random>

#include "pipeline/memory/l1_cache.h"
#include "pipeline/memory/l2_cache.h"
#include "pipeline/testing/protocol_checker.h"
#include "pipeline/testing/systemc_test.h"

namespace psim::pipeline {
namespace {

using sc_core::sc_time;

class StackedMemoryTest : public testing::SystemCTest {};

sc_time stack_period() { return {500, sc_core::SC_PS}; }

/// Requests lines by b_transport.
struct LineReader : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<LineReader> out{"out"};
  StackedMemory memory{"memory", StackConfig{}, stack_period()};
  explicit LineReader(const sc_core::sc_module_name& name) : sc_module(name) { out.bind(memory.requests()); }
  /// Returns the time of the answer to a request at `at`, both in ns.
  double request(std::uint64_t address, double at, tlm::tlm_command command = tlm::TLM_READ_COMMAND) {
    unsigned char data[64] = {};
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(64);
    payload.set_streaming_width(64);
    sc_time delay(at, sc_core::SC_NS);
    out->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    return delay.to_seconds() * 1e9;
  }
};

TEST_F(StackedMemoryTest, ARequestTakesPathRowAccessAndBus) {
  LineReader reader("reader");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_DOUBLE_EQ(reader.request(0, 0), 10 + 14 + 14 + 2 + 10) << "opens a row";
  EXPECT_DOUBLE_EQ(reader.request(64, 1000), 1000 + 10 + 14 + 2 + 10) << "the row is open";
  // 8 channels of 256 bytes: 4 blocks of a channel are a row of 1 KiB, and 16 banks follow each other.
  EXPECT_DOUBLE_EQ(reader.request(8 * 1024 * 16, 2000), 2000 + 10 + 14 + 14 + 14 + 2 + 10) << "another row";
  EXPECT_EQ(reader.memory.stats().row_hits, 1u);
  EXPECT_EQ(reader.memory.stats().row_conflicts, 1u);
  EXPECT_EQ(reader.memory.stats().bytes(), 3u * 64);
}

TEST_F(StackedMemoryTest, ChannelsWorkAtTheSameTimeAndABusCarriesOneLineAfterTheOther) {
  LineReader reader("reader");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_DOUBLE_EQ(reader.request(0, 0), 50);
  EXPECT_DOUBLE_EQ(reader.request(64, 0), 52) << "same row: after the first on the bus";
  EXPECT_DOUBLE_EQ(reader.request(128, 0, tlm::TLM_WRITE_COMMAND), 54);
  EXPECT_DOUBLE_EQ(reader.request(256, 0), 50) << "another channel";
  EXPECT_DOUBLE_EQ(reader.request(8 * 1024, 0), 56) << "another bank: only the bus of the channel";
}

TEST_F(StackedMemoryTest, BehindTheSecondLevelTheBaseProtocolHolds) {
  L1Config l1;
  l1.tlb.enabled = false;
  l1.bytes = 512;
  l1.miss_registers = 8;
  L2Config l2_config;
  l2_config.bytes = 4 * 64;
  l2_config.ways = 4;
  l2_config.miss_registers = 3;
  L1Port port("port", 64, stack_period());
  L1Cache cache(l1, port);
  L2Cache l2("l2", l2_config, stack_period());
  testing::ProtocolChecker checker("checker");
  StackedMemory memory("memory", StackConfig{}, stack_period());
  port.serve(cache);
  port.out_lines.bind(l2.in_requests);
  l2.out_back_invalidate(port);
  l2.out_lines.bind(checker.in);
  checker.out.bind(memory.requests());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::mt19937_64 random(17);
  std::uint64_t missed = 0, completed = 0, cycle = 0;
  const auto count = [&](const Completion&) { ++completed; };
  for (; cycle < 50'000; ++cycle) {
    cache.drain(cycle, count);
    const auto kind = random() % 2 == 0 ? AccessKind::Load : AccessKind::Store;
    missed += cache.access(random() % 12 * 64, 8, kind, cycle, 0).outcome == Outcome::Miss;
  }
  while (cache.next_event_cycle() != kNever) cache.drain(cache.next_event_cycle(), count);
  EXPECT_GT(missed, 1000u);
  EXPECT_EQ(completed, missed);
  for (const auto& violation : checker.violations) ADD_FAILURE() << violation;
  EXPECT_EQ(checker.in_flight(), 0u);
  EXPECT_EQ(checker.transactions, memory.stats().reads + memory.stats().writes);
  EXPECT_GT(memory.stats().writes, 100u);
}

}  // namespace
}  // namespace psim::pipeline
