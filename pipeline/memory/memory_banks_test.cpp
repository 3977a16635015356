// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tlm_utils/simple_initiator_socket.h>

#include "pipeline/memory/memory_controller.h"
#include "pipeline/testing/systemc_test.h"

namespace psim::pipeline {
namespace {

class MemoryBanks : public testing::SystemCTest {};

/// A source of requests by b_transport, such as DMA; times in cycles of 500 ps.
struct Requester : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Requester> out{"out"};
  explicit Requester(const sc_core::sc_module_name& name) : sc_module(name) {}
  /// Requests a line at `cycle`; returns the cycle of the answer.
  std::uint64_t request(std::uint64_t address, std::uint64_t cycle, bool read = true) {
    unsigned char data[64] = {};
    tlm::tlm_generic_payload payload;
    payload.set_command(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(64);
    payload.set_streaming_width(64);
    sc_core::sc_time delay(static_cast<double>(cycle * 500), sc_core::SC_PS);
    out->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    return delay.value() / 500;
  }
};

/// A controller of two cores' second level and of DMA. A line of 64 bytes takes 8 cycles on the bus (16
/// GB/s).
struct BankBench {
  explicit BankBench(std::uint32_t banks, std::uint32_t busy)
      : memory("memory", configured(banks, busy), sc_core::sc_time(500, sc_core::SC_PS)) {
    core.out.bind(memory.in_requests);
    other.out.bind(memory.in_requests);
    dma.out.bind(memory.in_requests);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static MemoryConfig configured(std::uint32_t banks, std::uint32_t busy) {
    MemoryConfig config;
    config.latency = 120;
    config.bytes_per_second = 16'000'000'000;
    config.banks = banks;
    config.bank_busy = busy;
    return config;
  }
  MemoryController memory;
  Requester core{"core"}, other{"other"}, dma{"dma"};
};

TEST_F(MemoryBanks, TwoReadsOfOneBankFollowItsBusyTimeAndThoseOfTwoBanksTheBus) {
  BankBench bench(4, 40);
  EXPECT_EQ(bench.core.request(0x0000, 0), 120u);
  EXPECT_EQ(bench.core.request(0x0100, 0), 40u + 120) << "bank 0 again: 4 banks of 64 bytes";
  EXPECT_EQ(bench.core.request(0x0040, 1000), 1000u + 120);
  EXPECT_EQ(bench.core.request(0x0080, 1000), 1000u + 8 + 120) << "another bank: only the bus";
  EXPECT_EQ(bench.core.request(0x0040, 1000), 1000u + 40 + 120);
}

TEST_F(MemoryBanks, AnAccessOneCycleBeforeItsBankIsFreeWaitsOneCycle) {
  BankBench bench(2, 40);
  bench.core.request(0x0000, 0);
  EXPECT_EQ(bench.core.request(0x0080, 39), 40u + 120);
  EXPECT_EQ(bench.core.request(0x0000, 80), 80u + 120) << "free on time";
}

// The controller serves in order: a request to a free bank waits for the start of the one before it.
TEST_F(MemoryBanks, ARequestToAFreeBankDoesNotOvertake) {
  BankBench bench(4, 40);
  bench.core.request(0x0000, 0);
  EXPECT_EQ(bench.core.request(0x0100, 0), 40u + 120);
  EXPECT_EQ(bench.core.request(0x0040, 0), 40u + 8 + 120);
}

TEST_F(MemoryBanks, TwoCoresAndDmaShareTheBandwidth) {
  BankBench bench(8, 0);
  std::uint64_t last = 0;
  constexpr std::uint64_t kRounds = 10;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    EXPECT_EQ(bench.core.request(0x1000 + round * 64, 0), (3 * round) * 8 + 120);
    EXPECT_EQ(bench.other.request(0x8000 + round * 64, 0), (3 * round + 1) * 8 + 120);
    last = bench.dma.request(0x20000 + round * 64, 0, false);
    EXPECT_EQ(last, (3 * round + 3) * 8) << "a write is complete when its data are across the bus";
  }
  EXPECT_EQ(bench.memory.stats().bytes(), 3 * kRounds * 64);
  EXPECT_EQ(last * 8, bench.memory.stats().bytes()) << "16 GB/s at 2 GHz";
}

}  // namespace
}  // namespace psim::pipeline
