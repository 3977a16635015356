// SPDX-License-Identifier: Apache-2.0
// The host's files that a program has seen: their numbers and times, and the inputs of its run.
//
// With a fixed start, status calls return the same for two copies of the same files. Inode numbers count
// files in the order of first sight, all on device 1; times begin at the simulated clock's epoch and follow
// the program's own writes; sizes of directories and blocks are those of 4 KiB pages. Contents, names,
// lengths and permissions are the files' own.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "guest/simulated_clock.h"

namespace psim::isa {

struct SeenFile {
  static constexpr struct timespec kEpoch { static_cast<time_t>(SimulatedClock::kEpochSeconds), 0 };
  std::uint64_t number = 0;
  struct timespec accessed = kEpoch, modified = kEpoch, changed = kEpoch;
  /// The program has created or written it, so that it is no input.
  bool own = false;

  void write(const struct timespec& now) { modified = changed = now, own = true; }
};

class SeenFiles {
 public:
  /// An input is hashed up to this length; more would make open() too slow.
  static constexpr std::uint64_t kMostHashedBytes = 256u << 20;
  /// Inputs beyond this number are not listed.
  static constexpr std::size_t kMostInputs = 10'000;

  struct Input {
    std::string sha256;  ///< of the first kMostHashedBytes
    std::uint64_t bytes = 0;
  };

  /// Returns the record of the file with this host status. References stay valid.
  SeenFile& file(const struct stat& host);
  /// Returns the number of a directory entry.
  std::uint64_t number(dev_t device, ino_t inode) { return find(device, inode).number; }
  /// Records that the program has created this file. Replaces an earlier file whose inode the host reuses.
  SeenFile& made(const struct stat& host, const struct timespec& now);
  /// Replaces the fields that differ between hosts.
  void make_fixed(struct stat& status);

  /// Records that the program opens this regular file for reading: its name and contents, unless the program
  /// wrote it.
  void note_input(const std::string& guest_path, int descriptor, const struct stat& host);
  /// Inputs by the guest path of their first opening.
  const std::map<std::string, Input>& inputs() const { return inputs_; }

 private:
  SeenFile& find(dev_t device, ino_t inode);

  std::map<std::pair<dev_t, ino_t>, SeenFile> files_;
  std::uint64_t next_ = 2;  // 1 is a directory that exists only in the guest's tree
  std::map<std::string, Input> inputs_;
};

}  // namespace psim::isa
