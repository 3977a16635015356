// SPDX-License-Identifier: Apache-2.0
// Reading directories, and the working directory.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

// Reads all entries at once and sorts them, since the host's order differs between runs.
int list(Process& p, OpenFile& file) {
  std::vector<OpenFile::Entry> entries;
  struct stat status {};
  if (file.kind == OpenFile::Kind::Host) {
    const int copy = ::openat(file.host.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* directory = copy < 0 ? nullptr : ::fdopendir(copy);
    if (!directory) {
      const int error = errno;
      if (copy >= 0) ::close(copy);
      return error;
    }
    while (const dirent* e = ::readdir(directory)) entries.push_back({e->d_name, e->d_ino, e->d_type});
    ::closedir(directory);
    if (::fstat(file.host.get(), &status) != 0) return errno;
  } else {
    entries = {{".", 1, DT_DIR}, {"..", 1, DT_DIR}};
  }
  for (const std::string& name : p.sandbox.added_names(file.guest_path)) {
    const bool there =
        std::any_of(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
    const std::string guest = (file.guest_path == "/" ? "" : file.guest_path) + "/" + name;
    if (!there)
      entries.push_back({name, 1, static_cast<std::uint8_t>(is_provided_file(guest) ? DT_CHR : DT_DIR)});
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  if (p.start.identity.fixed && file.kind == OpenFile::Kind::Host)
    for (OpenFile::Entry& entry : entries) entry.inode = p.seen_files.number(status.st_dev, entry.inode);
  file.entries = std::move(entries);
  return 0;
}

// struct linux_dirent64: d_ino, d_off, d_reclen, d_type, name; linux_dirent has the type in its last byte.
CallResult read_entries(Process& p, const Arguments& a, bool with_type) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  if (!file->directory) return CallResult::fail(ENOTDIR);
  if (!file->entries)
    if (const int error = list(p, *file)) return CallResult::fail(error);
  const std::uint64_t room = static_cast<std::uint32_t>(a[2]);
  std::uint64_t used = 0;
  for (; file->next < file->entries->size(); ++file->next) {
    const OpenFile::Entry& entry = (*file->entries)[file->next];
    const std::size_t header = with_type ? 19 : 18;
    const std::size_t length = (header + entry.name.size() + (with_type ? 1 : 2) + 7) & ~std::size_t{7};
    if (used + length > room) break;
    GuestStruct<19 + 256 + 8> out;
    out.put64(0, entry.inode), out.put64(8, file->next + 1), out.put16(16, length);
    if (with_type) out.put8(18, entry.type);
    std::memcpy(out.bytes().data() + header, entry.name.data(),
                std::min<std::size_t>(entry.name.size(), 255));
    if (!with_type) out.put8(length - 1, entry.type);
    if (p.memory.copy_in(a[1] + used, out.bytes().first(length)) != length)
      return used ? CallResult(used) : CallResult::fail(EFAULT);
    used += length;
  }
  if (used == 0 && file->next < file->entries->size()) return CallResult::fail(EINVAL);
  return used;
}
CallResult getdents64(Process& p, const Arguments& a) { return read_entries(p, a, true); }
CallResult getdents(Process& p, const Arguments& a) { return read_entries(p, a, false); }

CallResult enter(Process& p, const PathTarget& target) {
  struct stat status;
  if (const int error = status_of(p, target, status)) return CallResult::fail(error);
  if (!S_ISDIR(status.st_mode)) return CallResult::fail(ENOTDIR);
  if (target.kind == PathTarget::Kind::Host) {
    const UniqueFd search(
        ::openat(target.parent.get(), target.name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!search) return CallResult::fail(errno);
    if (::faccessat(search.get(), ".", X_OK, AT_EACCESS) != 0) return CallResult::fail(errno);
  }
  p.working_directory = target.guest;
  return 0;
}
CallResult chdir(Process& p, const Arguments& a) {
  PathTarget target;
  if (const int error = resolve(p, kAtCwd, a[0], true, target)) return CallResult::fail(error);
  return enter(p, target);
}
CallResult fchdir(Process& p, const Arguments& a) {
  const auto file = p.files.get(a[0]);
  if (!file) return CallResult::fail(EBADF);
  if (!file->directory) return CallResult::fail(ENOTDIR);
  PathTarget target;
  if (const int error = p.sandbox.resolve("/", file->guest_path, true, target))
    return CallResult::fail(error);
  return enter(p, target);
}
CallResult getcwd(Process& p, const Arguments& a) {
  const std::string& path = p.working_directory;
  PathTarget target;
  struct stat status;
  if (p.sandbox.resolve("/", path, true, target) != 0 || status_of(p, target, status) != 0)
    return CallResult::fail(ENOENT);  // removed meanwhile
  const auto bytes = std::as_bytes(std::span(path.c_str(), path.size() + 1));
  if (a[1] < bytes.size()) return CallResult::fail(ERANGE);
  if (p.memory.copy_in(a[0], bytes) != bytes.size()) return CallResult::fail(EFAULT);
  return bytes.size();
}
CallResult refused(Process&, const Arguments&) { return CallResult::fail(EPERM); }

constexpr SystemCall kDirectoriesCalls[] = {
    {12, "chdir", 1, chdir},        {61, "chroot", 1, refused},
    {119, "getcwd", 2, getcwd},     {154, "getdents64", 3, getdents64},
    {174, "getdents", 3, getdents}, {176, "fchdir", 1, fchdir},
};

}  // namespace

std::span<const SystemCall> directories() { return kDirectoriesCalls; }

}  // namespace psim::isa::calls
