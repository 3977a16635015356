// SPDX-License-Identifier: Apache-2.0
#include "base/abandoned.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace psim {
namespace {

using std::filesystem::remove_all;

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::size_t kRandomLetters = 6;

bool is_random_name(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) && name.size() == prefix.size() + kRandomLetters &&
         name.find_first_not_of(kLetters, prefix.size()) == std::string_view::npos;
}

void remove_if_abandoned(int folder, const std::string& path, const char* name, mode_t kind) {
  struct stat before {};
  // Opens neither files of other users nor devices.
  if (::fstatat(folder, name, &before, AT_SYMLINK_NOFOLLOW) != 0 || before.st_uid != ::geteuid() ||
      (before.st_mode & S_IFMT) != kind)
    return;
  const LockHandle file(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.descriptor() < 0 || ::fstat(file.descriptor(), &status) != 0 || status.st_ino != before.st_ino ||
      status.st_dev != before.st_dev || ::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0)
    return;
  std::error_code ignored;
  if (kind == S_IFDIR)
    remove_all(path + "/" + name, ignored);  // does not follow symbolic links
  else
    ::unlinkat(folder, name, 0);
}

}  // namespace

std::string random_name(std::string_view prefix) {
  std::random_device source;
  std::string name(prefix);
  for (std::size_t i = 0; i < kRandomLetters; ++i) name += kLetters[source() % kLetters.size()];
  return name;
}

void remove_abandoned(const std::string& folder, std::string_view prefix, AbandonedKind kind) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(folder.c_str()), ::closedir);
  if (!listing) return;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(listing.get()))
    if (is_random_name(entry->d_name, prefix)) names.emplace_back(entry->d_name);
  for (const std::string& name : names)
    remove_if_abandoned(::dirfd(listing.get()), folder, name.c_str(),
                        kind == AbandonedKind::Files ? S_IFREG : S_IFDIR);
}

LockHandle::~LockHandle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}
LockHandle::LockHandle(LockHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
LockHandle& LockHandle::operator=(LockHandle&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::optional<TemporaryFolder> TemporaryFolder::make(const std::string& parent, std::string_view prefix) {
  remove_abandoned(parent, prefix, AbandonedKind::Folders);
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string path = parent + "/" + random_name(prefix);
    if (::mkdir(path.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      return std::nullopt;
    }
    LockHandle lock(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (lock.descriptor() < 0 && errno == ENOENT) continue;
    // Another process may have removed it as abandoned before it was locked.
    if (lock.descriptor() >= 0) ::flock(lock.descriptor(), LOCK_EX);
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0) return TemporaryFolder(std::move(path), std::move(lock));
  }
  return std::nullopt;
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  lock_ = std::move(other.lock_);
  return *this;
}

void TemporaryFolder::remove() {
  if (path_.empty()) return;
  std::error_code ignored;
  remove_all(std::exchange(path_, {}), ignored);
}

}  // namespace psim
