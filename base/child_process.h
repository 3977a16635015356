// SPDX-License-Identifier: Apache-2.0
// Processes that psim starts for its own work: simulations next to each other, and runs of psim by psim. They
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

/// A copy of this process that does one task and ends.
class ChildProcess {
 public:
  /// Starts a copy that calls `work` and exits with the status that it returns, without returning to main().
  /// The copy receives SIGTERM when its parent ends. Throws UserError if the host allows no further process.
  explicit ChildProcess(const std::function<int()>& work);
  /// Ends the child if it has not been waited for.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  pid_t id() const { return pid_; }
  /// Returns true until the child has been waited for.
  bool running() const { return pid_ > 0; }
  /// Sends the child a signal, unless it has been waited for.
  void send(int signal) const;
  /// Waits for the child's end. Returns its exit status, or 128 + the signal that ended it. Call it once.
  int wait();

 private:
  pid_t pid_ = -1;
};

/// A pipe for bytes from a child to its parent.
class Pipe {
 public:
  /// Creates the pipe. `flags` apply to both ends; with 0, programs that the child executes inherit them,
  /// too.
  explicit Pipe(int flags = O_CLOEXEC);
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  /// Closes the read end. The parent calls this once the child has started, if it writes to the child: a
  /// child that has ended is then no longer among the readers.
  void close_read_end();
  /// Closes the write end. The parent calls this once the child has started, so that a reader sees the end.
  void close_write_end();
  /// Reads until no process has the write end open. The caller has closed its own.
  std::string read_all();
  /// Waits for bytes and appends them. Returns false at the end of the stream.
  bool read_some(std::string& text);

 private:
  int ends_[2];
};

/// Writes all bytes. Returns false if the reading end is closed, without SIGPIPE.
bool write_all(int descriptor, std::string_view bytes);

/// Replaces this process, a child, by a run of `program` with these words. Returns only on failure, with
/// errno set.
void execute(const char* program, const std::vector<std::string>& words);

}  // namespace psim
