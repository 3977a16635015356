// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace psim {
namespace {

TEST(Progress, WritesDurationsAsPeopleDo) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(250), "4 min 10 s");
  EXPECT_EQ(duration_text(7500), "2 h 5 min");
}

TEST(Progress, EstimatesFromTheShareThatIsDone) {
  EXPECT_EQ(time_left(10, 0.25), "30 s left");
  EXPECT_EQ(time_left(10, 1), "0 s left");
  EXPECT_EQ(time_left(10, 0), "time left unknown");
}

TEST(Progress, NamesTheEndOnlyWhereItIsKnown) {
  EXPECT_EQ(instructions_line(10, 20'000'000, 0, {}), "10 s: 20.0 M instructions, 2.00 M instructions/s");
  EXPECT_EQ(instructions_line(10, 20'000'000, 30'000'000, {80'000'000}),
            "10 s, 30 s left, 25 % done: 20.0 M instructions, 30.0 M cycles, 2.00 M instructions/s");
  EXPECT_EQ(instructions_line(10, 20'000'000, 0, {80'000'000, true}),
            "10 s, at most 30 s left, 25 % done: 20.0 M instructions, 2.00 M instructions/s");
}

TEST(Progress, GoesToTheDescriptorThatTheEnvironmentNames) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::setenv("PSIM_PROGRESS_FD", std::to_string(ends[1]).c_str(), 1);
  Progress progress(/*quiet=*/true);
  ASSERT_TRUE(progress.enabled());
  EXPECT_EQ(std::getenv("PSIM_PROGRESS_FD"), nullptr);  // not for other programs
  EXPECT_NE(::fcntl(ends[1], F_GETFD) & FD_CLOEXEC, 0);
  pollfd waiting{.fd = ends[0], .events = POLLIN, .revents = 0};
  while (::poll(&waiting, 1, 1) == 0) progress.update([](double) { return "half\x1b done"; });
  std::array<char, 64> text{};
  const ssize_t read = ::read(ends[0], text.data(), text.size());
  ASSERT_GT(read, 0);
  EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(read)), "half\\u001b done\n");
}

}  // namespace
}  // namespace psim
