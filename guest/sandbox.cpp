// SPDX-License-Identifier: Apache-2.0
#include "guest/sandbox.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "guest/start.h"

namespace psim::isa {

namespace {

constexpr int kMostLinks = 40;  // as Linux
constexpr std::string_view kProvided[] = {
    "/dev/null",       "/dev/zero",       "/dev/full",         "/dev/random",      "/dev/urandom",
    "/dev/tty",        "/dev/stdin",      "/dev/stdout",       "/dev/stderr",      "/proc/self/exe",
    "/proc/self/maps", "/proc/self/comm", "/proc/self/status", "/proc/self/statm", "/proc/self/stat",
    "/proc/cpuinfo",   "/proc/meminfo"};

// `directory` is "" for the root.
bool directly_below(std::string_view directory, std::string_view path, std::string_view& name) {
  if (path.size() <= directory.size() + 1 || !path.starts_with(directory) || path[directory.size()] != '/')
    return false;
  name = path.substr(directory.size() + 1);
  name = name.substr(0, name.find('/'));
  return true;
}

UniqueFd open_directory(int parent, const char* name) {
  return UniqueFd(::openat(parent, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

bool is_provided_file(std::string_view guest_path) {
  if (std::ranges::find(kProvided, guest_path) != std::end(kProvided)) return true;
  for (const std::string_view directory : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!guest_path.starts_with(directory)) continue;
    const std::string_view number = guest_path.substr(directory.size());
    return !number.empty() && number.size() < 6 &&
           number.find_first_not_of("0123456789") == std::string_view::npos;
  }
  return false;
}

Sandbox::Sandbox(const SandboxOptions& options) {
  char* current = ::getcwd(nullptr, 0);
  const std::string host_directory = current ? current : "/";
  std::free(current);
  if (options.root.empty()) {
    if (options.temporary.empty())
      mounts_.push_back({"/tmp", UniqueFd(), true, true, true});
    else
      mount(options.temporary, "/tmp", true);
    mounts_.push_back({"/dev/shm", UniqueFd(), true, true, true});
    const std::string fixed = kFixedDirectory;
    start_ = options.fixed_directory ? fixed : host_directory;
    if (host_directory != "/") {
      if (options.fixed_directory) mount(host_directory, fixed, true);
      // If the host directory would lie within the fixed one, only the fixed one is mounted.
      if (!options.fixed_directory || !(host_directory + "/").starts_with(fixed + "/"))
        mount(host_directory, host_directory, true, !options.fixed_directory);
    }
  } else {
    mount(options.root, "", true);
    char* real = ::realpath(options.root.c_str(), nullptr);
    const std::string root = real ? real : options.root;
    std::free(real);
    start_ = host_directory.starts_with(root + "/") ? host_directory.substr(root.size()) : "/";
  }
  for (const auto& bind : options.binds) {
    if (bind.guest.empty() || bind.guest[0] != '/')
      throw UserError("--bind " + bind.host + ":" + bind.guest + ": the guest path must be absolute");
    mount(bind.host, std::filesystem::path(bind.guest).lexically_normal().string(), bind.writable);
  }
}

Sandbox::~Sandbox() { remove_temporary(); }

void Sandbox::mount(const std::string& host, std::string guest, bool writable, bool listed) {
  while (!guest.empty() && guest.back() == '/') guest.pop_back();
  UniqueFd root(::open(host.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root) throw UserError(host + ": cannot give this directory to the guest: " + std::strerror(errno));
  std::erase_if(mounts_, [&](const Mount& m) { return m.guest == guest; });
  mounts_.push_back({std::move(guest), std::move(root), writable, false, listed});
}

void Sandbox::make_temporary() {
  for (Mount& m : mounts_) {
    if (!m.temporary || m.root) continue;
    const char* parent = std::getenv("TMPDIR");
    if (!temporary_) temporary_ = TemporaryFolder::make(parent && *parent ? parent : "/tmp", "psim-guest-");
    if (!temporary_) return;
    const std::string folder = temporary_->path() + m.guest.substr(m.guest.rfind('/'));
    if (::mkdir(folder.c_str(), 0700) == 0)
      m.root = UniqueFd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
}

void Sandbox::remove_temporary() { temporary_.reset(); }

Sandbox::Mount* Sandbox::mounted_at(std::string_view guest) {
  for (Mount& m : mounts_) {
    if (m.guest != guest) continue;
    if (m.temporary && !m.root) make_temporary();
    return &m;
  }
  return nullptr;
}

bool Sandbox::leads_to_mount(std::string_view guest) const {
  std::string_view name;
  if (guest.empty() || guest == "/dev" || guest == "/proc" || guest == "/proc/self" || guest == "/dev/fd" ||
      guest == "/proc/self/fd" || (guest == start_ && start_ == kFixedDirectory))
    return true;
  return std::any_of(mounts_.begin(), mounts_.end(),
                     [&](const Mount& m) { return directly_below(guest, m.guest, name); });
}

std::vector<std::string> Sandbox::added_names(const std::string& guest_directory) const {
  const std::string_view directory = guest_directory == "/" ? "" : std::string_view(guest_directory);
  std::vector<std::string> names;
  std::string_view name;
  for (const Mount& m : mounts_)
    if (m.listed && directly_below(directory, m.guest, name)) names.emplace_back(name);
  for (const std::string_view file : kProvided)
    if (directly_below(directory, file, name)) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// One walk along a path: the stack of directories entered, the components still to go.
class Sandbox::Walk {
 public:
  Walk(Sandbox& sandbox, bool follow_last, PathTarget& target)
      : sandbox_(sandbox), follow_last_(follow_last), target_(target) {}

  int go(std::string_view base, std::string_view path) {
    if (path.empty()) return ENOENT;
    if (path.size() >= PATH_MAX) return ENAMETOOLONG;
    enter_root();
    push(path);
    if (path[0] != '/') push(base);
    while (!todo_.empty()) {
      const Component component = std::move(todo_.back());
      todo_.pop_back();
      if (const int error = step(component); error != 0 || finished_) return error;
    }
    return arrive_at_directory();
  }

 private:
  struct Component {
    std::string name;
    bool slash;  // a slash follows, perhaps with more components
  };
  struct Level {
    std::string guest;  // "" for the root
    UniqueFd own;
    int fd = -1;  // of `own` or of a mount's root; -1: virtual
    bool writable = false;
    bool mount_root = false;
    std::string name;
  };

  void enter_root() {
    stack_.clear();
    Level root;
    if (const Mount* m = sandbox_.mounted_at(""))
      root.fd = m->root.get(), root.writable = m->writable, root.mount_root = true;
    stack_.push_back(std::move(root));
  }

  // Puts the components of `path` before the remaining ones.
  void push(std::string_view path) {
    std::vector<Component> parts;
    while (!path.empty()) {
      const std::size_t slash = path.find('/');
      const std::string_view name = path.substr(0, slash);
      const bool more = slash != std::string_view::npos;
      if (!name.empty()) parts.push_back({std::string(name), more});
      path = more ? path.substr(slash + 1) : std::string_view{};
    }
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      part->slash = part->slash || !todo_.empty();
      todo_.push_back(std::move(*part));
    }
  }

  int step(const Component& component) {
    if (component.name == ".") return 0;
    if (component.name == "..") {
      if (stack_.size() > 1) stack_.pop_back();
      return 0;
    }
    if (component.name.size() > NAME_MAX) return ENAMETOOLONG;
    const Level& here = stack_.back();
    const std::string guest = here.guest + "/" + component.name;
    if (const Mount* m = sandbox_.mounted_at(guest)) {
      if (!m->root) return EACCES;  // the temporary directory could not be created
      Level level;
      level.guest = guest, level.fd = m->root.get(), level.writable = m->writable, level.mount_root = true;
      stack_.push_back(std::move(level));
      return 0;
    }
    if (is_provided_file(guest)) return component.slash ? ENOTDIR : arrive_at_device(guest);
    if (here.fd >= 0) {
      struct stat status;
      if (::fstatat(here.fd, component.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
        return S_ISLNK(status.st_mode) ? link(component, guest) : present(component, guest, status.st_mode);
      if (errno != ENOENT) return errno;
    }
    if (sandbox_.leads_to_mount(guest)) {
      Level level;
      level.guest = guest;
      stack_.push_back(std::move(level));
      return 0;
    }
    if (!todo_.empty() || here.fd < 0) return todo_.empty() ? missing_in_virtual() : ENOENT;
    return arrive(component, guest);
  }

  int present(const Component& component, const std::string& guest, mode_t mode) {
    if (!S_ISDIR(mode)) {
      if (component.slash) return ENOTDIR;
      return arrive(component, guest);
    }
    if (todo_.empty()) return arrive(component, guest);
    Level level;
    level.own = open_directory(stack_.back().fd, component.name.c_str());
    if (!level.own) return errno;
    level.fd = level.own.get(), level.guest = guest, level.writable = stack_.back().writable;
    level.name = component.name;
    stack_.push_back(std::move(level));
    return 0;
  }

  int link(const Component& component, const std::string& guest) {
    if (!component.slash && !follow_last_) return arrive(component, guest);
    if (++links_ > kMostLinks) return ELOOP;
    char text[PATH_MAX];
    const ssize_t size = ::readlinkat(stack_.back().fd, component.name.c_str(), text, sizeof text);
    if (size < 0) return errno;
    if (size == 0) return ENOENT;
    if (size == static_cast<ssize_t>(sizeof text)) return ENAMETOOLONG;
    const std::string_view target(text, static_cast<std::size_t>(size));
    if (target[0] == '/') enter_root();
    // A slash after the link's name requires that its target be a directory.
    if (component.slash && todo_.empty()) todo_.push_back({".", false});
    push(target);
    return 0;
  }

  int arrive(const Component& component, const std::string& guest) {
    finished_ = true;
    target_.kind = PathTarget::Kind::Host;
    Level& here = stack_.back();
    target_.parent = here.own ? std::move(here.own) : UniqueFd(::fcntl(here.fd, F_DUPFD_CLOEXEC, 3));
    if (!target_.parent) return errno;
    target_.name = component.name, target_.guest = guest, target_.writable = here.writable;
    target_.must_be_directory = component.slash;
    return 0;
  }

  int arrive_at_device(const std::string& guest) {
    finished_ = true;
    target_.kind = PathTarget::Kind::Device;
    target_.guest = guest;
    return 0;
  }

  int missing_in_virtual() {
    finished_ = true;
    return ENOENT;
  }

  // Handles a path that ends in a directory already entered: a mount's root, a virtual one, or after "." or
  // "..".
  int arrive_at_directory() {
    Level& here = stack_.back();
    target_.guest = here.guest.empty() ? "/" : here.guest;
    target_.must_be_directory = true;
    if (here.fd < 0) {
      target_.kind = PathTarget::Kind::Virtual;
      return 0;
    }
    target_.kind = PathTarget::Kind::Host;
    target_.parent = here.own ? std::move(here.own) : UniqueFd(::fcntl(here.fd, F_DUPFD_CLOEXEC, 3));
    if (!target_.parent) return errno;
    target_.name = ".", target_.writable = here.writable;
    return 0;
  }

  Sandbox& sandbox_;
  bool follow_last_;
  PathTarget& target_;
  std::vector<Level> stack_;
  std::vector<Component> todo_;  // reversed
  int links_ = 0;
  bool finished_ = false;
};

int Sandbox::resolve(std::string_view base, std::string_view path, bool follow_last, PathTarget& target) {
  return Walk(*this, follow_last, target).go(base, path);
}

}  // namespace psim::isa
