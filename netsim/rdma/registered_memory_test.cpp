// SPDX-License-Identifier: Apache-2.0
#include "netsim/rdma/registered_memory.h"

#include <gtest/gtest.h>

#include "netsim/rdma/atomic.h"

namespace psim::net::rdma {
namespace {

TEST(GlobalAddresses, ReturnTheirParts) {
  for (const std::uint32_t ranks : {1u, 2u, 1000u, 131'072u}) {
    const GlobalAddresses addresses(ranks);
    const std::uint64_t address = addresses.make(ranks - 1, 1023, addresses.most() - 1);
    EXPECT_EQ(addresses.rank(address), ranks - 1);
    EXPECT_EQ(addresses.key(address), 1023u);
    EXPECT_EQ(addresses.offset(address), addresses.most() - 1);
    EXPECT_GE(addresses.rank(0), ranks) << "null belongs to no rank";
    EXPECT_GE(addresses.most(), std::uint64_t{1} << 36);
  }
}

TEST(GlobalAddresses, CountBytes) {
  const GlobalAddresses addresses(4);
  EXPECT_EQ(addresses.make(3, 5, 100) + 28, addresses.make(3, 5, 128));
}

TEST(RegisteredMemory, FindsBytesThatAreWhollyInside) {
  std::byte memory[64];
  RegisteredMemory registered;
  const std::uint32_t key = registered.add(memory, 64);
  EXPECT_EQ(registered.find(key, 60, 4), memory + 60);
  EXPECT_EQ(registered.find(key, 60, 5), nullptr);
  EXPECT_EQ(registered.find(key, 64, 0), memory + 64);
  EXPECT_EQ(registered.find(key, ~std::uint64_t{0}, 2), nullptr);
  EXPECT_EQ(registered.find(key + 1, 0, 1), nullptr);
  EXPECT_EQ(registered.offset(key, memory + 7, 1000), 7u);
  EXPECT_EQ(registered.offset(key, memory + 64, 1000), 1000u);
}

TEST(RegisteredMemory, RemovesMemoryAndReusesItsKeyLast) {
  std::byte memory[8];
  RegisteredMemory registered;
  const std::uint32_t first = registered.add(memory, 8);
  EXPECT_TRUE(registered.remove(first));
  EXPECT_FALSE(registered.remove(first));
  EXPECT_EQ(registered.find(first, 0, 1), nullptr);
  for (std::uint32_t i = 1; i < GlobalAddresses::kKeys; ++i) EXPECT_NE(registered.add(memory, 8), first);
  EXPECT_EQ(registered.add(memory, 8), first);
  EXPECT_EQ(registered.add(memory, 8), RegisteredMemory::kNone);
}

TEST(Atomic, ChangesItsBytesOnlyAndReturnsTheOldValue) {
  std::uint32_t words[2] = {0xffffffff, 7};
  auto* memory = reinterpret_cast<std::byte*>(words);
  EXPECT_EQ(perform({.action = Action::Add, .bytes = 4, .operand = 3}, memory), 0xffffffffu);
  EXPECT_EQ(words[0], 2u);
  EXPECT_EQ(words[1], 7u) << "no carry into the neighbour";
  EXPECT_EQ(perform({.action = Action::Add, .bytes = 8, .operand = 1}, memory), 0x7'00000002u);
  EXPECT_EQ(words[0], 3u);
}

TEST(Atomic, ComparesBeforeItSwaps) {
  std::uint64_t word = 5;
  auto* memory = reinterpret_cast<std::byte*>(&word);
  Operation swap{.action = Action::CompareAndSwap, .bytes = 8, .operand = 9, .expected = 4};
  EXPECT_EQ(perform(swap, memory), 5u);
  EXPECT_EQ(word, 5u);
  swap.expected = 5;
  EXPECT_EQ(perform(swap, memory), 5u);
  EXPECT_EQ(word, 9u);
}

TEST(Atomic, EachActionMatchesItsName) {
  const auto made = [](Action action) { return changed({.action = action, .operand = 0b1100}, 0b1010); };
  EXPECT_EQ(made(Action::Swap), 0b1100u);
  EXPECT_EQ(made(Action::Add), 22u);
  EXPECT_EQ(made(Action::Xor), 0b0110u);
  EXPECT_EQ(made(Action::Or), 0b1110u);
  EXPECT_EQ(made(Action::And), 0b1000u);
}

}  // namespace
}  // namespace psim::net::rdma
