// SPDX-License-Identifier: Apache-2.0
#include "base/process_pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>

#include "base/child_process.h"
#include "base/error.h"

namespace psim {
namespace {

// The first byte that a child sends.
constexpr char kResult = 'R', kUserError = 'U', kFault = 'F';

constexpr int kTerminating[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kWatchMilliseconds = 200;

/// Routes terminating signals to descriptor() instead of ending psim, while it lives.
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

/// Does the task and sends its answer.
int answer_for(const Task& task, int pipe, const sigset_t& mask) {
  for (const int number : kTerminating) ::signal(number, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  std::string answer;
  try {
    answer = kResult + task.work();
  } catch (const UserError& error) {
    answer = std::string(1, kUserError) + error.what();
  } catch (const std::exception& error) {
    answer = std::string(1, kFault) + error.what();
  }
  return write_all(pipe, answer) ? 0 : 1;
}

/// A task that has begun.
struct Running {
  std::unique_ptr<Pipe> pipe;  ///< null: it has ended
  std::optional<ChildProcess> process;
  std::string answer;
};

class Pool {
 public:
  Pool(const std::vector<Task>& tasks, unsigned jobs)
      : tasks_(tasks), jobs_(std::max(jobs, 1u)), children_(tasks.size()), views_(tasks.size()) {}
  ~Pool() { end_all(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::vector<std::string> run(const std::function<void(const std::vector<TaskView>&)>& watch) {
    std::fflush(nullptr);
    while (ended_ < tasks_.size()) {
      while (running_ < jobs_ && next_ < tasks_.size()) start(next_++);
      wait();
      watch(views_);
    }
    std::vector<std::string> results;
    for (Running& child : children_) results.push_back(child.answer.substr(1));
    return results;
  }

 private:
  void start(std::size_t i) {
    auto pipe = std::make_unique<Pipe>();
    children_[i].process.emplace([&] { return answer_for(tasks_[i], pipe->write_end(), signals_.before()); });
    pipe->close_write_end();
    children_[i].pipe = std::move(pipe);
    views_[i].started = true;
    ++running_;
  }

  void wait() {
    std::vector<pollfd> polled{{signals_.descriptor(), POLLIN, 0}};
    std::vector<std::size_t> indices{0};
    for (std::size_t i = 0; i < children_.size(); ++i)
      if (children_[i].pipe)
        polled.push_back({children_[i].pipe->read_end(), POLLIN, 0}), indices.push_back(i);
    if (::poll(polled.data(), polled.size(), kWatchMilliseconds) <= 0) return;
    if (polled[0].revents & POLLIN) {
      const int number = signals_.take();
      end_all();
      throw Interrupted(number);
    }
    for (std::size_t p = 1; p < polled.size(); ++p)
      if (polled[p].revents != 0) receive(indices[p]);
  }

  void receive(std::size_t i) {
    Running& child = children_[i];
    if (child.pipe->read_some(child.answer)) return;
    const int status = child.process->wait();
    child.pipe.reset();
    --running_, ++ended_;
    views_[i].ended = true;
    if (child.answer.empty() && status == 128 + SIGKILL)
      throw UserError("a simulation was ended by signal 9, as by a host without free memory");
    if (child.answer.empty())
      throw std::runtime_error(status > 128 ? fmt::format("a simulation was ended by signal {}", status - 128)
                                            : std::string("a simulation ended without a result"));
    if (child.answer[0] == kUserError) throw UserError(child.answer.substr(1));
    if (child.answer[0] == kFault) throw std::runtime_error(child.answer.substr(1));
  }

  /// Sends SIGTERM to all children before waiting for any, because each first removes its guest's temporary
  /// directory.
  void end_all() {
    for (const Running& child : children_)
      if (child.process) child.process->send(SIGTERM);
    for (Running& child : children_)
      if (child.process && child.process->running()) child.process->wait();
  }

  const std::vector<Task>& tasks_;
  const unsigned jobs_;
  HeldSignals signals_;
  std::vector<Running> children_;
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
