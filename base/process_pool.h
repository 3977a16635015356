// SPDX-License-Identifier: Apache-2.0
// Independent simulations, each in its own process: SystemC elaborates once per process. Their results do not
// depend on the number that run at a time.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace psim {

struct Task {
  /// Runs in the child process. May throw.
  std::function<std::string()> work;
};

/// A watcher's view of a task.
struct TaskView {
  bool started = false, ended = false;
};

/// Thrown after SIGINT, SIGTERM or SIGHUP, once every child has ended.
struct Interrupted : std::exception {
  explicit Interrupted(int number) : signal(number) {}
  const char* what() const noexcept override { return "interrupted"; }
  int signal;
};

/// Does all tasks, at most `jobs` at a time, begun in the order given, and returns their results in that
/// order. Calls `watch` five times per second. If tasks fail, the first (in that order) of those that have
/// ended decides: the others are ended and its exception is rethrown, UserError as such, any other as
/// std::runtime_error.
std::vector<std::string> do_all(const std::vector<Task>& tasks, unsigned jobs,
                                const std::function<void(const std::vector<TaskView>&)>& watch);

}  // namespace psim
