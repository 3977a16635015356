// SPDX-License-Identifier: Apache-2.0
// Temporary files and folders that outlive a killed process. Each is locked (flock) while its process lives.
// The next process that works in the same folder removes those that no process holds locked. Unlike a process
// number, a lock is never mistaken for that of another process, and the kernel drops it however the process
// ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace psim {

/// Returns `prefix` and six random letters and digits.
std::string random_name(std::string_view prefix);

enum class AbandonedKind { Files, Folders };
/// Removes files or folders in `folder` that have a name as random_name(prefix) returns, belong to this user
/// and are held locked by no process. Failures are ignored.
void remove_abandoned(const std::string& folder, std::string_view prefix, AbandonedKind kind);

/// The descriptor of a locked file or folder. Closing it drops the lock.
class LockHandle {
 public:
  explicit LockHandle(int descriptor = -1) : descriptor_(descriptor) {}
  ~LockHandle();
  LockHandle(LockHandle&& other) noexcept;
  LockHandle& operator=(LockHandle&& other) noexcept;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// A new folder, removed with its contents.
class TemporaryFolder {
 public:
  /// Creates `parent`/random_name(`prefix`) for this user alone and locks it, after remove_abandoned().
  /// Returns nothing if that fails; errno then holds the reason.
  static std::optional<TemporaryFolder> make(const std::string& parent, std::string_view prefix);
  ~TemporaryFolder() { remove(); }
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;

  const std::string& path() const { return path_; }
  /// Removes the folder now.
  void remove();
  /// Leaves the folder as it is, because it was renamed or a parent process removes it.
  void release() { path_.clear(); }

 private:
  TemporaryFolder(std::string path, LockHandle lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::string path_;  ///< empty: nothing to remove
  LockHandle lock_;
};

}  // namespace psim
