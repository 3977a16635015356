// SPDX-License-Identifier: Apache-2.0
// Host processes that a rank makes: by fork() and related functions, posix_spawn(), system(), popen() and
// daemon() (docs/decisions/0021). A copy made by fork() is no simulator. It has the rank's memory, runs at
// the host's speed, ends like any process, and may not call MPI. Children's standard output and error become
// the rank's output when the rank has waited for one of them, or ends.
#pragma once

#include <sys/types.h>

#include <vector>

namespace psim::net {

class RunningRank;

/// The children of one rank that it has not waited for.
class ChildProcesses {
 public:
  ChildProcesses() = default;
  ~ChildProcesses();
  ChildProcesses(const ChildProcesses&) = delete;
  ChildProcesses& operator=(const ChildProcesses&) = delete;

  void add(pid_t child) { children_.push_back(child); }
  void forget(pid_t child);
  const std::vector<pid_t>& all() const { return children_; }
  /// In a copy made by fork(): drops all children, which are not the copy's.
  void clear() { children_.clear(); }

  /// Returns the file for standard output (1) or error (2) of children, or -1 if the host cannot make one.
  int output(int descriptor);
  /// Passes what children have written since the last call to the output of the rank.
  void print(RunningRank& rank);
  /// Prints, and reports children that still run, at the end of the rank.
  void finish(RunningRank& rank);

 private:
  struct Written {
    int descriptor = -1;
    off_t printed = 0;
  };
  std::vector<pid_t> children_;
  Written written_[2];  // standard output, standard error
};

namespace child_process {

/// True if this process is a copy made by a rank's fork().
extern bool here;

/// Calls fork() of the C library, `real`, for the running rank, after writing all buffered text as in any
/// process. Returns -1 and errno if it failed.
pid_t fork(pid_t (*real)());
/// As fork(), but returns in the rank once the copy has called a function of the exec family or has ended.
pid_t vfork(pid_t (*real)());

/// Calls the running rank's fork() or vfork() for psim's own functions, whose plain names would mean psim's.
pid_t fork_rank(bool as_vfork);
/// Returns the result of getppid() in a copy, where the host's is `real`.
pid_t parent_of_copy(pid_t real);

/// Ends the copy with a message: only a rank may make this call. `what`: "MPI_Send", or null.
[[noreturn]] void refuse(const char* what);
/// Ends the copy after an uncaught exception, which `text` describes.
[[noreturn]] void die_of_exception(const char* text);

/// Redirects standard output and error of this process to those of the running rank's children, while it
/// lives.
class Redirection {
 public:
  Redirection();
  ~Redirection();
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;

  /// Ends the redirection of a rank that was left within it. Called after each turn of a rank.
  static void restore() {
    if (active_) [[unlikely]]
      put_back();
  }

 private:
  static void put_back();
  static bool active_;
};

}  // namespace child_process

}  // namespace psim::net
