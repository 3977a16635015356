// SPDX-License-Identifier: Apache-2.0
#include "guest/initial_stack.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <map>

namespace psim::isa {
namespace {

constexpr std::uint64_t kTop = 0x1000000, kBytes = 65536;

struct Bench {
  Bench() { memory.map(kTop - kBytes, kBytes, kMapped | kRead | kWrite); }
  std::uint64_t word(std::uint64_t address) const {
    std::uint64_t value = 0;
    EXPECT_TRUE(memory.load(address, value));
    return value;
  }
  std::string text(std::uint64_t address) const {
    std::string value;
    EXPECT_TRUE(memory.read_string(address, value));
    return value;
  }
  GuestMemory memory;
};

TEST(InitialStack, MemoryFlagsKeepTheirFieldsApart) {
  const MemoryFlags flags{.memory_cycles = 140,
                          .bandwidth = 128,
                          .l2_cycles = 20,
                          .l1_bytes = 128 << 10,
                          .l2_bytes = 6 << 20,
                          .prefetch = MemoryFlags::Perfect};
  const std::uint64_t word = flags.word();
  EXPECT_EQ(word & 0xF, 0u);
  EXPECT_EQ(word >> 4 & 0xFFF, 140u);
  EXPECT_EQ(word >> 16 & 0xFFF, 128u);
  EXPECT_EQ(word >> 28 & 0xFF, 20u);
  EXPECT_EQ(word & (kFlagSimdPes | kFlagFunctional), 0u);
  EXPECT_EQ(word >> 42 & 63, 17u);
  EXPECT_EQ(word >> 48 & 63, 22u);
  EXPECT_EQ(word >> 54, 2u);
  const MemoryFlags large{~0u, ~0u, ~0u, ~std::uint64_t{0}, ~std::uint64_t{0}, MemoryFlags::None};
  EXPECT_EQ(large.word() & 0xF'FFFF'FFFF, 0xF'FFFF'FFF0u) << "the largest number of each field";
}

TEST(InitialStack, ArgumentsEnvironmentAndVectorLieAtTheAddressesOfTheAbi) {
  Bench bench;
  InitialStack stack;
  stack.arguments = {"prog", "an argument", ""};
  stack.environment = {"A=1", "B=2"};
  stack.executable = "./prog";
  stack.hardware_capabilities = 0x1F, stack.flags = kFlagSimdPes;
  stack.random[0] = 0x0102030405060708;
  const std::uint64_t sp = stack.write(bench.memory, kTop, kBytes) + kStackBias;
  EXPECT_EQ(sp % 16, 0u);
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(bench.word(sp + 8 * i), 0u) << "window save area";
  std::uint64_t at = sp + 128;
  EXPECT_EQ(bench.word(at), 3u);
  EXPECT_EQ(bench.text(bench.word(at + 8)), "prog");
  EXPECT_EQ(bench.text(bench.word(at + 16)), "an argument");
  EXPECT_EQ(bench.text(bench.word(at + 24)), "");
  EXPECT_EQ(bench.word(at + 32), 0u);
  EXPECT_EQ(bench.text(bench.word(at + 40)), "A=1");
  EXPECT_EQ(bench.text(bench.word(at + 48)), "B=2");
  EXPECT_EQ(bench.word(at + 56), 0u);
  std::map<std::uint64_t, std::uint64_t> auxiliary;
  for (at += 64; bench.word(at) != AT_NULL; at += 16) auxiliary[bench.word(at)] = bench.word(at + 8);
  EXPECT_EQ(auxiliary[AT_PAGESZ], 8192u);
  EXPECT_EQ(auxiliary[AT_HWCAP], 0x1Fu);
  EXPECT_EQ(auxiliary[AT_FLAGS], kFlagSimdPes);
  EXPECT_EQ(auxiliary[AT_PHENT], 56u);
  EXPECT_EQ(bench.text(auxiliary[AT_EXECFN]), "./prog");
  EXPECT_EQ(auxiliary[AT_EXECFN] + sizeof "./prog", kTop - 8) << "a null word ends the stack";
  EXPECT_EQ(auxiliary[AT_RANDOM] % 16, 0u);
  EXPECT_FALSE(auxiliary.contains(AT_PLATFORM)) << "sparc64 has none";
  std::byte random[16];
  EXPECT_EQ(bench.memory.copy_out(auxiliary[AT_RANDOM], random), 16u);
  EXPECT_EQ(random[0], std::byte{1}) << "as the generator gave them, first byte first";
}

TEST(InitialStack, AStackThatDoesNotFitIsRefused) {
  Bench bench;
  InitialStack stack;
  stack.arguments = {std::string(kBytes, 'a')};
  EXPECT_EQ(stack.write(bench.memory, kTop, kBytes), 0u);
  stack.arguments.assign(kBytes / 8, "");
  EXPECT_EQ(stack.write(bench.memory, kTop, kBytes), 0u);
}

}  // namespace
}  // namespace psim::isa
