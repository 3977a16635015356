// SPDX-License-Identifier: Apache-2.0
#include "guest/calls/opening.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "guest/calls/open_flags.h"

namespace psim::isa::calls {

namespace {

bool writes(std::uint64_t flags) {
  return (flags & guest_open::kAccess) != 0 || (flags & (guest_open::kTruncate | guest_open::kTemporary));
}

int text_file(const std::string& text, std::shared_ptr<OpenFile>& file) {
  UniqueFd memory(::memfd_create("text", MFD_CLOEXEC));
  if (!memory) return errno;
  if (::write(memory.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) return EIO;
  ::lseek(memory.get(), 0, SEEK_SET);
  file->host = std::move(memory);
  return 0;
}

std::string memory_map(Process& p) {
  std::string text;
  for (const auto& [begin, area] : p.space.areas().all()) {
    const auto flag = [&area = area](std::uint8_t bit, char letter) {
      return area.permission & bit ? letter : '-';
    };
    text += fmt::format("{:08x}-{:08x} {}{}{}{} {:08x} 00:00 0 ", begin, area.end, flag(kRead, 'r'),
                        flag(kWrite, 'w'), flag(kExecute, 'x'), area.shared ? 's' : 'p', area.offset);
    if (area.file)
      text += "                 " + area.file->guest_path;
    else if (begin <= p.space.stack_top() - 1 && p.space.stack_top() <= area.end)
      text += "                 [stack]";
    text += '\n';
  }
  return text;
}

// Memory counts as used when it is mapped and may be accessed, touched or not.
std::string process_status(Process& p) {
  const auto kib = [](std::uint64_t bytes) { return bytes / 1024; };
  const Areas::Bytes now = p.space.areas().bytes(), most = p.space.areas().most_bytes();
  const Identity& own = p.start.identity;
  return fmt::format(
      "Name:\t{}\nUmask:\t{:04o}\nState:\tR (running)\nTgid:\t{}\nPid:\t{}\nPPid:\t{}\n"
      "Uid:\t{}\t{}\t{}\t{}\nGid:\t{}\t{}\t{}\t{}\n"
      "VmPeak:\t{:8} kB\nVmSize:\t{:8} kB\nVmHWM:\t{:8} kB\nVmRSS:\t{:8} kB\nVmSwap:\t       0 "
      "kB\nThreads:\t{}\n",
      p.command_name, p.umask, p.family.self(), p.family.self(), p.family.parent(), own.user,
      own.effective_user, own.user, own.effective_user, own.group, own.effective_group, own.group,
      own.effective_group, kib(most.mapped), kib(now.mapped), kib(most.accessible), kib(now.accessible),
      p.threads.live());
}

// proc(5) numbers the fields of /proc/self/stat from 1. Fields without a meaning here are 0.
std::string process_numbers(Process& p) {
  constexpr std::uint64_t kTick = SimulatedClock::kSecond / 100;
  const Areas::Bytes now = p.space.areas().bytes();
  const std::uint64_t user = p.clock.nanoseconds(p.threads.computed(p.cycle())) / kTick;
  std::string text =
      fmt::format("{} ({}) R {} {} {} 0 -1 0 0 0 0 0 {} 0 0 0 20 {} {} 0 0 {} {} {}", p.family.self(),
                  p.command_name, p.family.parent(), p.group, p.session, user, p.niceness, p.threads.live(),
                  now.mapped, now.accessible / GuestMemory::kPageBytes, ~std::uint64_t{0});
  for (int field = 26; field <= 52; ++field) text += " 0";
  return text + "\n";
}

std::string process_pages(Process& p) {
  const Areas::Bytes now = p.space.areas().bytes();
  const std::uint64_t accessible = now.accessible / GuestMemory::kPageBytes;
  return fmt::format("{} {} 0 0 0 {} 0\n", now.mapped / GuestMemory::kPageBytes, accessible, accessible);
}

// Opens the files that psim provides itself: devices that programs expect, and /proc files about the process.
int open_provided(Process& p, const std::string& guest, std::uint64_t flags,
                  std::shared_ptr<OpenFile>& file) {
  if ((flags & guest_open::kCreate) && (flags & guest_open::kExclusive)) return EEXIST;
  if (flags & guest_open::kDirectory) return ENOTDIR;
  int descriptor = -1;
  if (guest == "/dev/stdin") descriptor = 0;
  if (guest == "/dev/stdout") descriptor = 1;
  if (guest == "/dev/stderr") descriptor = 2;
  if (const std::size_t at = guest.rfind("/fd/"); at != std::string::npos)
    descriptor = std::atoi(guest.c_str() + at + 4);
  if (descriptor >= 0) {
    file = p.files.get(static_cast<std::uint64_t>(descriptor));
    return file ? 0 : ENOENT;
  }
  if (guest == "/dev/random" || guest == "/dev/urandom") {
    file->kind = OpenFile::Kind::Random;
    return 0;
  }
  file->outside = true;
  if (guest == "/dev/tty" && p.start.identity.fixed) return ENXIO;  // no controlling terminal
  if (guest.starts_with("/dev/")) {
    const int host = open_flags_to_host(flags & ~(guest_open::kCreate | guest_open::kTruncate));
    file->host = UniqueFd(::open(guest.c_str(), host | O_CLOEXEC));
    return file->host ? 0 : errno;
  }
  if (writes(flags)) return EACCES;
  if (guest == "/proc/self/exe") {
    file->host = UniqueFd(::open(p.program_path().c_str(), O_RDONLY | O_CLOEXEC));
    return file->host ? 0 : errno;
  }
  if (guest == "/proc/self/maps") return text_file(memory_map(p), file);
  if (guest == "/proc/self/comm") return text_file(p.command_name + "\n", file);
  if (guest == "/proc/self/status") return text_file(process_status(p), file);
  if (guest == "/proc/self/stat") return text_file(process_numbers(p), file);
  if (guest == "/proc/self/statm") return text_file(process_pages(p), file);
  if (guest == "/proc/cpuinfo")
    return text_file(fmt::format("cpu\t\t: Fujitsu SPARC64 V\nfpu\t\t: Fujitsu SPARC64 V FPU\n"
                                 "ncpus probed\t: {0}\nncpus active\t: {0}\n",
                                 p.threads.placement().cores),
                     file);
  const std::uint64_t free = free_memory(p) / 1024;
  return text_file(fmt::format("MemTotal:       {:8} kB\nMemFree:        {:8} kB\nMemAvailable:   {:8} kB\n",
                               kMemoryBytes / 1024, free, free),
                   file);
}

int open_host(Process& p, const PathTarget& target, std::uint64_t flags, std::uint64_t mode,
              std::shared_ptr<OpenFile>& file) {
  if (!target.writable && (writes(flags) || (flags & guest_open::kCreate))) {
    struct stat status;
    const bool there = ::fstatat(target.parent.get(), target.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (writes(flags) || !there) return EROFS;
  }
  if (target.must_be_directory && (flags & guest_open::kCreate)) return EISDIR;
  int host = open_flags_to_host(flags) | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY;
  if (target.must_be_directory) host |= O_DIRECTORY;
  if ((flags & guest_open::kTemporary) && !(flags & guest_open::kDirectory)) return EINVAL;
  struct stat status;
  const bool makes = (flags & (guest_open::kCreate | guest_open::kTemporary)) &&
                     ((flags & guest_open::kTemporary) ||
                      ::fstatat(target.parent.get(), target.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0);
  const GuestUmask umask(p);
  file->host =
      UniqueFd(::openat(target.parent.get(), target.name.c_str(), host, static_cast<mode_t>(mode & 07777)));
  if (!file->host) return errno;
  if (::fstat(file->host.get(), &status) != 0) return errno;
  file->directory = S_ISDIR(status.st_mode);
  file->guest_path = target.guest;
  file->writable_mount = target.writable;
  file->seen = makes ? &p.seen_files.made(status, file_time(p)) : &p.seen_files.file(status);
  if (makes && !(flags & guest_open::kTemporary)) note_renamed(p, target);
  if (flags & guest_open::kTruncate) file->seen->write(file_time(p));
  const bool reads = (flags & guest_open::kAccess) != 1 && !(flags & guest_open::kPath);  // 1: O_WRONLY
  if (S_ISREG(status.st_mode) && reads) p.seen_files.note_input(target.guest, file->host.get(), status);
  return 0;
}

}  // namespace

int open_at(Process& p, int dirfd, std::uint64_t path_address, std::uint64_t flags, std::uint64_t mode,
            std::shared_ptr<OpenFile>& file) {
  const bool exclusive = (flags & guest_open::kCreate) && (flags & guest_open::kExclusive);
  const bool follow = !(flags & guest_open::kNoFollow) && !exclusive;
  // O_NOFOLLOW detects a link that appears between the walk and the open; the path is then walked again.
  for (int attempt = 0; attempt < 8; ++attempt) {
    PathTarget target;
    if (const int error = resolve(p, dirfd, path_address, follow, target)) return error;
    file = std::make_shared<OpenFile>();
    switch (target.kind) {
      case PathTarget::Kind::Device:
        file->guest_path = target.guest;
        return open_provided(p, target.guest, flags, file);
      case PathTarget::Kind::Virtual:
        if (exclusive) return EEXIST;
        if (writes(flags)) return EISDIR;
        file->kind = OpenFile::Kind::Virtual, file->directory = true, file->guest_path = target.guest;
        return 0;
      case PathTarget::Kind::Host:
        break;
    }
    int error = 0;
    // Opening a FIFO may wait for the other end.
    const CallResult result = p.blocking([&]() -> std::int64_t {
      error = open_host(p, target, flags, mode, file);
      return error ? (errno = error, -1) : 0;
    });
    if (result.kind == CallResult::Kind::Value) return 0;
    if (result.error != ELOOP || !follow) return result.error;
  }
  return ELOOP;
}

}  // namespace psim::isa::calls
