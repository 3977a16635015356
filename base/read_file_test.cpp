// SPDX-License-Identifier: Apache-2.0
#include "base/read_file.h"

#include <gtest/gtest.h>

#include <fstream>

namespace psim {
namespace {

TEST(ReadFile, GivesAllBytesOrSaysWhyNot) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "psim-read-file";
  std::filesystem::create_directories(folder);
  const std::string text = "one\0two\n" + std::string(200'000, 'x');
  std::ofstream(folder / "whole", std::ios::binary) << text;
  std::ofstream(folder / "empty", std::ios::binary);
  EXPECT_EQ(read_file(folder / "whole").bytes, text);
  EXPECT_EQ(read_file(folder / "whole").problem, "");
  EXPECT_EQ(read_file(folder / "empty").bytes, "");
  EXPECT_EQ(read_file(folder / "empty").problem, "");
  EXPECT_EQ(read_file(folder).problem, "is a directory");
  EXPECT_EQ(read_file(folder / "absent").problem, "No such file or directory");
  EXPECT_EQ(read_file("/dev/null").problem, "");
  EXPECT_EQ(read_regular_file(folder / "whole").bytes, text);
  EXPECT_EQ(read_regular_file("/dev/zero").problem, "not a regular file");
  EXPECT_EQ(read_regular_file(folder).problem, "is a directory");
  EXPECT_EQ(read_regular_file(folder / "absent").problem, "No such file or directory");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace psim
