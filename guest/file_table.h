// SPDX-License-Identifier: Apache-2.0
// The guest's file descriptors. A guest number never is a host descriptor: what psim holds open itself cannot
// be named by the guest.
//
// The guest may read and write what lies outside its sandbox (descriptors 0–2, devices, its own program), but
// changes nothing else of it: no mode, owner, time, length, lock, or flag of an open file description that
// others share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "guest/seen_files.h"
#include "guest/unique_fd.h"

namespace psim::isa {

/// An open file description: what dup and fork share.
struct OpenFile {
  enum class Kind : std::uint8_t {
    Host,
    Random,   ///< /dev/random and /dev/urandom: bytes of the seeded generator
    Virtual,  ///< a directory that exists only in the guest's tree
    /// Descriptors 0–2 of a fixed start: one direction of a pipe, whatever the host has there. A read waits
    /// for all its bytes, so that the writer's pace changes nothing; a closed descriptor reads as empty and
    /// takes every write.
    Stream,
  };
  struct Entry {
    std::string name;
    std::uint64_t inode;
    std::uint8_t type;
  };

  Kind kind = Kind::Host;
  UniqueFd host;
  std::string guest_path;  ///< of directories, and of what was opened by name
  bool directory = false;
  bool writable_mount = true;
  bool outside = false;  ///< of the sandbox: inherited, a device, or psim's program file
  bool own = false;      ///< a pipe, socket pair or anonymous file that the guest made
  int standard = -1;     ///< of a Stream: 0, 1 or 2
  /// Of an outside file, once the guest has set them: the flags of F_SETFL, in the host's encoding. They are
  /// kept here, since the host's belong to everybody who shares the description.
  std::optional<int> status_flags;
  /// Of a file in the sandbox's directories.
  SeenFile* seen = nullptr;
  /// Of standard input: what the guest has read.
  struct Consumed {
    Sha256 hash;
    std::uint64_t bytes = 0;
  };
  std::shared_ptr<Consumed> consumed;
  /// A directory's entries as they were when reading began, sorted by name; `next` is the one to give next.
  std::optional<std::vector<Entry>> entries;
  std::size_t next = 0;
};

class FileTable {
 public:
  static constexpr unsigned kLimit = 1024;  ///< RLIMIT_NOFILE at the start

  /// Descriptors 0–2 are duplicates of the host's, where those are open; `fixed`: Streams, open in any case.
  explicit FileTable(bool fixed = false);

  /// What the program has read from the standard input it began with; null if that was closed.
  const std::shared_ptr<OpenFile::Consumed>& standard_input() const { return standard_input_; }

  /// Null if `fd` is not open.
  std::shared_ptr<OpenFile> get(std::uint64_t fd) const;
  /// Lowest free number >= `least`; -1 if there is none (EMFILE).
  int add(std::shared_ptr<OpenFile> file, bool close_on_exec, unsigned least = 0);
  /// Takes the number, closing what was there. False if it is beyond the limit.
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
