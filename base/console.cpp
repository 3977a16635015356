// SPDX-License-Identifier: Apache-2.0
#include "base/console.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/no_pipe_signal.h"
#include "base/printable.h"

namespace psim::console {
namespace {

// The stream of the process. While ranks run, `stdout` is theirs (ranks/libc/libc_state.cpp).
std::FILE* const out = stdout;

int lost = 0;             // errno of the first failure of standard output
bool line_shown = false;  // a progress line is on the terminal
bool progress_used = false;
bool at_line_start = true;  // of what programs have written to the terminal

void write_error(std::string_view text) noexcept {
  constexpr int kPatience = 1000;  // milliseconds to wait for a terminal that accepts no bytes
  const NoPipeSignal guard;
  while (!text.empty()) {
    // Not write(): while ranks run, that name is theirs.
    const long written = ::syscall(SYS_write, STDERR_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    pollfd ready{STDERR_FILENO, POLLOUT, 0};
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN && ::poll(&ready, 1, kPatience) == 1) continue;
    return;
  }
}

void put(std::string_view text) noexcept {
  clear_line();
  if (std::fwrite(text.data(), 1, text.size(), out) != text.size() && lost == 0) lost = errno;
}

void flush() noexcept {
  if (std::fflush(out) != 0 && lost == 0) lost = errno;
}

void fail_if_lost() {
  if (lost == 0) return;
  ::__fpurge(out);  // otherwise the exit would try to write the rest again
  throw UserError(
      fmt::format("standard output: cannot be written: {}", std::strerror(std::exchange(lost, 0))));
}

std::size_t terminal_columns() {
  winsize size{};
  constexpr std::size_t kUsual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

/// Returns the first `columns` characters of UTF-8 text.
std::string_view fitting(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  while (end < text.size()) {
    if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && columns-- == 0) break;
    ++end;
  }
  return text.substr(0, end);
}

}  // namespace

void reserve_descriptors() {
  for (int descriptor = 0; descriptor <= STDERR_FILENO;) {
    if (::fcntl(descriptor, F_GETFD) >= 0) {
      ++descriptor;
      continue;
    }
    // A descriptor opened with O_PATH can neither be read nor written; it gets the lowest free number.
    const int reserved = ::open("/", O_PATH | O_DIRECTORY);
    if (reserved < 0) return;
    if (reserved != descriptor) {  // another thread opened a file; the descriptor cannot be this one's
      ::close(reserved);
      return;
    }
  }
}

bool is_reserved(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_PATH) != 0;
}

void write(std::string_view text) {
  put(printable(text));
  fail_if_lost();
}

void write_verbatim(std::string_view text) {
  put(text);
  fail_if_lost();
}

void log_text(std::string_view text) noexcept {
  clear_line();
  try {
    write_error(printable(text));
  } catch (const std::bad_alloc&) {
    write_error("psim: no memory for a message\n");
  }
}

void pass_on(int descriptor, std::string_view text) noexcept {
  if (text.empty()) return;
  before_program_writes(descriptor, text.back());
  if (descriptor == STDERR_FILENO) return write_error(text);
  put(text);
  flush();  // a reader may wait for it, and a progress line must not come before it
}

void note_lost(int error) noexcept {
  if (lost == 0) lost = error;
}

void finish() {
  clear_line();
  flush();
  fail_if_lost();
}

void show_line(std::string_view line) noexcept {
  progress_used = true;
  if (!at_line_start) return;
  flush();
  try {
    write_error("\r\033[K" + std::string(fitting(printable(line), terminal_columns() - 1)));
  } catch (const std::bad_alloc&) {
    return;
  }
  line_shown = true;
}

void clear_line() noexcept {
  if (!line_shown) return;
  line_shown = false;
  write_error("\r\033[K");
}

void before_program_writes(int descriptor, char last) noexcept {
  if (!progress_used || ::isatty(descriptor) != 1) return;
  clear_line();
  at_line_start = last == '\n';
}

}  // namespace psim::console
