// SPDX-License-Identifier: Apache-2.0
// The file tree a guest sees, and the only way from a guest's path to a host file. A few host directories are
// mounted at guest paths; directories above a mount exist but hold nothing else.
//
// A path is walked one component at a time: each directory is opened relative to the one before it with
// O_PATH | O_NOFOLLOW. `..` pops the stack of descriptors; the host's `..` is never used. The text of a
// symbolic link is walked by the same rules from the guest's root. Even if files are renamed meanwhile, the
// walk holds only descriptors of directories below a mount. openat2 with RESOLVE_IN_ROOT would handle only
// one mount at a time, and is missing on some kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/abandoned.h"
#include "guest/unique_fd.h"

namespace psim::isa {

struct SandboxOptions {
  struct Bind {
    std::string host, guest;
    bool writable = true;
  };
  std::string root;  ///< host directory that becomes /, read-write; empty: the working directory only
  std::vector<Bind> binds;
  /// Without a root: the host directory that becomes /tmp; empty: a directory of the guest's own, which is
  /// created at first use and removed at the end.
  std::string temporary{};
  /// Without a root, the working directory is mounted at kFixedDirectory, where the program starts. It is
  /// also mounted under its own path, which no directory lists.
  bool fixed_directory = false;
};

/// The target of a guest path.
struct PathTarget {
  enum class Kind : std::uint8_t {
    Host,     ///< `name` in the host directory `parent`; the file itself need not exist
    Virtual,  ///< a directory that exists only because a mount lies below it
    Device,   ///< one of the devices and /proc files psim provides; `guest` names it
  };
  Kind kind = Kind::Host;
  UniqueFd parent;                 ///< O_PATH descriptor of the directory that holds the file
  std::string name;                ///< one component, or "." for `parent` itself (the root of a mount)
  std::string guest;               ///< absolute, normalised guest path
  bool writable = false;           ///< the mount is writable
  bool must_be_directory = false;  ///< the path ended in a slash
};

class Sandbox {
 public:
  /// Throws UserError for a root or bind that is not a directory, or a guest path that is not absolute.
  explicit Sandbox(const SandboxOptions& options);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// Returns the guest's working directory at the start.
  const std::string& start_directory() const { return start_; }

  /// Follows `path` from the guest directory `base`. `follow_last`: a symbolic link as the last component is
  /// followed too. Returns 0, or a host errno. The last component may be missing: resolve() does not check
  /// it.
  int resolve(std::string_view base, std::string_view path, bool follow_last, PathTarget& target);

  /// Returns the names directly below a virtual or mounted directory that mounts and devices add to the
  /// host's entries.
  std::vector<std::string> added_names(const std::string& guest_directory) const;

  /// Creates the private temporary directories, /tmp and /dev/shm, now (before a fork, so that parent and
  /// child share them).
  void make_temporary();
  /// In a child process: leaves the removal of the temporary directory to the parent.
  void disown_temporary() {
    if (temporary_) temporary_->release();
  }
  bool has_temporary() const { return temporary_.has_value(); }
  /// Removes the temporary directory; the destructor does so, too.
  void remove_temporary();

 private:
  struct Mount {
    std::string guest;  ///< "" for the root, else "/a/b"
    UniqueFd root;
    bool writable = true;
    bool temporary = false;  ///< created at first use
    bool listed = true;      ///< in the virtual directories above it
  };
  class Walk;

  void mount(const std::string& host, std::string guest, bool writable, bool listed = true);
  Mount* mounted_at(std::string_view guest);
  bool leads_to_mount(std::string_view guest) const;

  std::vector<Mount> mounts_;
  std::string start_;
  std::optional<TemporaryFolder> temporary_;
};

/// Returns true for the devices and /proc files that PathTarget::Kind::Device names.
bool is_provided_file(std::string_view guest_path);

}  // namespace psim::isa
