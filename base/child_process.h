// SPDX-License-Identifier: Apache-2.0
// Processes that psim starts for work of its own: simulations next to each other, runs of psim by psim. They
// end with their parent.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace psim {

/// A copy of this process that does one thing and ends.
class ChildProcess {
 public:
  /// The copy calls `work` and ends with the status that it returns, without what main() would do then. It
  /// gets SIGTERM when its parent ends. Throws UserError where the host allows no further process.
  explicit ChildProcess(const std::function<int()>& work);
  /// Ends the child if it has not been waited for.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  pid_t id() const { return pid_; }
  /// It has not been waited for.
  bool running() const { return pid_ > 0; }
  /// Sends it a signal, unless it has been waited for.
  void send(int signal) const;
  /// Waits for its end. Returns its exit status, or 128 + the signal that ended it. Once.
  int wait();

 private:
  pid_t pid_ = -1;
};

/// Bytes on their way from a child to its parent.
class Pipe {
 public:
  /// `flags` of both ends; 0: programs that the child executes have them, too.
  explicit Pipe(int flags = O_CLOEXEC);
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  /// In the parent, once the child has been started: a reader then sees the end.
  void close_write_end();
  /// Reads until no process has the write end, which the caller has closed.
  std::string read_all();
  /// Waits for bytes and appends them. Returns false at the end.
  bool read_some(std::string& text);

 private:
  int ends_[2];
};

/// Writes all bytes. Returns false where the reading end is closed.
bool write_all(int descriptor, std::string_view bytes);

/// Replaces this process, a child, by a run of `program` with these words. Returns only on failure, with
/// errno.
void execute(const char* program, const std::vector<std::string>& words);

}  // namespace psim
