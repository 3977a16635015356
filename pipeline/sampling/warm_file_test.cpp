// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/warm_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"

namespace psim::pipeline {
namespace {
using Words = std::vector<std::uint64_t>;

/// Returns the bytes of a file with three points and no instructions.
std::string small_file(const Words& first, const Words& second) {
  const std::string path = ::testing::TempDir() + "/psim-warm-file-test.warm";
  {
    WarmFileWriter writer(path, "--save-warm");
    writer.trace().properties({});
    writer.trace().text({});
    writer.trace().finish({});
    writer.point({1000,
                  10,
                  50,
                  0,
                  {0, 1},
                  0,
                  false,
                  0,
                  true,
                  0,
                  {{7, 300}, {9, 400}},
                  {700, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
                 first);
    writer.point({2000, 20, 60, 0, {}, 0x1234, true, 48, false, 11, {}}, second);
    EXPECT_FALSE(std::filesystem::exists(path));
    WarmSummary summary{3000, true, false, {}, {"a note"}, {44, 33}, {{11, 500}}, {800, 11}, {20, 1010}};
    summary.regions.push_back({"dgemm", {128, -1}, 5, {}, {}, {}});
    summary.regions.push_back({"further", {}, 6, {}, {}, {}});
    summary.regions[0].totals.instructions = 77;
    summary.regions[0].statistics.totals = {22};
    writer.finish(summary, "{}");
  }
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::filesystem::remove(path);
  return bytes;
}
const Words kFirst{1, 2, 3, ~std::uint64_t{0}}, kSecond{1, 0, 3, 5};

std::string error_of(std::string bytes) {
  try {
    WarmFile file("a.warm", std::move(bytes));
    for (std::size_t n = 0; n < file.points(); ++n) file.next_state();
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(WarmFile, ReturnsWhatWasWritten) {
  WarmFile file("a.warm", small_file(kFirst, kSecond));
  EXPECT_EQ(file.description(), "{}");
  ASSERT_EQ(file.points(), 2u);
  EXPECT_EQ(file.point(0).instructions, 1000u);
  EXPECT_EQ(file.point(1).weight, 60u);
  EXPECT_EQ(file.point(0).open, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(file.next_state(), kFirst);
  EXPECT_EQ(file.next_state(), kSecond);
  const WarmSummary& summary = file.summary();
  EXPECT_EQ(summary.instructions, 3000u);
  EXPECT_EQ(file.point(1).loop, 0x1234u);
  EXPECT_TRUE(!file.point(0).burst && file.point(0).watch && file.point(1).burst && !file.point(1).watch);
  EXPECT_EQ(file.point(1).lost, 48u);
  EXPECT_EQ(file.point(1).episode, 11u);
  ASSERT_EQ(file.point(0).passed.size(), 2u);
  EXPECT_EQ(file.point(0).passed[1].instructions, 400u);
  ASSERT_EQ(summary.passed.size(), 1u);
  EXPECT_EQ(summary.passed[0].kind, 11u);
  EXPECT_EQ(file.point(0).work.all(), (std::array<std::uint64_t, 11>{700, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(file.point(1).work.instructions, 0u);
  EXPECT_EQ(summary.work.loads, 11u);
  EXPECT_EQ(summary.l2.misses, 44u);
  EXPECT_EQ(summary.l2.evictions, 33u);
  EXPECT_EQ(summary.new_code, (std::vector<std::uint64_t>{20, 1010}));
  EXPECT_EQ(summary.regions[0].statistics.totals, (std::vector<std::uint64_t>{22}));
  EXPECT_TRUE(summary.ends_in_window);
  ASSERT_EQ(summary.regions.size(), 2u);
  EXPECT_EQ(summary.regions[0].arguments, (std::vector<std::int64_t>{128, -1}));
  EXPECT_EQ(summary.regions[0].totals.instructions, 77u);
  EXPECT_EQ(summary.notes, std::vector<std::string>{"a note"});
}

TEST(WarmFile, RefusesFilesThatAreCutOffAnywhere) {
  const std::string bytes = small_file(kFirst, kSecond);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_TRUE(error_of(bytes.substr(0, size)).starts_with("a.warm: ")) << size;
  EXPECT_EQ(error_of(bytes), "");
  EXPECT_NE(error_of(bytes + "x"), "");
}

TEST(WarmFile, RefusesDamagedForeignAndOtherVersions) {
  const std::string bytes = small_file(kFirst, kSecond);
  for (std::size_t at = 16; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_NE(error_of(damaged), "") << at;
  }
  EXPECT_EQ(error_of("PSIMTRC\n" + bytes.substr(8)),
            "a.warm: no file of saved warm state; expected one of psim run --save-warm");
  std::string older = bytes;
  older[8] = 0;
  EXPECT_EQ(error_of(older),
            "a.warm: version 0 of saved warm state; expected 6: save it again with this psim");
}

}  // namespace
}  // namespace psim::pipeline
