// SPDX-License-Identifier: Apache-2.0
#include "base/child_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>

namespace psim {
namespace {

TEST(ChildProcess, TheStatusIsTheResultOfItsWork) {
  EXPECT_EQ(ChildProcess([] { return 7; }).wait(), 7);
  EXPECT_EQ(ChildProcess([]() -> int { throw std::runtime_error("lost"); }).wait(), 1);
}

TEST(ChildProcess, TheStatusNamesTheSignalThatEndedIt) {
  ChildProcess child([] { return ::pause(); });
  child.send(SIGKILL);
  EXPECT_EQ(child.wait(), 128 + SIGKILL);
}

TEST(ChildProcess, NoReaderWaitsForEver) {
  pid_t id;
  {
    const ChildProcess child([] { return ::pause(); });
    id = child.id();
  }
  EXPECT_EQ(::kill(id, 0), -1);  // the child has ended and was waited for
}

TEST(ChildProcess, ItsOutputArrivesComplete) {
  const std::string text(1 << 20, 'x');  // more than a pipe holds
  Pipe pipe;
  ChildProcess child([&] { return write_all(pipe.write_end(), text) ? 0 : 1; });
  pipe.close_write_end();
  EXPECT_EQ(pipe.read_all(), text);
  EXPECT_EQ(child.wait(), 0);
}

TEST(ChildProcess, ALongTextForAChildThatHasEndedIsAnErrorAndNoWait) {
  Pipe pipe;
  ChildProcess child([] { return 0; });
  pipe.close_read_end();
  EXPECT_EQ(child.wait(), 0);
  EXPECT_FALSE(write_all(pipe.write_end(), std::string(1 << 20, 'x')));  // without SIGPIPE
}

TEST(ChildProcess, AProgramThatCannotBeExecutedLeavesTheChildToItself) {
  ChildProcess child([] {
    execute("/no/such/program", {"program"});
    return 127;
  });
  EXPECT_EQ(child.wait(), 127);
}

}  // namespace
}  // namespace psim
