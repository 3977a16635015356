// SPDX-License-Identifier: Apache-2.0
// Processes of the host that a rank makes: by fork() and its kin, by posix_spawn(), system(), popen() and
// daemon() (docs/decisions/0021). A copy that fork() makes is no simulator: it has the rank's memory, runs at
// the host's speed, ends as any process does, and may not call MPI. What children write to standard output
// and error becomes the rank's output when the rank has waited for one, or ends.
#pragma once

#include <sys/types.h>

#include <cstdint>
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
  /// In the copy that fork() made: nobody is its child yet.
  void clear() { children_.clear(); }

  /// Where the standard output (1) and error (2) of children go; -1 if the host cannot make a file for it.
  int output(int descriptor);
  /// Passes what children have written since the last call to the output of the rank.
  void print(RunningRank& rank);
  /// The rank is over: prints, and reports children that still run.
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

/// Whether this process is a copy that a rank's fork() made.
extern bool here;

/// The running rank's fork(), by the C library's function `real`: as in any process, with text that waits in
/// buffers written before. -1 and errno: it failed.
pid_t fork(pid_t (*real)());
/// The same, which returns in the rank once the copy has called a function of the exec family or is over.
pid_t vfork(pid_t (*real)());

/// The running rank's fork() or vfork(), for psim's own functions: by their plain names these would be
/// psim's.
pid_t fork_rank(bool as_vfork);
/// What getppid() returns in a copy, of which the host says `real`.
pid_t parent_of_copy(pid_t real);

/// In a copy: a call that only a rank can make ends it, with a message. `what`: "MPI_Send", or null.
[[noreturn]] void refuse(const char* what);
/// In a copy: nobody caught an exception, of which `text` says more.
[[noreturn]] void die_of_exception(const char* text);

/// While one lives, standard output and error of this process, which a child takes over, are those of the
/// running rank's children.
class Redirection {
 public:
  Redirection();
  ~Redirection();
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;

  /// Ends that of a rank that was left in the middle of it. Called after each of the ranks' turns.
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
