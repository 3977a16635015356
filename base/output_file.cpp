// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace psim {

OutputFile::OutputFile(std::string path, std::string_view option, bool program)
    : path_(std::move(path)), option_(option) {
  if (path_ == "-") {
    descriptor_ = ::dup(STDOUT_FILENO);
    if (descriptor_ < 0) fail("write");
    return;
  }
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    // A device or pipe cannot be replaced by a rename.
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("write");
    return;
  }
  aside_ = path_ + ".XXXXXX";
  descriptor_ = ::mkostemp(aside_.data(), O_CLOEXEC);
  if (descriptor_ < 0) aside_.clear(), fail("create");
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor_, (program ? 0777 : 0666) & ~mask);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!aside_.empty()) ::unlink(aside_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
    written_ += static_cast<std::uint64_t>(written);
  }
  recycle_cache();
}

// A dump of everything is gigabytes that nobody reads while it is written. Starting the write-back early and
// giving up clean pages lets the host use the same memory again; touching fresh memory can cost more than all
// else. Advice only: where the disk is slow or the file system knows no such call, nothing changes.
void OutputFile::recycle_cache() {
  constexpr std::uint64_t kStep = 8 << 20, kBehind = 64 << 20;
  if (aside_.empty() || written_ - advised_ < kStep) return;
  ::sync_file_range(descriptor_, static_cast<off_t>(advised_), static_cast<off_t>(written_ - advised_),
                    SYNC_FILE_RANGE_WRITE);
  if (written_ > kBehind)
    ::posix_fadvise(descriptor_, 0, static_cast<off_t>(written_ - kBehind), POSIX_FADV_DONTNEED);
  advised_ = written_;
}

void OutputFile::commit() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail("write");
  if (aside_.empty()) return;
  if (::rename(aside_.c_str(), path_.c_str()) != 0) fail("rename to");
  aside_.clear();
}

void OutputFile::fail(std::string_view doing) const {
  throw UserError(fmt::format("{} {}: cannot {} it: {}", option_, path_, doing, std::strerror(errno)));
}

}  // namespace psim
