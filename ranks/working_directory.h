// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace psim::net {

/// Where a rank is that has gone elsewhere: a process has one working directory, its ranks one each. A rank
/// that never changed it is where psim was started, and costs nothing; for one that did, each turn costs two
/// calls of the system. Holds a descriptor.
class WorkingDirectory {
 public:
  WorkingDirectory() = default;
  ~WorkingDirectory();
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

  /// Whether the rank has gone elsewhere.
  bool elsewhere() const { return descriptor_ >= 0; }
  /// Makes the directory of a descriptor, which it takes, the rank's and, at once, the process's; as
  /// fchdir(): -1 and errno if that fails.
  int change(int descriptor);
  /// The process's is the rank's. Needs elsewhere().
  void enter() const;
  /// The process's is that of the start again.
  static void leave();

 private:
  int descriptor_ = -1;
};

}  // namespace psim::net
