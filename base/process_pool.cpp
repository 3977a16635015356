// SPDX-License-Identifier: Apache-2.0
#include "base/process_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string_view>

#include "base/error.h"

namespace psim {
namespace {

// The first byte of what a child sends.
constexpr char kResult = 'R', kUserError = 'U', kFault = 'F';

constexpr int kTerminating[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kWatchMilliseconds = 200;

/// While it lives, terminating signals come through descriptor() instead of ending psim.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t held;
    sigemptyset(&held);
    for (const int number : kTerminating) sigaddset(&held, number);
    ::sigprocmask(SIG_BLOCK, &held, &before_);
    descriptor_ = ::signalfd(-1, &held, SFD_CLOEXEC);
  }
  ~HeldSignals() {
    ::close(descriptor_);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  int descriptor() const { return descriptor_; }
  int take() const {
    signalfd_siginfo info{};
    return ::read(descriptor_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
  }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

/// Numbers that parent and children see.
class SharedCounters {
 public:
  explicit SharedCounters(std::size_t count) : bytes_(std::max<std::size_t>(count, 1) * sizeof(Counter)) {
    void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    counters_ = new (memory) Counter[std::max<std::size_t>(count, 1)]{};
  }
  ~SharedCounters() { ::munmap(counters_, bytes_); }
  SharedCounters(const SharedCounters&) = delete;
  SharedCounters& operator=(const SharedCounters&) = delete;
  std::atomic<std::uint64_t>& operator[](std::size_t i) { return counters_[i]; }

 private:
  using Counter = std::atomic<std::uint64_t>;
  static_assert(Counter::is_always_lock_free);
  std::size_t bytes_;
  Counter* counters_;
};

void send(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(pipe, bytes.data(), bytes.size());
    if (sent <= 0) ::_exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

[[noreturn]] void be_child(const Task& task, int pipe, pid_t parent, const sigset_t& mask,
                           std::atomic<std::uint64_t>& progress) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // a killed psim leaves nothing running
  if (::getppid() != parent) ::_exit(1);
  for (const int number : kTerminating) ::signal(number, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  std::string answer;
  try {
    answer = kResult + task.work(progress);
  } catch (const UserError& error) {
    answer = std::string(1, kUserError) + error.what();
  } catch (const std::exception& error) {
    answer = std::string(1, kFault) + error.what();
  }
  send(pipe, answer);
  ::_exit(0);  // what the parent has not written yet is the parent's
}

struct Child {
  pid_t pid = -1;
  int pipe = -1;
  std::string answer;
};

class Pool {
 public:
  Pool(const std::vector<Task>& tasks, unsigned jobs)
      : tasks_(tasks),
        jobs_(std::max(jobs, 1u)),
        counters_(tasks.size()),
        children_(tasks.size()),
        views_(tasks.size()) {}
  ~Pool() { end_all(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::vector<std::string> run(const std::function<void(const std::vector<TaskView>&)>& watch) {
    std::fflush(nullptr);
    while (ended_ < tasks_.size()) {
      while (running_ < jobs_ && next_ < tasks_.size()) start(next_++);
      wait();
      for (std::size_t i = 0; i < views_.size(); ++i)
        views_[i].progress = counters_[i].load(std::memory_order_relaxed);
      watch(views_);
    }
    std::vector<std::string> results;
    for (Child& child : children_) results.push_back(child.answer.substr(1));
    return results;
  }

 private:
  void start(std::size_t i) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for another process");
    const pid_t parent = ::getpid(), pid = ::fork();
    if (pid == 0) be_child(tasks_[i], ends[1], parent, signals_.before(), counters_[i]);
    ::close(ends[1]);
    if (pid < 0) {
      ::close(ends[0]);
      throw UserError("this host allows no further process");
    }
    children_[i] = {pid, ends[0], {}};
    views_[i].started = true;
    ++running_;
  }

  void wait() {
    std::vector<pollfd> polled{{signals_.descriptor(), POLLIN, 0}};
    std::vector<std::size_t> who{0};
    for (std::size_t i = 0; i < children_.size(); ++i)
      if (children_[i].pipe >= 0) polled.push_back({children_[i].pipe, POLLIN, 0}), who.push_back(i);
    if (::poll(polled.data(), polled.size(), kWatchMilliseconds) <= 0) return;
    if (polled[0].revents & POLLIN) {
      const int number = signals_.take();
      end_all();
      throw Interrupted(number);
    }
    for (std::size_t p = 1; p < polled.size(); ++p)
      if (polled[p].revents != 0) receive(who[p]);
  }

  void receive(std::size_t i) {
    Child& child = children_[i];
    char buffer[4096];
    const ssize_t size = ::read(child.pipe, buffer, sizeof buffer);
    if (size > 0) {
      child.answer.append(buffer, static_cast<std::size_t>(size));
      return;
    }
    const int status = reap(child);
    --running_, ++ended_;
    views_[i].ended = true;
    if (child.answer.empty())
      throw std::runtime_error(WIFSIGNALED(status)
                                   ? fmt::format("a simulation was ended by signal {}", WTERMSIG(status))
                                   : std::string("a simulation ended without a result"));
    if (child.answer[0] == kUserError) throw UserError(child.answer.substr(1));
    if (child.answer[0] == kFault) throw std::runtime_error(child.answer.substr(1));
  }

  static int reap(Child& child) {
    int status = 0;
    ::close(child.pipe);
    child.pipe = -1;
    while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    child.pid = -1;
    return status;
  }

  /// A child that is asked to end removes its guest's temporary directory first.
  void end_all() {
    for (const Child& child : children_)
      if (child.pid > 0) ::kill(child.pid, SIGTERM);
    for (Child& child : children_)
      if (child.pid > 0) reap(child);
  }

  const std::vector<Task>& tasks_;
  const unsigned jobs_;
  HeldSignals signals_;
  SharedCounters counters_;
  std::vector<Child> children_;
  std::vector<TaskView> views_;
  std::size_t next_ = 0, ended_ = 0;
  unsigned running_ = 0;
};

}  // namespace

std::vector<std::string> do_all(const std::vector<Task>& tasks, unsigned jobs,
                                const std::function<void(const std::vector<TaskView>&)>& watch) {
  return Pool(tasks, jobs).run(watch);
}

}  // namespace psim
