// SPDX-License-Identifier: Apache-2.0
#include "papers/psim_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

#include "base/executable_path.h"

namespace psim::reproduce {
namespace {

/// A file in memory that a child writes and that is read afterwards.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(::memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::runtime_error("no memory for a file");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int descriptor() const { return descriptor_; }
  std::string text() const {
    std::string all;
    char buffer[4096];
    for (off_t at = 0;;) {
      const ssize_t size = ::pread(descriptor_, buffer, sizeof buffer, at);
      if (size <= 0) return all;
      all.append(buffer, static_cast<std::size_t>(size));
      at += size;
    }
  }

 private:
  int descriptor_;
};

[[noreturn]] void become(std::vector<std::string> words, int json, const MemoryFile& out,
                         const MemoryFile& err, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // interrupted, psim leaves nothing running
  if (::getppid() != parent || ::dup2(::open("/dev/null", O_RDONLY), 0) < 0 ||
      ::dup2(out.descriptor(), 1) < 0 || ::dup2(err.descriptor(), 2) < 0 || ::dup2(json, json) < 0)
    ::_exit(127);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace

PsimOutcome run_psim(std::vector<std::string> words, const std::string& label) {
  const MemoryFile out("output"), err("errors");
  int json[2];
  if (::pipe(json) != 0) throw std::runtime_error("no pipe for a result");
  words.insert(words.begin() + 1, {"--quiet", "--json", fmt::format("/dev/fd/{}", json[1])});
  words.insert(words.begin(), (executable_path().parent_path() / "psim").string());
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid == 0) {
    ::close(json[0]);
    become(words, json[1], out, err, parent);
  }
  ::close(json[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t size; (size = ::read(json[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(size));
  ::close(json[0]);
  int status = 0;
  if (pid < 0 || ::waitpid(pid, &status, 0) != pid || status != 0)
    throw std::runtime_error(fmt::format("{} failed: {}", label, err.text()));
  return {std::move(text), out.text()};
}

}  // namespace psim::reproduce
