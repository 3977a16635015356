// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "base/abandoned.h"
#include "base/console.h"
#include "base/error.h"
#include "base/parse_number.h"

namespace psim {
namespace {

constexpr int kMostLinks = 40;  // as Linux

unsigned this_process = 0;  // counts copies of copies
std::uint64_t committed_files = 0;

std::string descriptor_path(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// Returns a file of this user without a name, for hosts where O_TMPFILE cannot be used.
int nameless_elsewhere() {
  const char* folder = std::getenv("TMPDIR");
  std::string name =
      std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/psim-output-XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

bool copy_bytes(int from, int to) {
  static constexpr std::size_t kBlock = 1 << 20;
  const auto block = std::make_unique<char[]>(kBlock);
  for (off_t at = 0;;) {
    const ssize_t size = ::pread(from, block.get(), kBlock, at);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size == 0;
    for (ssize_t done = 0; done < size;) {
      const ssize_t written = ::write(to, block.get() + done, static_cast<std::size_t>(size - done));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      done += written;
    }
    at += size;
  }
}

}  // namespace

OutputFile::OutputFile(std::string path, std::string_view option, bool program, bool copies)
    : path_(std::move(path)), option_(option), mode_(program ? 0777 : 0666), process_(this_process) {
  try {
    if (path_ == "-")
      use_inherited("1");
    else
      find_destination();
    if (descriptor_ < 0) open_nameless(copies);
  } catch (...) {
    if (folder_ >= 0) ::close(folder_);
    throw;
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (folder_ >= 0) ::close(folder_);
}

// The folder stays open, so that renaming it or replacing it by a link moves no result.
void OutputFile::find_destination() {
  std::string rest = path_;
  for (int links = 0; links < kMostLinks; ++links) {
    const std::size_t slash = rest.rfind('/');
    const std::string parent = slash == std::string::npos ? "." : rest.substr(0, slash + 1);
    const std::string name = rest.substr(slash + 1);  // npos + 1 is 0
    if (name.empty() || name == "." || name == "..") refuse("is a directory; expected a file");
    // Relative to the folder of the link that led here.
    const int folder =
        ::openat(folder_ >= 0 ? folder_ : AT_FDCWD, parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) fail("create");
    if (folder_ >= 0) ::close(folder_);
    folder_ = folder;
    struct stat status {};
    if (::fstatat(folder_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) fail("write");
      name_ = name;
      return;
    }
    if (S_ISREG(status.st_mode)) {
      name_ = name;
      return;
    }
    if (!S_ISLNK(status.st_mode)) return open_known(folder_, name);
    struct statfs system {};
    if (::fstatfs(folder_, &system) == 0 && system.f_type == PROC_SUPER_MAGIC)
      return open_known(folder_, name);
    char target[PATH_MAX];
    const ssize_t size = ::readlinkat(folder_, name.c_str(), target, sizeof target);
    if (size < 0) fail("follow");
    rest.assign(target, static_cast<std::size_t>(size));
  }
  errno = ELOOP;
  fail("write");
}

/// Opens a file that a rename cannot replace: a device or pipe, or an open file that a link of /proc names.
void OutputFile::open_known(int folder, const std::string& name) {
  char own[64], link_target[PATH_MAX];
  std::snprintf(own, sizeof own, "/proc/%d/", static_cast<int>(::getpid()));
  const ssize_t size = ::readlink(descriptor_path(folder).c_str(), link_target, sizeof link_target);
  const std::string_view where(link_target, size > 0 ? static_cast<std::size_t>(size) : 0);
  if (where.starts_with(own) && where.ends_with("/fd")) return use_inherited(name);
  descriptor_ = ::openat(folder, name.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0) fail("write");
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode))
    refuse("is a directory; expected a file");
}

/// Shares the position of a descriptor with which psim was started.
void OutputFile::use_inherited(const std::string& number) {
  const int given = parse_number<int>(number).value_or(-1);
  const int flags = given < 0 ? 0 : ::fcntl(given, F_GETFD), access = given < 0 ? 0 : ::fcntl(given, F_GETFL);
  errno = EBADF;  // closed, one of psim's own, or not open for writing
  if (given < 0 || flags < 0 || (flags & FD_CLOEXEC) != 0 || access < 0 || (access & O_PATH) != 0 ||
      (access & O_ACCMODE) == O_RDONLY)
    fail("write");
  if (given == STDOUT_FILENO) console::finish();  // text printed earlier comes first
  descriptor_ = ::fcntl(given, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (descriptor_ < 0) fail("write");
}

void OutputFile::open_nameless(bool copies) {
  remove_abandoned(descriptor_path(folder_), kPrefix, AbandonedKind::Files);
  if (!copies) {
    descriptor_ = ::openat(folder_, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode_);
    linkable_ = descriptor_ >= 0;
    if (linkable_) return;
    if (errno == EACCES || errno == EROFS || errno == ENOSPC || errno == EDQUOT || errno == EMFILE)
      fail("create");
  }
  // The file system has no nameless files. Check now whether the folder can be written.
  const std::string trial = random_name(kPrefix);
  const int tried =
      ::openat(folder_, trial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (tried < 0) fail("create");
  ::close(tried);
  ::unlinkat(folder_, trial.c_str(), 0);
  descriptor_ = nameless_elsewhere();
  if (descriptor_ < 0) fail("create a temporary file for");
}

void OutputFile::leave_to_original() {
  ++this_process;
  committed_files = 0;
}

std::uint64_t OutputFile::committed() { return committed_files; }

bool OutputFile::renew() {
  if (process_ == this_process) return true;
  if (name_.empty()) return false;
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  open_nameless(!linkable_);
  written_ = advised_ = 0;
  process_ = this_process;
  return true;
}

void OutputFile::write(std::string_view bytes) {
  if (process_ != this_process) return;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
    written_ += static_cast<std::uint64_t>(written);
  }
  recycle_cache();
}

// A dump of all instructions is gigabytes that are not read while it is written. Starting the write-back
// early and giving up clean pages lets the host use the same memory again; touching fresh memory can cost
// more than everything else. This is advice only: it changes nothing if the disk is slow or the file system
// lacks the call.
void OutputFile::recycle_cache() {
  constexpr std::uint64_t kStep = 8 << 20, kBehind = 64 << 20;
  if (!linkable_ || written_ - advised_ < kStep) return;
  ::sync_file_range(descriptor_, static_cast<off_t>(advised_), static_cast<off_t>(written_ - advised_),
                    SYNC_FILE_RANGE_WRITE);
  if (written_ > kBehind)
    ::posix_fadvise(descriptor_, 0, static_cast<off_t>(written_ - kBehind), POSIX_FADV_DONTNEED);
  advised_ = written_;
}

/// Links the nameless file under a temporary name, because a link replaces nothing. Returns that name, empty
/// if the host cannot link it.
std::string OutputFile::give_name() {
  // Locked before it has a name, so that no process considers it abandoned.
  ::flock(descriptor_, LOCK_EX | LOCK_NB);
  for (;;) {
    const std::string temporary = random_name(kPrefix);
    if (::linkat(AT_FDCWD, descriptor_path(descriptor_).c_str(), folder_, temporary.c_str(),
                 AT_SYMLINK_FOLLOW) == 0)
      return temporary;
    if (errno == EEXIST) continue;
    // Without /proc another call exists, for which older kernels require a privilege.
    return ::linkat(descriptor_, "", folder_, temporary.c_str(), AT_EMPTY_PATH) == 0 ? temporary
                                                                                     : std::string();
  }
}

std::string OutputFile::copy_to_name() {
  for (;;) {
    const std::string temporary = random_name(kPrefix);
    const int named =
        ::openat(folder_, temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_);
    if (named < 0 && errno == EEXIST) continue;
    if (named < 0) fail("create");
    ::flock(named, LOCK_EX);
    struct stat status {};
    if (::fstat(named, &status) == 0 && status.st_nlink == 0) {  // removed as abandoned before it was locked
      ::close(named);
      continue;
    }
    // Network file systems report a full disk late.
    if (!copy_bytes(descriptor_, named) || (::fsync(named) != 0 && errno != EINVAL && errno != EROFS)) {
      const int error = errno;
      ::unlinkat(folder_, temporary.c_str(), 0);
      ::close(named);
      errno = error;
      fail("write");
    }
    ::close(std::exchange(descriptor_, named));
    return temporary;
  }
}

/// Gives the file its name. Checks that no program has renamed or replaced folders on the path meanwhile, or
/// the file between two steps.
void OutputFile::check_name(const std::string& temporary) {
  struct stat own {
  }, found{};
  if (::fstat(descriptor_, &own) != 0) fail("write");
  if (::renameat(folder_, temporary.c_str(), folder_, name_.c_str()) != 0) {
    const int error = errno;
    ::unlinkat(folder_, temporary.c_str(), 0);
    errno = error;
    fail("replace");
  }
  if (::stat(path_.c_str(), &found) != 0 || found.st_dev != own.st_dev || found.st_ino != own.st_ino)
    refuse("leads elsewhere than at the start of the run; the file was moved or replaced meanwhile");
}

void OutputFile::commit() {
  if (process_ != this_process) return;
  if (!name_.empty()) {
    std::string temporary = linkable_ ? give_name() : std::string();
    if (temporary.empty()) temporary = copy_to_name();
    check_name(temporary);
  }
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("write");
  ++committed_files;
}

void OutputFile::fail(std::string_view doing) const {
  throw UserError(fmt::format("{} {}: cannot {} it: {}", option_, path_, doing, std::strerror(errno)));
}

void OutputFile::refuse(std::string_view why) const {
  throw UserError(fmt::format("{} {}: {}", option_, path_, why));
}

}  // namespace psim
