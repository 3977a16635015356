// SPDX-License-Identifier: Apache-2.0
#include "guest/start.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace psim::isa {

namespace {

const char* kind_of(int descriptor) {
  struct stat status;
  // Descriptors that psim's parent had closed are reserved by files that can neither be read nor written.
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0 || (flags & O_PATH) || ::fstat(descriptor, &status) != 0) return "closed";
  switch (status.st_mode & S_IFMT) {
    case S_IFREG:
      return "file";
    case S_IFIFO:
      return "pipe";
    case S_IFDIR:
      return "directory";
    case S_IFSOCK:
      return "socket";
    default:
      return ::isatty(descriptor) ? "terminal" : "device";
  }
}

mode_t host_umask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

Identity host_identity() {
  Identity identity;
  identity.user = ::getuid(), identity.effective_user = ::geteuid();
  identity.group = ::getgid(), identity.effective_group = ::getegid();
  gid_t groups[256];
  const int count = ::getgroups(256, groups);
  for (int i = 0; i < count; ++i) identity.groups.push_back(groups[i]);
  return identity;
}

}  // namespace

std::uint32_t Identity::user_from_host(uid_t host) const {
  return fixed && host == ::geteuid() ? user : host;
}
std::uint32_t Identity::group_from_host(gid_t host) const {
  return fixed && host == ::getegid() ? group : host;
}
uid_t Identity::user_to_host(std::uint32_t guest) const {
  return fixed && guest == user ? ::geteuid() : guest;
}
gid_t Identity::group_to_host(std::uint32_t guest) const {
  return fixed && guest == group ? ::getegid() : guest;
}

Start inherited_start(std::vector<std::string> arguments, std::vector<std::string> environment,
                      const std::string& program, const std::string& working_directory) {
  Start start;
  start.arguments = std::move(arguments), start.environment = std::move(environment);
  start.file_name = program;
  start.executable =
      std::filesystem::path(program.starts_with('/') ? program : working_directory + "/" + program)
          .lexically_normal()
          .string();
  start.working_directory = working_directory;
  start.identity = host_identity();
  start.umask = host_umask();
  for (int fd = 0; fd < 3; ++fd) start.standard[static_cast<std::size_t>(fd)] = kind_of(fd);
  return start;
}

Start fixed_start(std::vector<std::string> arguments, std::vector<std::string> environment,
                  const std::string& program, const std::string& working_directory) {
  Start start;
  const std::string name = std::filesystem::path(program).filename().string();
  start.file_name = "./" + name;
  start.executable = std::string(kFixedDirectory) + "/" + name;
  if (arguments.empty()) arguments.emplace_back();
  arguments[0] = start.file_name;
  start.arguments = std::move(arguments), start.environment = std::move(environment);
  start.working_directory = working_directory;
  Identity& identity = start.identity;
  identity.user = identity.effective_user = identity.group = identity.effective_group = Start::kFixedUser;
  identity.groups = {Start::kFixedUser};
  identity.fixed = true;
  start.standard = {"pipe", "pipe", "pipe"};
  return start;
}

}  // namespace psim::isa
