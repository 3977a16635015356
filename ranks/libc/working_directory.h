// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace psim::net {

/// The working directory of a rank that has changed it. A process has one, but each of its ranks needs its
/// own. A rank that never changed it has psim's at the start and costs nothing; for others each turn costs
/// two system calls. Holds a descriptor.
class WorkingDirectory {
 public:
  WorkingDirectory() = default;
  ~WorkingDirectory();
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

  /// Returns true if the rank has changed its directory.
  bool elsewhere() const { return descriptor_ >= 0; }
  /// Makes the directory of a descriptor, which it takes over, the rank's and at once the process's. Returns
  /// as fchdir() does: -1 and errno for an error.
  int change(int descriptor);
  /// Makes the rank's directory the process's. Requires elsewhere().
  void enter() const;
  /// Restores the process's directory at the start.
  static void leave();

 private:
  int descriptor_ = -1;
};

}  // namespace psim::net
