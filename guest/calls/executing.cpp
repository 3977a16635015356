// SPDX-License-Identifier: Apache-2.0
// execve and execveat: a program of the sandbox takes the place of the current one.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "guest/calls/support.h"

namespace psim::isa::calls {

namespace {

/// The file of a program.
struct ProgramFile {
  UniqueFd host;
  std::string guest;  ///< path
};

/// Reads argv or envp. Returns 0, EFAULT or E2BIG.
int read_words(Process& p, std::uint64_t address, std::vector<std::string>& words) {
  constexpr std::size_t kMostWords = 1 << 20;
  constexpr std::size_t kLongest = 32 * 4096 - 1;  // MAX_ARG_STRLEN has the null byte
  for (; address != 0; address += sizeof(std::uint64_t)) {
    std::uint64_t at;
    if (!p.memory.load(address, at)) return EFAULT;
    if (at == 0) break;
    if (words.size() == kMostWords) return E2BIG;
    if (!p.memory.read_string(at, words.emplace_back(), kLongest))
      return p.memory.accessible(at, kLongest, kRead) == kLongest ? E2BIG : EFAULT;
  }
  return 0;
}

/// Opens a program by its guest path. Returns 0 or a host errno.
int open_program(Process& p, const std::string& base, const std::string& path, ProgramFile& file) {
  PathTarget target;
  const std::string whole = path.starts_with('/') ? path : base + "/" + path;
  int error = p.sandbox.resolve(base, path, true, target);
  const bool own = whole == p.executable() || target.guest == "/proc/self/exe" ||
                   (path.starts_with("./") && base + path.substr(1) == p.executable());
  if (own && (error != 0 || target.kind != PathTarget::Kind::Host)) {
    // The program itself need not be in the sandbox.
    file.guest = p.executable();
    file.host = UniqueFd(::open(p.program_path().c_str(), O_RDONLY | O_CLOEXEC));
    return file.host ? 0 : errno;
  }
  if (error != 0) return error;
  if (target.kind != PathTarget::Kind::Host) return EACCES;
  struct stat status;
  if ((error = status_of(p, target, status)) != 0) return error;
  if (!S_ISREG(status.st_mode) || (status.st_mode & 0111) == 0) return EACCES;
  file.guest = target.guest;
  file.host = UniqueFd(
      ::openat(target.parent.get(), target.name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return file.host ? 0 : errno;
}

/// Replaces a script by the interpreter that its first line names. Returns 0 or a host errno.
int follow_scripts(Process& p, ProgramFile& file, const std::string& name,
                   std::vector<std::string>& arguments) {
  std::string script = name;
  for (int depth = 0;; ++depth) {
    char line[256] = {};
    const ssize_t bytes = ::pread(file.host.get(), line, sizeof line - 1, 0);
    if (bytes < 0) return errno;
    if (bytes < 2 || line[0] != '#' || line[1] != '!') return 0;
    if (depth == 5) return ELOOP;  // as Linux, fs/exec.c
    line[std::strcspn(line, "\n")] = 0;
    const std::string_view text(line + 2);
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return ENOEXEC;
    const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    const std::string interpreter(text.substr(begin, end - begin));
    std::vector<std::string> words{interpreter};
    if (const std::size_t word = text.find_first_not_of(" \t", end); word != std::string_view::npos)
      words.emplace_back(text.substr(word, text.find_last_not_of(" \t") + 1 - word));
    words.push_back(script);
    if (!arguments.empty()) words.insert(words.end(), arguments.begin() + 1, arguments.end());
    arguments = std::move(words);
    if (const int error = open_program(p, p.working_directory, interpreter, file)) return error;
    script = interpreter;
  }
}

/// Returns the host path of an open file.
std::string host_path(const UniqueFd& file) {
  char text[PATH_MAX];
  const ssize_t bytes =
      ::readlink(("/proc/self/fd/" + std::to_string(file.get())).c_str(), text, sizeof text);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(bytes, 0))};
}

CallResult refuse(Process& p, const std::string& path, const std::string& reason, int error) {
  p.report_once("execve " + path,
                fmt::format("execve: {}: {}; it returns {}", path, reason, ::strerrorname_np(error)));
  return CallResult::fail(error);
}

CallResult run_file(Process& p, ProgramFile file, const std::string& path, std::uint64_t argv,
                    std::uint64_t envp) {
  std::vector<std::string> arguments, environment;
  if (const int error = read_words(p, argv, arguments)) return CallResult::fail(error);
  if (const int error = read_words(p, envp, environment)) return CallResult::fail(error);
  if (!p.may_execute())
    return refuse(p, path, "a program that is measured cannot become another one; only its children can",
                  EACCES);
  if (const int error = follow_scripts(p, file, path, arguments)) return CallResult::fail(error);
  ElfImage image;
  const std::string open_file = "/proc/self/fd/" + std::to_string(file.host.get());
  try {
    image = read_elf(open_file);
  } catch (const UserError& error) {
    std::string reason = error.what();
    if (reason.starts_with(open_file + ": ")) reason.erase(0, open_file.size() + 2);
    return refuse(p, file.guest, reason, ENOEXEC);
  }
  image.path = host_path(file.host);
  if (arguments.empty()) arguments.emplace_back();  // as Linux, since 5.18
  const int error = p.execute(image, arguments, environment, path, file.guest);
  return error == 0 ? CallResult::done() : CallResult::fail(error);
}

CallResult execve(Process& p, const Arguments& a) {
  std::string path;
  if (const int error = read_path(p, a[0], path)) return CallResult::fail(error);
  ProgramFile file;
  const int error = path.empty() ? ENOENT : open_program(p, p.working_directory, path, file);
  if (error == 0) return run_file(p, std::move(file), path, a[1], a[2]);
  // Programs look for others in many places, but only here for the shell.
  if (path == "/bin/sh") return refuse(p, path, "there is no such program in the sandbox", error);
  return CallResult::fail(error);
}

CallResult execveat(Process& p, const Arguments& a) {
  constexpr std::uint64_t kNoFollow = 0x100, kEmptyPath = 0x1000;
  std::string path, base = p.working_directory;
  if (a[4] & ~(kNoFollow | kEmptyPath)) return CallResult::fail(EINVAL);
  if (const int error = read_path(p, a[1], path)) return CallResult::fail(error);
  ProgramFile file;
  if (path.empty() && (a[4] & kEmptyPath)) {
    const auto open_file = p.files.get(a[0]);
    if (!open_file) return CallResult::fail(EBADF);
    if (open_file->kind != OpenFile::Kind::Host || open_file->directory) return CallResult::fail(EACCES);
    file.host = UniqueFd(::open(("/proc/self/fd/" + std::to_string(open_file->host.get())).c_str(),
                                O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.host) return CallResult::fail(errno);
    file.guest = open_file->guest_path;
    return run_file(p, std::move(file), fmt::format("/dev/fd/{}", as_int(a[0])), a[2], a[3]);
  }
  if (path.empty()) return CallResult::fail(ENOENT);
  if (!path.starts_with('/'))
    if (const int error = base_of(p, as_int(a[0]), base)) return CallResult::fail(error);
  if (const int error = open_program(p, base, path, file)) return CallResult::fail(error);
  return run_file(p, std::move(file), path, a[2], a[3]);
}

constexpr SystemCall kExecutingCalls[] = {
    {59, "execve", 3, execve},
    {350, "execveat", 5, execveat},
};

}  // namespace

std::span<const SystemCall> executing() { return kExecutingCalls; }

}  // namespace psim::isa::calls
