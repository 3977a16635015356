// SPDX-License-Identifier: Apache-2.0
#include "isa/memory/guest_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <vector>

namespace psim::isa {
namespace {

constexpr std::uint64_t kPage = GuestMemory::kPageBytes;

struct Listener : GuestMemory::CodeObserver {
  void code_changed(std::uint64_t address, std::uint64_t bytes) override {
    changes.push_back({address, bytes});
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> changes;
};

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * 4096;
}

TEST(GuestMemory, HoldsValuesBigEndian) {
  GuestMemory memory;
  ASSERT_TRUE(memory.map(0x10000, kPage, kRead | kWrite));
  ASSERT_TRUE(memory.store<std::uint64_t>(0x10000, 0x0102030405060708));
  std::uint8_t byte = 0;
  std::uint16_t half = 0;
  std::uint32_t word = 0;
  ASSERT_TRUE(memory.load(0x10000, byte) && memory.load(0x10002, half) && memory.load(0x10004, word));
  EXPECT_EQ(byte, 0x01);
  EXPECT_EQ(half, 0x0304);
  EXPECT_EQ(word, 0x05060708u);
}

TEST(GuestMemory, RefusesMisalignedUnmappedForbiddenAndFarAccesses) {
  GuestMemory memory;
  ASSERT_TRUE(memory.map(0x10000, kPage, kRead));
  std::uint64_t value = 7;
  EXPECT_TRUE(memory.load(0x10000, value));
  EXPECT_FALSE(memory.load(0x10004, value));          // misaligned for 8 bytes
  EXPECT_FALSE(memory.load(0x10000 + kPage, value));  // unmapped
  EXPECT_FALSE(memory.store(0x10000, value));         // read only
  for (const std::uint64_t far :
       {GuestMemory::kLimit, GuestMemory::kLimit + 0x10000, ~std::uint64_t{0} - 7, std::uint64_t{1} << 63}) {
    EXPECT_FALSE(memory.load(far, value));
    EXPECT_FALSE(memory.store(far, value));
    EXPECT_EQ(memory.permission(far), kNone);
  }
}

TEST(GuestMemory, TheLastPageBelowTheLimitIsUsable) {
  GuestMemory memory;
  ASSERT_TRUE(memory.map(GuestMemory::kLimit - kPage, kPage, kRead | kWrite));
  EXPECT_TRUE(memory.store<std::uint8_t>(GuestMemory::kLimit - 1, 42));
  EXPECT_FALSE(memory.map(GuestMemory::kLimit - kPage, 2 * kPage, kRead));
  EXPECT_FALSE(memory.map(GuestMemory::kLimit, kPage, kRead));
  EXPECT_EQ(memory.accessible(GuestMemory::kLimit - 10, 100, kRead), 10u);
  EXPECT_EQ(memory.accessible(~std::uint64_t{0} - 3, 100, kRead), 0u);
}

TEST(GuestMemory, MappingAgainZeroesAndUnmappingGivesMemoryBack) {
  GuestMemory memory;
  constexpr std::uint64_t kBytes = 64 << 20;
  ASSERT_TRUE(memory.map(0, kBytes, kRead | kWrite));
  const std::uint64_t before = resident_bytes();
  for (std::uint64_t at = 0; at < kBytes; at += 4096) memory.store<std::uint8_t>(at, 1);
#if !defined(PSIM_SANITIZED)
  EXPECT_GT(resident_bytes(), before + kBytes / 2);
#endif
  memory.unmap(0, kBytes);
  EXPECT_LT(resident_bytes(), before + kBytes / 2);
  std::uint8_t byte = 1;
  EXPECT_FALSE(memory.load(0, byte));
  ASSERT_TRUE(memory.map(0, kPage, kRead | kWrite));
  ASSERT_TRUE(memory.load(0, byte));
  EXPECT_EQ(byte, 0);
}

TEST(GuestMemory, ProtectChangesNothingIfAPageIsMissing) {
  GuestMemory memory;
  ASSERT_TRUE(memory.map(0, 2 * kPage, kRead | kWrite));
  ASSERT_TRUE(memory.map(3 * kPage, kPage, kRead | kWrite));
  EXPECT_FALSE(memory.protect(0, 4 * kPage, kRead));
  EXPECT_TRUE(memory.permission(0) & kWrite);
  EXPECT_TRUE(memory.protect(kPage, kPage, kNone));
  EXPECT_EQ(memory.permission(kPage), kMapped);
  EXPECT_TRUE(memory.permission(0) & kWrite);
}

TEST(GuestMemory, FindsTheLowestGapThatIsLargeEnough) {
  GuestMemory memory;
  ASSERT_TRUE(memory.map(2 * kPage, kPage, kRead));
  ASSERT_TRUE(memory.map(4 * kPage, kPage, kRead));
  EXPECT_EQ(memory.find_gap(kPage, kPage, GuestMemory::kLimit), kPage);
  EXPECT_EQ(memory.find_gap(2 * kPage, kPage, GuestMemory::kLimit), 3 * kPage);
  EXPECT_EQ(memory.find_gap(2 * kPage, 2 * kPage, GuestMemory::kLimit), 5 * kPage);
  EXPECT_EQ(memory.find_gap(2 * kPage, 2 * kPage, 6 * kPage), 0u);
  memory.unmap(2 * kPage, kPage);
  EXPECT_EQ(memory.find_gap(kPage, 3 * kPage, GuestMemory::kLimit), kPage);
}

TEST(GuestMemory, CopiesStopAtTheFirstForbiddenPage) {
  GuestMemory memory;
  ASSERT_TRUE(memory.map(0, 2 * kPage, kRead | kWrite));
  ASSERT_TRUE(memory.protect(kPage, kPage, kRead));
  std::array<std::byte, 100> bytes{};
  EXPECT_EQ(memory.copy_in(kPage - 10, bytes), 10u);
  EXPECT_EQ(memory.copy_out(kPage - 10, bytes), 100u);
  EXPECT_EQ(memory.copy_out(2 * kPage - 10, bytes), 10u);
}

TEST(GuestMemory, AStringMayCrossPagesButNotLeaveMemory) {
  GuestMemory memory;
  ASSERT_TRUE(memory.map(0, 2 * kPage, kRead | kWrite));
  const std::string text = "across the page";
  memory.copy_in(kPage - 6, std::as_bytes(std::span{text.data(), text.size() + 1}));
  std::string read;
  EXPECT_TRUE(memory.read_string(kPage - 6, read));
  EXPECT_EQ(read, text);
  EXPECT_FALSE(memory.read_string(kPage - 6, read, text.size() - 1));
  EXPECT_TRUE(memory.read_string(kPage - 6, read, text.size()));
  memory.copy_in(2 * kPage - text.size(), std::as_bytes(std::span{text.data(), text.size()}));
  EXPECT_FALSE(memory.read_string(2 * kPage - text.size(), read));
}

TEST(GuestMemory, AStoreToAPageOfDecodedCodeNotifiesTheObserverUnlessNothingChanges) {
  GuestMemory memory;
  Listener listener;
  memory.set_code_observer(&listener);
  ASSERT_TRUE(memory.map(0, 2 * kPage, kRead | kWrite | kExecute));
  memory.mark_code(0);
  ASSERT_TRUE(memory.store<std::uint32_t>(16, 0));  // zero already
  EXPECT_TRUE(listener.changes.empty());
  ASSERT_TRUE(memory.store<std::uint32_t>(16, 5));
  ASSERT_TRUE(memory.store<std::uint32_t>(kPage, 5));  // another page
  EXPECT_EQ(listener.changes, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{16, 4}}));
  memory.unmap(0, 2 * kPage);
  EXPECT_EQ(listener.changes.size(), 2u);
  EXPECT_EQ(memory.permission(0), kNone);
}

}  // namespace
}  // namespace psim::isa
