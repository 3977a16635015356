// SPDX-License-Identifier: Apache-2.0
#include "mpi/file/host_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <unordered_map>
#include <utility>

#include "mpi/object/failure.h"
#include "mpi/object/run_state.h"

namespace psim::net::mpi {
namespace {

[[noreturn]] void fail_with(int error) {
  switch (error) {
    case ENOENT:
      fail(MPI_ERR_NO_SUCH_FILE);
    case EEXIST:
      fail(MPI_ERR_FILE_EXISTS);
    case EACCES:
    case EPERM:
      fail(MPI_ERR_ACCESS);
    case EROFS:
      fail(MPI_ERR_READ_ONLY);
    case ENOSPC:
      fail(MPI_ERR_NO_SPACE);
    case EDQUOT:
      fail(MPI_ERR_QUOTA);
    case ENAMETOOLONG:
    case EISDIR:
    case ENOTDIR:
      fail(MPI_ERR_BAD_FILE);
    default:
      fail(MPI_ERR_IO);
  }
}

std::unordered_map<std::uint32_t, HostFile*>& open_files() {  // by context; never iterated
  static RunState<std::unordered_map<std::uint32_t, HostFile*>> all;
  return all.value;
}

}  // namespace

HostFile::HostFile(std::string name, int amode, bool create) : name_(std::move(name)) {
  int flags = O_CLOEXEC;
  flags |= (amode & MPI_MODE_RDONLY) != 0 ? O_RDONLY : (amode & MPI_MODE_WRONLY) != 0 ? O_WRONLY : O_RDWR;
  if (create && (amode & MPI_MODE_CREATE) != 0) flags |= O_CREAT;
  if (create && (amode & MPI_MODE_EXCL) != 0) flags |= O_EXCL;
  descriptor_ = ::open(name_.c_str(), flags, 0666);
  if (descriptor_ < 0) fail_with(errno);
}

HostFile::~HostFile() { ::close(descriptor_); }

std::uint64_t HostFile::read(MPI_Offset offset, std::byte* to, std::uint64_t bytes) const {
  std::uint64_t done = 0;
  while (done < bytes) {
    const ssize_t n =
        ::pread(descriptor_, to + done, bytes - done, static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_with(errno);
    if (n == 0) break;
    done += static_cast<std::uint64_t>(n);
  }
  return done;
}

void HostFile::write(MPI_Offset offset, const std::byte* from, std::uint64_t bytes) const {
  std::uint64_t done = 0;
  while (done < bytes) {
    const ssize_t n = ::pwrite(descriptor_, from + done, bytes - done,
                               static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_with(errno);
    done += static_cast<std::uint64_t>(n);
  }
}

MPI_Offset HostFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail_with(errno);
  return status.st_size;
}

void HostFile::resize(MPI_Offset size) const {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail_with(errno);
}

void HostFile::remove(const std::string& name) {
  if (::unlink(name.c_str()) != 0) fail_with(errno);
}

Ref<HostFile> open_together(std::uint32_t context, const std::string& name, int amode, bool create) {
  const auto found = open_files().find(context);
  if (found != open_files().end()) return found->second;
  auto* file = new HostFile(name, amode, create);
  open_files()[context] = file;
  return file;
}

void close_together(std::uint32_t context, Ref<HostFile>& file) {
  if (file && file->refs == 1) open_files().erase(context);
  file = {};
}

}  // namespace psim::net::mpi
