// SPDX-License-Identifier: Apache-2.0
// The guest's file descriptors. A guest number is never a host descriptor, so the guest cannot name files
// that psim itself holds open.
//
// Outside its sandbox (descriptors 0–2, devices, its own program) the guest may only read and write. It
// changes no mode, owner, time, length or lock there, and no flag of an open file description that others
// share.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "guest/seen_files.h"
#include "guest/unique_fd.h"

namespace psim::isa {

struct Timer;  // guest/timers.h

/// An open file description, which dup and fork share.
struct OpenFile {
  enum class Kind : std::uint8_t {
    Host,
    Random,   ///< /dev/random and /dev/urandom: bytes of the seeded generator
    Virtual,  ///< a directory that exists only in the guest's tree
    /// Descriptors 0–2 of a fixed start: one direction of a pipe, whatever the host's descriptors are. A read
    /// waits for all its bytes, so that the writer's pace has no effect. A closed descriptor reads as empty
    /// and takes every write.
    Stream,
  };
  struct Entry {
    std::string name;
    std::uint64_t inode;
    std::uint8_t type;
  };

  Kind kind = Kind::Host;
  UniqueFd host;
  std::string guest_path;  ///< of directories, and of files opened by name
  bool directory = false;
  bool writable_mount = true;
  bool outside = false;  ///< of the sandbox: inherited, a device, or psim's program file
  /// A pipe, socket pair, eventfd, timerfd or anonymous file that the guest made; an epoll of such files.
  bool own = false;
  bool counter = false;  ///< an eventfd: it transfers a number, whose bytes the host orders otherwise
  bool epoll = false;
  std::shared_ptr<Timer> timer;  ///< of a timerfd, which is an eventfd on the host
  UniqueFd always_ready;         ///< the file in place of a Stream in epolls
  /// By descriptor of the guest: the host's descriptor in epolls, which tell duplicates apart. The first of
  /// the guest's uses that of the file itself, and has none here.
  std::map<std::uint32_t, UniqueFd> watched;
  int standard = -1;  ///< of a Stream: 0, 1 or 2
  /// F_SETFL flags that the guest has set on an outside file, in the host's encoding. They are kept here
  /// because all sharers of the description would see the host's flags.
  std::optional<int> status_flags;
  /// Null for a file outside the sandbox's directories.
  SeenFile* seen = nullptr;
  /// The bytes that the guest has read from standard input.
  struct Consumed {
    Sha256 hash;
    std::uint64_t bytes = 0;
  };
  std::shared_ptr<Consumed> consumed;
  /// A directory's entries when reading began, sorted by name; `next` is the index of the next one to return.
  std::optional<std::vector<Entry>> entries;
  std::size_t next = 0;
};

class FileTable {
 public:
  static constexpr unsigned kLimit = 1024;  ///< RLIMIT_NOFILE at the start

  /// Descriptors 0–2 are duplicates of the host's, where open. `fixed`: they are Streams, and always open.
  explicit FileTable(bool fixed = false);

  /// Returns what the program has read from its original standard input; null if that was closed.
  const std::shared_ptr<OpenFile::Consumed>& standard_input() const { return standard_input_; }

  /// Returns the open file; null if `fd` is not open.
  std::shared_ptr<OpenFile> get(std::uint64_t fd) const;
  /// Adds at the lowest free number >= `least`. Returns the number, or -1 if there is none (EMFILE).
  int add(std::shared_ptr<OpenFile> file, bool close_on_exec, unsigned least = 0);
  /// Puts the file at this number and closes the previous one. Returns false if the number is beyond the
  /// limit.
  bool put(unsigned fd, std::shared_ptr<OpenFile> file, bool close_on_exec);
  bool close(std::uint64_t fd);
  bool close_on_exec(std::uint64_t fd) const;
  void set_close_on_exec(std::uint64_t fd, bool value);
  void set_limit(unsigned limit) { limit_ = limit; }
  unsigned size() const { return static_cast<unsigned>(slots_.size()); }

 private:
  struct Slot {
    std::shared_ptr<OpenFile> file;
    bool close_on_exec = false;
  };
  std::vector<Slot> slots_;
  std::shared_ptr<OpenFile::Consumed> standard_input_;
  unsigned limit_ = kLimit;
};

}  // namespace psim::isa
