// SPDX-License-Identifier: Apache-2.0
#include "base/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/console.h"

namespace psim {
namespace {

constexpr int kSilenceMilliseconds = 2000;  // a shell starts the writer of <(command) at once

struct OpenedFile {
  int descriptor;
  ~OpenedFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

FileBytes too_large(std::uint64_t most) {
  const std::uint64_t mebi = most >> 20;
  return {"", mebi >= 1024 ? fmt::format("has more than {} GiB; expected a smaller file", mebi >> 10)
                           : fmt::format("has more than {} MiB; expected a smaller file", mebi)};
}

FileBytes read_rest(int descriptor, std::uint64_t size, std::uint64_t most) {
  FileBytes read;
  read.bytes.reserve(size);
  char block[65'536];
  for (;;) {
    const ssize_t got = ::read(descriptor, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return {"", std::strerror(errno)};
    if (got == 0) return read;
    read.bytes.append(block, static_cast<std::size_t>(got));
    if (read.bytes.size() > most) return too_large(most);
  }
}

/// Opens a pipe without waiting for its writer. After wait_for_bytes() reads block again.
int open_without_waiting(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/// Waits until a pipe has bytes or has lost its writers. Reports a wait that a person would notice.
void wait_for_bytes(int descriptor, const struct stat& status, const std::filesystem::path& path) {
  ::fcntl(descriptor, F_SETFL, 0);
  if (!S_ISFIFO(status.st_mode)) return;
  struct pollfd one {
    descriptor, POLLIN, 0
  };
  if (::poll(&one, 1, kSilenceMilliseconds) == 0)
    console::log("psim: {}: this pipe has no data; waiting for a program that writes to it\n", path.string());
  while (::poll(&one, 1, -1) < 0 && errno == EINTR) {
  }
}

FileBytes read_up_to(const std::filesystem::path& path, std::uint64_t most, bool regular) {
  const OpenedFile file{open_without_waiting(path)};
  struct stat status {};
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0) return {"", std::strerror(errno)};
  if (S_ISDIR(status.st_mode)) return {"", "is a directory"};
  if (regular && !S_ISREG(status.st_mode)) return {"", "not a regular file"};
  wait_for_bytes(file.descriptor, status, path);
  const auto size = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
  return size > most ? too_large(most) : read_rest(file.descriptor, size, most);
}

}  // namespace

FileBytes read_file(const std::filesystem::path& path, std::uint64_t most) {
  return read_up_to(path, most, false);
}

FileBytes read_regular_file(const std::filesystem::path& path, std::uint64_t most) {
  return read_up_to(path, most, true);
}

int open_to_read(const std::filesystem::path& path) {
  OpenedFile file{open_without_waiting(path)};
  struct stat status {};
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0) return -1;
  wait_for_bytes(file.descriptor, status, path);
  return std::exchange(file.descriptor, -1);
}

FileBytes read_standard_input(std::uint64_t most) { return read_rest(STDIN_FILENO, 0, most); }

}  // namespace psim
