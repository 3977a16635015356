// SPDX-License-Identifier: Apache-2.0
// A rank's descriptors of standard output and error, which it may redirect by dup2() or close. The
// descriptors of psim's process stay as they are.
#pragma once

#include <unistd.h>

#include <array>
#include <map>

#include "ranks/libc/output.h"

namespace psim::net {

/// Targets of one rank's standard output and error, and of its copies of them.
class StandardDescriptors {
 public:
  struct Target {
    static constexpr int kOutput = -1, kClosed = -2;
    bool is_output() const { return file == kOutput; }
    /// Returns a descriptor of the process that refers to the target.
    int descriptor() const {
      return is_output() ? (stream == Stream::Out ? STDOUT_FILENO : STDERR_FILENO) : file;
    }
    int file = kOutput;           ///< descriptor of the process, which refuses kClosed with EBADF
    Stream stream = Stream::Out;  ///< the rank's output, if `file` is kOutput
  };

  StandardDescriptors() = default;
  ~StandardDescriptors();
  StandardDescriptors(const StandardDescriptors&) = delete;
  StandardDescriptors& operator=(const StandardDescriptors&) = delete;

  static bool is_standard(int descriptor) {
    return descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO;
  }
  /// Returns true once a rank has redirected, closed or copied a standard descriptor.
  static bool used() { return used_; }
  /// Returns the target of any descriptor of a rank that has not done so.
  static Target plain(int descriptor);
  /// Returns the target of any descriptor of this rank.
  Target target(int descriptor) const;

  /// Redirects a standard descriptor. Returns false, with errno, if the host refuses a copy of the file.
  bool redirect(int descriptor, const Target& target);
  /// Returns false, with errno, if the standard descriptor is closed already.
  bool close(int descriptor);
  /// Returns the lowest standard descriptor that the rank has closed, or -1.
  int lowest_closed() const;
  /// Notes that a new descriptor of the process, or -1, is a copy of `target`. Returns it.
  int note_copy(int descriptor, const Target& target);
  /// Forgets a copy that is closed or replaced.
  void forget_copy(int descriptor) { copies_.erase(descriptor); }
  /// In a copy made by fork(): gives the process's descriptors these targets; `out`, `error`: files for the
  /// rank's output.
  void become_process(int out, int error);

 private:
  static bool used_;
  std::array<Target, 2> targets_{Target{Target::kOutput, Stream::Out},
                                 Target{Target::kOutput, Stream::Error}};
  std::map<int, Stream> copies_;  ///< descriptors that refer to the rank's output
};

}  // namespace psim::net
