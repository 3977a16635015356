// SPDX-License-Identifier: Apache-2.0
#include "base/process_pool.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/error.h"

namespace psim {
namespace {

using namespace std::chrono_literals;

const auto kNoObserver = [](const std::vector<TaskView>&) {};

Task says(const std::string& text, std::chrono::milliseconds after = 0ms) {
  return {[=]() { return std::this_thread::sleep_for(after), text; }};
}

TEST(ProcessPool, ResultsComeInTheOrderOfTheTasks) {
  const std::vector<Task> tasks{says("slow", 100ms), says("quick"), says("third", 20ms)};
  EXPECT_EQ(do_all(tasks, 3, kNoObserver), (std::vector<std::string>{"slow", "quick", "third"}));
  EXPECT_EQ(do_all(tasks, 1, kNoObserver), (std::vector<std::string>{"slow", "quick", "third"}));
}

TEST(ProcessPool, LargeAndEmptyResultsArriveComplete) {
  const std::string large(1 << 20, 'x');
  EXPECT_EQ(do_all({says(large), says("")}, 2, kNoObserver), (std::vector<std::string>{large, ""}));
  EXPECT_TRUE(do_all({}, 2, kNoObserver).empty());
}

TEST(ProcessPool, EachTaskHasAProcessOfItsOwn) {
  const Task process_number{[]() { return std::to_string(::getpid()); }};
  const std::vector<std::string> pids = do_all({process_number, process_number}, 1, kNoObserver);
  EXPECT_NE(pids[0], pids[1]);
  EXPECT_NE(pids[0], std::to_string(::getpid()));
}

TEST(ProcessPool, NeverRunsMoreTasksThanJobs) {
  std::uint64_t most = 0;
  const Task task = says("", 50ms);
  do_all({task, task, task, task}, 2, [&](const std::vector<TaskView>& views) {
    std::uint64_t running = 0;
    for (const TaskView& view : views) running += view.started && !view.ended;
    most = std::max(most, running);
  });
  EXPECT_LE(most, 2u);
}

TEST(ProcessPool, AnExceptionOfATaskIsThrownAgain) {
  const Task mistake{[]() -> std::string { throw UserError("a mistake"); }};
  const Task fault{[]() -> std::string { throw std::logic_error("a fault"); }};
  try {
    do_all({mistake, says("later", 10s)}, 2, kNoObserver);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "a mistake");
  }
  try {
    do_all({fault}, 2, kNoObserver);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "a fault");
  }
}

TEST(ProcessPool, ATaskThatCrashesIsAnErrorThatNamesTheSignal) {
  const Task crash{[]() -> std::string { return ::raise(SIGTERM), ""; }};
  try {
    do_all({crash}, 1, kNoObserver);
    FAIL();
  } catch (const UserError&) {
    FAIL() << "a crash is psim's own error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "a simulation was ended by signal 15");
  }
}

TEST(ProcessPool, ATaskThatTheHostKillsIsNoErrorOfPsim) {
  const Task killed{[]() -> std::string { return ::raise(SIGKILL), ""; }};
  try {
    do_all({killed}, 1, kNoObserver);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "a simulation was ended by signal 9, as by a host without free memory");
  }
}

TEST(ProcessPool, AnInterruptEndsEveryChildAndIsReported) {
  const auto start = std::chrono::steady_clock::now();
  try {
    do_all({says("", 60s), says("", 60s)}, 2, [](const std::vector<TaskView>&) { ::raise(SIGTERM); });
    FAIL();
  } catch (const Interrupted& interrupt) {
    EXPECT_EQ(interrupt.signal, SIGTERM);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

}  // namespace
}  // namespace psim
