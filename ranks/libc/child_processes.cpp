// SPDX-License-Identifier: Apache-2.0
#include "ranks/libc/child_processes.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <string>

#include "ranks/libc/libc_next.h"
#include "ranks/libc/libc_state.h"

namespace psim::net {

namespace child_process {
bool here = false;
}

namespace {
/// In a copy: the process id of its parent, on the host and as the rank sees it.
pid_t parent = 0, parent_as_rank = 0;
}  // namespace

namespace {

std::uint64_t host_clock() {
  timespec time{};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

[[noreturn]] void end_process(int status) {
  ::syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

/// Writes without the rank's streams, because the program may be changing their buffers.
void say(const std::string& text) { ::syscall(SYS_write, 2, text.data(), text.size()); }

/// RunningRank of a copy that fork() made. The C library's state is the rank's; everything else is the
/// host's.
class ForkedRank final : public RunningRank {
 public:
  explicit ForkedRank(RunningRank& rank, std::uint64_t time)
      : rank_(rank), time_(time), begin_(host_clock()) {}

  LibcState& libc() override { return rank_.libc(); }
  [[noreturn]] void exit(int status, bool run_handlers) override {
    if (run_handlers) {
      rank_.run_exit_handlers();
      std::cout.flush();
      std::fflush(nullptr);  // holds no text of other ranks: fork() has written that before
    }
    end_process(status);
  }
  void write(Stream stream, std::string_view text) override {
    const int descriptor = stream == Stream::Out ? STDOUT_FILENO : STDERR_FILENO;
    while (!text.empty()) {
      const long n = ::syscall(SYS_write, descriptor, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  std::uint32_t number() const override { return rank_.number(); }
  std::int32_t process() const override { return static_cast<std::int32_t>(::syscall(SYS_getpid)); }
  std::uint32_t node() const override { return rank_.node(); }
  std::uint64_t turns() const override { return rank_.turns(); }
  /// Continues from the time of fork(), at the host's speed.
  std::uint64_t look_at_clock() override { return now(); }
  std::uint64_t now() override { return time_ + (host_clock() - begin_) * 1000; }
  void sleep(std::uint64_t ps) override {
    timespec left{static_cast<time_t>(ps / 1'000'000'000'000),
                  static_cast<long>(ps % 1'000'000'000'000 / 1000)};
    while (::syscall(SYS_nanosleep, &left, &left) != 0 && errno == EINTR) {
    }
  }
  bool in_program(const void* address) const override { return rank_.in_program(address); }
  bool is_own(const void* address) const override { return rank_.is_own(address); }
  const char* file_at(const void* base) const override { return rank_.file_at(base); }
  bool threads_for(const void*) const override { return false; }  // they are the host's
  RankThreads* threads() override { return nullptr; }
  RankThreads& start_threads() override { child_process::refuse(nullptr); }
  void run_exit_handlers() override { rank_.run_exit_handlers(); }
  void before_fork() override {}
  void after_fork(bool) override {}

 private:
  RunningRank& rank_;
  std::uint64_t time_, begin_;  // ps of simulated time, and ns of the host's clock, at fork()
};

/// Reinstalls the rank's own handlers of the signals that the simulator handles.
void take_signals(const LibcState& libc) {
  PSIM_NEXT(sigaction);
  for (const int signal :
       {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTERM, SIGPROF}) {
    struct sigaction action {};
    if (const auto wanted = libc.signals.find(signal); wanted != libc.signals.end())
      action = wanted->second;
    else if (real(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      continue;
    else
      action = {};
    real(signal, &action, nullptr);
  }
}

/// Makes this process the running rank's copy. `out`, `error`: its standard streams.
void begin(RunningRank& rank, std::uint64_t time, int out, int error) {
  static ForkedRank* forked = nullptr;
  forked = new ForkedRank(rank, time);  // of a copy's copy, of the copy
  running_rank = forked;
  rank_thread = true;
  LibcState& libc = rank.libc();
  if (!child_process::here) {
    parent = static_cast<pid_t>(::syscall(SYS_getppid));
    parent_as_rank = rank.process();
    take_signals(libc);
    libc.descriptors.become_process(out, error);
    libc.entropy += (libc.forks + 1) << 40;  // for other numbers than the rank's
  }
  libc.children.clear();
  child_process::here = true;
}

}  // namespace

ChildProcesses::~ChildProcesses() {
  for (const Written& written : written_)
    if (written.descriptor >= 0) ::close(written.descriptor);
}

void ChildProcesses::forget(pid_t child) { std::erase(children_, child); }

int ChildProcesses::output(int descriptor) {
  int& file = written_[descriptor - 1].descriptor;
  if (file < 0) file = ::memfd_create("psim-child-output", MFD_CLOEXEC);
  return file;
}

void ChildProcesses::print(RunningRank& rank) {
  for (Written& written : written_) {
    if (written.descriptor < 0) continue;
    std::array<char, 4096> text;
    while (true) {
      const ssize_t n = ::pread(written.descriptor, text.data(), text.size(), written.printed);
      if (n <= 0) break;
      written.printed += n;
      rank.write(&written == &written_[0] ? Stream::Out : Stream::Error,
                 {text.data(), static_cast<std::size_t>(n)});
    }
  }
}

void ChildProcesses::finish(RunningRank& rank) {
  std::erase_if(children_, [](pid_t child) {
    const long over = ::syscall(SYS_wait4, child, nullptr, WNOHANG, nullptr);
    return over == child || (over < 0 && errno == ECHILD);
  });
  print(rank);
  if (children_.empty()) return;
  const bool one = children_.size() == 1;
  rank.write(Stream::Error,
             "psim: rank " + std::to_string(rank.number()) + " ended while " +
                 (one ? "a child process" : std::to_string(children_.size()) + " child processes") +
                 " that it has not waited for still " + (one ? "runs; its" : "run; their") +
                 " further output is lost\n");
}

namespace child_process {

pid_t fork(pid_t (*real)()) {
  RunningRank& rank = *running_rank;
  const std::uint64_t time = rank.now();
  StandardStreams::flush();
  std::fflush(nullptr);
  ChildProcesses& children = rank.libc().children;
  const int out = here ? -1 : children.output(STDOUT_FILENO),
            error = here ? -1 : children.output(STDERR_FILENO);
  rank.before_fork();
  const pid_t child = real();
  const int why = errno;
  if (child == 0) begin(rank, time, out, error);
  rank.after_fork(child == 0);
  if (child > 0) {
    children.add(child);
    ++rank.libc().forks;
  }
  errno = why;
  return child;
}

pid_t vfork(pid_t (*real)()) {
  // The copy's end of the pipe is closed by exec or by its exit.
  int over[2];
  if (::pipe2(over, O_CLOEXEC) != 0) return -1;
  const pid_t child = fork(real);
  const int why = errno;
  ::close(over[child == 0 ? 0 : 1]);
  if (child == 0) return 0;  // the other end stays open
  char nothing = 0;
  while (child > 0 && ::read(over[0], &nothing, 1) < 0 && errno == EINTR) {
  }
  ::close(over[0]);
  errno = why;
  return child;
}

pid_t parent_of_copy(pid_t real) { return real == parent ? parent_as_rank : real; }

void refuse(const char* what) {
  const std::string call = what != nullptr ? what : "a function that needs the simulator";
  say("psim: rank " + std::to_string(running_rank->number()) + ": " + call +
      " was called in a child process, a copy that fork() made; only the rank itself may call it\n");
  end_process(1);
}

void die_of_exception(const char* text) {
  say("psim: rank " + std::to_string(running_rank->number()) + ", in a child process: " + text + "\n");
  ::signal(SIGABRT, SIG_DFL);
  ::raise(SIGABRT);
  end_process(1);
}

bool Redirection::active_ = false;

namespace {
/// This process's standard output and error while they are redirected.
std::array<int, 2> saved{-1, -1};
}  // namespace

Redirection::Redirection() {
  if (here || active_) return;
  StandardStreams::flush();
  std::fflush(nullptr);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    LibcState& libc = running_rank->libc();
    const StandardDescriptors::Target target = libc.descriptors.target(descriptor);
    const int file = target.is_output() ? libc.children.output(target.descriptor()) : target.file;
    int& own = saved[static_cast<std::size_t>(descriptor - 1)];
    if (file < 0 || (own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) < 0) continue;
    ::dup2(file, descriptor);
    active_ = true;
  }
}

Redirection::~Redirection() { restore(); }

void Redirection::put_back() {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    int& own = saved[static_cast<std::size_t>(descriptor - 1)];
    if (own < 0) continue;
    ::dup2(own, descriptor);
    ::close(own);
    own = -1;
  }
  active_ = false;
}

}  // namespace child_process

}  // namespace psim::net
