// SPDX-License-Identifier: Apache-2.0
#include "base/console.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

namespace psim {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// Replaces the file of a descriptor while the object lives.
class Redirected {
 public:
  Redirected(int descriptor, int by)
      : descriptor_(descriptor), saved_(::fcntl(descriptor, F_DUPFD_CLOEXEC, 10)) {
    if (by >= 0)
      ::dup2(by, descriptor_), ::close(by);
    else
      ::close(descriptor_);
  }
  ~Redirected() { ::dup2(saved_, descriptor_), ::close(saved_); }

 private:
  int descriptor_, saved_;
};

TEST(Console, OutputThatStandardOutputDoesNotTakeIsAnError) {
  const Redirected full(STDOUT_FILENO, ::open("/dev/full", O_WRONLY | O_CLOEXEC));
  EXPECT_THAT(
      [] {
        console::print("{}\n", "text");
        console::finish();
      },
      ThrowsMessage<UserError>("standard output: cannot be written: No space left on device"));
}

TEST(Console, AProgramsOutputThatIsLostIsReportedAtTheEnd) {
  const Redirected full(STDOUT_FILENO, ::open("/dev/full", O_WRONLY | O_CLOEXEC));
  console::pass_on(STDOUT_FILENO, "text\n");
  EXPECT_THROW(console::finish(), UserError);
}

TEST(Console, DiagnosticsThatCannotBeWrittenAreNoError) {
  {
    const Redirected full(STDERR_FILENO, ::open("/dev/full", O_WRONLY | O_CLOEXEC));
    console::log("{}\n", "text");
  }
  {
    const Redirected closed(STDERR_FILENO, -1);
    console::log("{}\n", "text");
  }
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);  // a pipe without a reader raises SIGPIPE
  const Redirected pipe(STDERR_FILENO, ends[1]);
  console::log("{}\n", "text");
  sigset_t pending;
  ::sigpending(&pending);
  EXPECT_EQ(::sigismember(&pending, SIGPIPE), 0);
}

TEST(Console, ControlCharactersReachNeitherStream) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  console::print("{}\n", "a\x1b[31m");
  console::log("{}\n", "b\x1b[31m");
  console::write_verbatim("\x1b[0m");
  console::pass_on(STDOUT_FILENO, "\x1b[1m");
  console::finish();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "a\\u001b[31m\n\x1b[0m\x1b[1m");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "b\\u001b[31m\n");
}

TEST(Console, ReservedDescriptorsTakeNeitherFilesNorBytes) {
  const Redirected closed(STDOUT_FILENO, -1);
  EXPECT_FALSE(console::is_reserved(STDOUT_FILENO));
  console::reserve_descriptors();
  EXPECT_TRUE(console::is_reserved(STDOUT_FILENO));
  EXPECT_FALSE(console::is_reserved(STDERR_FILENO));
  const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_GT(file, STDERR_FILENO);
  ::close(file);
  EXPECT_EQ(::write(STDOUT_FILENO, "x", 1), -1);
  EXPECT_EQ(::fchmod(STDOUT_FILENO, 0700), -1);
}

}  // namespace
}  // namespace psim
