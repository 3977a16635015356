// SPDX-License-Identifier: Apache-2.0
// Independent simulations, each in a process of its own: SystemC elaborates once a process. What they return
// does not depend on how many run at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace psim {

struct Task {
  /// Done in the child process. May throw; `progress` is a number for the watcher.
  std::function<std::string(std::atomic<std::uint64_t>& progress)> work;
};

/// What a watcher sees of a task.
struct TaskView {
  bool started = false, ended = false;
  std::uint64_t progress = 0;
};

/// SIGINT, SIGTERM or SIGHUP came: every child has ended.
struct Interrupted : std::exception {
  explicit Interrupted(int number) : signal(number) {}
  const char* what() const noexcept override { return "interrupted"; }
  int signal;
};

/// Does all tasks, at most `jobs` at a time, begun in the order given; their results, in that order. `watch`
/// is called five times a second. The first task (in that order) that failed among those that ended ends the
/// others, and what it threw is thrown again: UserError as such, all else as std::runtime_error.
std::vector<std::string> do_all(const std::vector<Task>& tasks, unsigned jobs,
                                const std::function<void(const std::vector<TaskView>&)>& watch);

}  // namespace psim
