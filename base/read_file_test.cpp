// SPDX-License-Identifier: Apache-2.0
#include "base/read_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

namespace psim {
namespace {

TEST(ReadFile, GivesAllBytesOrTheReasonOfTheFailure) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "psim-read-file";
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

TEST(ReadFile, RefusesFilesWithoutEnd) {
  constexpr std::uint64_t kMebibyte = 1 << 20;
  EXPECT_EQ(read_file("/dev/zero", kMebibyte).problem, "has more than 1 MiB; expected a smaller file");
  EXPECT_EQ(read_file("/dev/zero", kMebibyte).bytes, "");
  const std::filesystem::path sparse = std::filesystem::path(::testing::TempDir()) / "psim-read-file-sparse";
  std::ofstream(sparse, std::ios::binary);
  std::filesystem::resize_file(sparse, std::uint64_t{1} << 40);
  EXPECT_EQ(read_file(sparse).problem, "has more than 256 MiB; expected a smaller file");
  EXPECT_EQ(read_regular_file(sparse).problem, "has more than 2 GiB; expected a smaller file");
  std::filesystem::remove(sparse);
}

TEST(ReadFile, DoesNotWaitForTheWriterOfAPipeThatMustBeAFile) {
  const std::string pipe = ::testing::TempDir() + "/psim-read-file-pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read_regular_file(pipe).problem, "not a regular file");
  std::filesystem::remove(pipe);
}

TEST(ReadFile, ReportsThatItWaitsForTheWriterOfAPipe) {
  const std::string pipe = ::testing::TempDir() + "/psim-read-file-late";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int printed = ::memfd_create("printed", 0), kept = ::dup(2);
  ::dup2(printed, 2);
  std::thread writer([&] {
    char text[300] = {};
    while (::pread(printed, text, sizeof text - 1, 0) == 0) ::usleep(1000);
    EXPECT_EQ(text, "psim: " + pipe + ": this pipe has no data; waiting for a program that writes to it\n");
    std::ofstream(pipe) << "late";
  });
  EXPECT_EQ(read_file(pipe).bytes, "late");
  writer.join();
  ::dup2(kept, 2);
  ::close(kept), ::close(printed);
  std::filesystem::remove(pipe);
}

}  // namespace
}  // namespace psim
