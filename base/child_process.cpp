// SPDX-License-Identifier: Apache-2.0
#include "base/child_process.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/no_pipe_signal.h"

namespace psim {

ChildProcess::ChildProcess(const std::function<int()>& work) {
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw UserError("this host allows no further process");
  if (pid_ != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);     // a killed psim leaves nothing running
  if (::getppid() != parent) ::_exit(1);  // it had ended before
  int status = 1;
  try {
    status = work();
  } catch (...) {
  }
  ::_exit(status);  // the parent writes its own buffered output
}

ChildProcess::~ChildProcess() {
  send(SIGTERM);
  if (running()) wait();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  return *this;
}

void ChildProcess::send(int signal) const {
  if (running()) ::kill(pid_, signal);
}

int ChildProcess::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Pipe::Pipe(int flags) {
  if (::pipe2(ends_, flags) != 0)
    throw UserError(fmt::format("no pipe for another process: {}", std::strerror(errno)));
}

Pipe::~Pipe() {
  close_read_end();
  close_write_end();
}

void Pipe::close_read_end() {
  if (ends_[0] >= 0) ::close(std::exchange(ends_[0], -1));
}

void Pipe::close_write_end() {
  if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
}

std::string Pipe::read_all() {
  std::string text;
  while (read_some(text)) {
  }
  return text;
}

bool Pipe::read_some(std::string& text) {
  char buffer[65536];
  for (;;) {
    const ssize_t size = ::read(ends_[0], buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
    return size > 0;
  }
}

bool write_all(int descriptor, std::string_view bytes) {
  const NoPipeSignal guard;
  while (!bytes.empty()) {
    const ssize_t sent = ::write(descriptor, bytes.data(), bytes.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void execute(const char* program, const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(program, arguments.data());
}

}  // namespace psim
