// SPDX-License-Identifier: Apache-2.0
#include "guest/seen_files.h"

#include <unistd.h>

#include <cerrno>

#include "base/sha256.h"

namespace psim::isa {

namespace {
constexpr std::uint64_t kStatusPage = 4096, kStatusBlock = 512;  // bytes of st_blksize and of st_blocks
}

SeenFile& SeenFiles::find(dev_t device, ino_t inode) {
  SeenFile& file = files_[{device, inode}];
  if (file.number == 0) file.number = next_++;
  return file;
}

SeenFile& SeenFiles::file(const struct stat& host) { return find(host.st_dev, host.st_ino); }

SeenFile& SeenFiles::made(const struct stat& host, const struct timespec& now) {
  SeenFile& file = files_[{host.st_dev, host.st_ino}];
  file = {.number = next_++, .accessed = now, .modified = now, .changed = now, .own = true};
  return file;
}

void SeenFiles::make_fixed(struct stat& status) {
  const SeenFile& seen = file(status);
  status.st_dev = 1, status.st_ino = seen.number;
  status.st_atim = seen.accessed, status.st_mtim = seen.modified, status.st_ctim = seen.changed;
  // File systems disagree about a directory's size and its links; 1 stands for "not counted".
  if (S_ISDIR(status.st_mode)) status.st_size = kStatusPage, status.st_nlink = 1;
  const auto size =
      S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  status.st_blksize = kStatusPage;
  status.st_blocks =
      static_cast<blkcnt_t>((size + kStatusPage - 1) / kStatusPage * (kStatusPage / kStatusBlock));
}

void SeenFiles::note_input(const std::string& guest_path, int descriptor, const struct stat& host) {
  if (file(host).own || inputs_.size() >= kMostInputs || inputs_.contains(guest_path)) return;
  Sha256 hash;
  std::string block(1 << 16, '\0');
  std::uint64_t done = 0;
  while (done < kMostHashedBytes) {
    const ssize_t got = ::pread(descriptor, block.data(), block.size(), static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    hash.update({block.data(), static_cast<std::size_t>(got)});
    done += static_cast<std::uint64_t>(got);
  }
  inputs_[guest_path] = {hash.finish(), static_cast<std::uint64_t>(host.st_size)};
}

}  // namespace psim::isa
