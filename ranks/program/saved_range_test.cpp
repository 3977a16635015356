// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/saved_range.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <vector>

namespace psim::net {
namespace {

constexpr std::size_t kPage = SavedRange::kPage;

/// Memory with separate pages, like a program's variables.
struct Pages {
  explicit Pages(std::size_t count)
      : bytes(count * kPage),
        at(static_cast<std::byte*>(
            ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  ~Pages() { ::munmap(at, bytes); }
  std::size_t bytes;
  std::byte* at;
};

/// Returns the resident memory of this process.
std::uint64_t resident() {
  std::uint64_t all = 0, here = 0;
  std::ifstream("/proc/self/statm") >> all >> here;
  return here * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

TEST(SavedRange, EachRankHasItsWritesAndElseTheInitialValues) {
  for (const std::size_t count : {1u, 3u, 40u}) {  // compared completely, and by the kernel's page map
    Pages pages(count);
    std::memset(pages.at, 7, 100);
    pages.at[pages.bytes - 1] = std::byte{9};
    SavedRange range(pages.at, pages.bytes, 3, true);
    range.exchange(SavedRange::kNone, 0);
    pages.at[50] = std::byte{1};
    pages.at[pages.bytes - 1] = std::byte{2};
    range.exchange(0, 1);
    EXPECT_EQ(pages.at[50], std::byte{7});
    EXPECT_EQ(pages.at[pages.bytes - 1], std::byte{9});
    pages.at[51] = std::byte{3};
    range.exchange(1, 2);
    EXPECT_EQ(pages.at[51], std::byte{7});
    range.exchange(2, 0);
    EXPECT_EQ(pages.at[50], std::byte{1});
    EXPECT_EQ(pages.at[51], std::byte{7});
    EXPECT_EQ(pages.at[pages.bytes - 1], std::byte{2});
    range.exchange(0, 1);
    EXPECT_EQ(pages.at[50], std::byte{7});
    EXPECT_EQ(pages.at[51], std::byte{3});
  }
}

TEST(SavedRange, SavedMemoryOfARankCanBeReadAndWritten) {
  for (const std::size_t count : {2u, 40u}) {
    Pages pages(count);
    std::memset(pages.at, 7, pages.bytes);
    SavedRange range(pages.at, pages.bytes, 2, true);
    range.exchange(SavedRange::kNone, 0);
    pages.at[4100] = std::byte{1};
    range.exchange(0, 1);
    std::byte* there = range.memory(0, pages.at + 4000, 200);
    EXPECT_EQ(there[0], std::byte{7});
    EXPECT_EQ(there[100], std::byte{1});
    std::memset(there, 5, 200);
    EXPECT_EQ(pages.at[4100], std::byte{7});
    range.exchange(1, 0);
    for (std::size_t i = 3999; i <= 4200; ++i)
      EXPECT_EQ(pages.at[i], i >= 4000 && i < 4200 ? std::byte{5} : std::byte{7}) << i;
  }
}

TEST(SavedRange, MemoryAfterARangeThatEndsWithinALineIsUnchanged) {
  std::vector<std::byte> memory(300, std::byte{7});
  SavedRange range(memory.data(), 150, 2, false);
  range.exchange(SavedRange::kNone, 0);
  memory[149] = std::byte{1};
  memory[150] = std::byte{2};
  range.exchange(0, 1);
  EXPECT_EQ(memory[149], std::byte{7});
  EXPECT_EQ(memory[150], std::byte{2});
  memory[150] = std::byte{3};
  range.exchange(1, 0);
  EXPECT_EQ(memory[149], std::byte{1});
  EXPECT_EQ(memory[150], std::byte{3});
}

TEST(SavedRange, PagesThatNoRankWritesCostNeitherMemoryNorTime) {
  constexpr std::uint32_t kRanks = 2'000;
  Pages pages(60);
  std::memset(pages.at, 7, pages.bytes / 2);  // initialised, and zeros
  SavedRange range(pages.at, pages.bytes, kRanks, true);
  if (range.compared_pages() != 0) GTEST_SKIP() << "this host has no page map";
  const std::uint64_t before = resident();
  std::uint32_t last = SavedRange::kNone;
  std::byte sum{0};
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      range.exchange(last, rank);
      last = rank;
      for (std::size_t at = 0; at < pages.bytes; at += kPage) sum |= pages.at[at];  // reading costs nothing
      pages.at[5 * kPage] = std::byte{1};
    }
  EXPECT_EQ(sum, std::byte{7});
  EXPECT_EQ(range.compared_pages(), 1u);
  // A page and a word for each of its pages; all pages of all ranks would be 480 MB.
  EXPECT_LT(resident() - before, kRanks * 3 * kPage);
}

}  // namespace
}  // namespace psim::net
