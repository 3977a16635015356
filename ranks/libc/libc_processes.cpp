// SPDX-License-Identifier: Apache-2.0
// Processes that ranks start and wait for. Each rank has its own children, and their output is the rank's.
#include <fcntl.h>
#include <pty.h>
#include <sched.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <vector>

#include "ranks/libc/child_processes.h"
#include "ranks/libc/libc_caller.h"
#include "ranks/libc/linked.h"

const char psim::net::linked::processes = 0;

using psim::net::running_rank;
namespace child_process = psim::net::child_process;

namespace {

/// Returns true for a call by a rank or by a host thread for it, but not by the simulator.
bool called_for_rank(const void* caller) {
  const auto* at = static_cast<const char*>(caller);
  return running_rank != nullptr && (at < &__executable_start || at >= &etext);
}
/// Likewise, but false in a copy made by fork(), which is an ordinary process.
bool called_by_simulated_rank(const void* caller) { return !child_process::here && called_for_rank(caller); }

#define PSIM_FORKS called_for_rank(__builtin_return_address(0))
#define PSIM_WAITS called_by_simulated_rank(__builtin_return_address(0))

pid_t real_wait(pid_t child, int* status, int options, rusage* usage) {
  return static_cast<pid_t>(::syscall(SYS_wait4, child, status, options, usage));
}

void pause_for(long nanoseconds) {
  const timespec time{0, nanoseconds};
  ::syscall(SYS_nanosleep, &time, nullptr);
}

/// Removes an ended child of the rank and prints its output.
void ended(pid_t child) {
  auto& children = running_rank->libc().children;
  children.forget(child);
  children.print(*running_rank);
}

/// Calls look(child) for the rank's children that `wanted` names as in waitpid(), until it returns another
/// number than 0; once only if `once`. Returns -1 and ECHILD if there are none.
int each_child(pid_t wanted, bool once, const std::function<int(pid_t)>& look) {
  const pid_t group = wanted == 0 ? ::getpgrp() : wanted < -1 ? -wanted : 0;
  for (long pause = 20'000;; pause = pause < 2'000'000 ? pause * 2 : pause) {
    const std::vector<pid_t> all = running_rank->libc().children.all();
    bool any = false;
    for (const pid_t child : all) {
      if (group != 0 && ::getpgid(child) != group) continue;
      any = true;
      if (const int result = look(child); result != 0) return result;
    }
    if (!any) {
      errno = ECHILD;
      return -1;
    }
    if (once) return 0;
    pause_for(pause);
  }
}

pid_t wait_for(pid_t wanted, int* status, int options, rusage* usage) {
  int how = 0;
  const auto reaped = [&](pid_t child) {
    if (child > 0 && (WIFEXITED(how) || WIFSIGNALED(how))) ended(child);
    if (child > 0 && status != nullptr) *status = how;
    return child;
  };
  if (wanted > 0) return reaped(real_wait(wanted, &how, options, usage));
  const auto& children = running_rank->libc().children.all();
  if (wanted == -1 && children.size() == 1) return reaped(real_wait(children[0], &how, options, usage));
  return each_child(wanted, (options & WNOHANG) != 0, [&](pid_t child) {
    const pid_t found = real_wait(child, &how, options | WNOHANG, usage);
    if (found < 0 && errno == ECHILD) {
      ended(child);  // another function has waited for it
      return 0;
    }
    return reaped(found);
  });
}

int wait_for_id(idtype_t type, id_t id, siginfo_t* info, int options) {
  PSIM_NEXT(waitid);
  siginfo_t own{};
  siginfo_t& got = info != nullptr ? *info : own;
  got.si_pid = 0;
  const auto reaped = [&](int result) {
    const bool has_ended =
        got.si_code == CLD_EXITED || got.si_code == CLD_KILLED || got.si_code == CLD_DUMPED;
    if (result == 0 && got.si_pid != 0 && has_ended && (options & WNOWAIT) == 0) ended(got.si_pid);
    return result;
  };
  if (type != P_ALL && type != P_PGID) return reaped(real(type, id, &got, options));
  const pid_t wanted = type == P_ALL ? -1 : id == 0 ? 0 : -static_cast<pid_t>(id);
  const int result = each_child(wanted, (options & WNOHANG) != 0, [&](pid_t child) {
    if (real(P_PID, static_cast<id_t>(child), &got, options | WNOHANG) != 0) return errno == ECHILD ? 0 : -1;
    return got.si_pid != 0 ? 1 : 0;
  });
  return result == 1 ? reaped(0) : result;
}

template <class Spawn>
int spawn(pid_t* child, Spawn&& start) {
  pid_t own = 0;
  pid_t& made = child != nullptr ? *child : own;
  const child_process::Redirection redirection;
  const int result = start(&made);
  if (result == 0) running_rank->libc().children.add(made);
  return result;
}

}  // namespace

pid_t child_process::fork_rank(bool as_vfork) {
  static const auto real = psim::net::next_function(&::fork, "fork");
  return as_vfork ? child_process::vfork(real) : child_process::fork(real);
}

extern "C" {

PSIM_SEES_CALLER pid_t fork() noexcept {
  PSIM_NEXT(fork);
  return PSIM_FORKS ? child_process::fork(real) : real();
}

PSIM_SEES_CALLER pid_t _Fork() noexcept {
  PSIM_NEXT(_Fork);
  return PSIM_FORKS ? child_process::fork(real) : real();
}

PSIM_SEES_CALLER pid_t vfork() noexcept {
  PSIM_NEXT(fork);
  return PSIM_FORKS ? child_process::vfork(real) : real();
}

PSIM_SEES_CALLER int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept {
  std::va_list list;
  va_start(list, argument);
  auto* const parent = va_arg(list, pid_t*);
  auto* const tls = va_arg(list, void*);
  auto* const child = va_arg(list, pid_t*);
  va_end(list);
  if (!PSIM_FORKS || (flags & CLONE_THREAD) != 0) {
    return PSIM_REAL(clone)(function, stack, flags, argument, parent, tls, child);
  }
  if ((flags & CLONE_VM) != 0 && (flags & CLONE_VFORK) == 0) {
    errno = ENOSYS;  // the child would run in the simulator's memory at the same time
    return -1;
  }
  const pid_t made = child_process::fork_rank((flags & CLONE_VFORK) != 0);
  if (made != 0) {
    if (made > 0 && (flags & CLONE_PARENT_SETTID) != 0) *parent = made;
    return made;
  }
  constexpr int kSpaces = CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWPID |
                          CLONE_NEWUSER | CLONE_NEWUTS;
  if ((flags & kSpaces) != 0 && ::unshare(flags & kSpaces) != 0) ::_exit(1);
  ::_exit(function(argument));
}

// Replaces the C library's daemon(), which would end the process that runs the rank.
PSIM_SEES_CALLER int daemon(int keep_directory, int keep_streams) noexcept {
  if (!PSIM_WAITS) return PSIM_REAL(daemon)(keep_directory, keep_streams);
  const pid_t child = child_process::fork_rank(false);
  if (child < 0) return -1;
  if (child > 0) {
    running_rank->libc().children.forget(child);
    ::_exit(0);
  }
  if (::setsid() < 0) return -1;
  if (keep_directory == 0 && ::chdir("/") != 0) return -1;
  if (keep_streams == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    if (nothing < 0) return -1;
    for (const int standard : {0, 1, 2}) ::dup2(nothing, standard);
    if (nothing > 2) ::close(nothing);
  }
  return 0;
}

PSIM_SEES_CALLER int forkpty(int* terminal, char* name, const termios* settings,
                             const winsize* size) noexcept {
  if (!PSIM_FORKS) return PSIM_REAL(forkpty)(terminal, name, settings, size);
  int other = -1;
  if (::openpty(terminal, &other, name, settings, size) != 0) return -1;
  const pid_t child = child_process::fork_rank(false);
  if (child == 0) {
    ::close(*terminal);
    if (::login_tty(other) != 0) ::_exit(1);
    return 0;
  }
  ::close(other);
  if (child < 0) ::close(*terminal);
  return child;
}

PSIM_SEES_CALLER pid_t wait4(pid_t child, int* status, int options, rusage* usage) noexcept {
  return PSIM_WAITS ? wait_for(child, status, options, usage) : real_wait(child, status, options, usage);
}
PSIM_SEES_CALLER pid_t waitpid(pid_t child, int* status, int options) {
  return PSIM_WAITS ? wait_for(child, status, options, nullptr) : real_wait(child, status, options, nullptr);
}
PSIM_SEES_CALLER pid_t wait(int* status) {
  return PSIM_WAITS ? wait_for(-1, status, 0, nullptr) : real_wait(-1, status, 0, nullptr);
}
PSIM_SEES_CALLER pid_t wait3(int* status, int options, rusage* usage) noexcept {
  return PSIM_WAITS ? wait_for(-1, status, options, usage) : real_wait(-1, status, options, usage);
}
PSIM_SEES_CALLER int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  if (PSIM_WAITS) return wait_for_id(type, id, info, options);
  return PSIM_REAL(waitid)(type, id, info, options);
}

/// Returns the rank's process id in a copy that it made.
PSIM_SEES_CALLER pid_t getppid() noexcept {
  const auto real = [] { return static_cast<pid_t>(::syscall(SYS_getppid)); };
  if (!child_process::here || !called_for_rank(__builtin_return_address(0))) return real();
  return child_process::parent_of_copy(real());
}

PSIM_SEES_CALLER int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                                 const posix_spawnattr_t* attributes, char* const arguments[],
                                 char* const variables[]) {
  PSIM_NEXT(posix_spawn);
  if (!PSIM_WAITS) return real(child, path, actions, attributes, arguments, variables);
  return spawn(child,
               [&](pid_t* made) { return real(made, path, actions, attributes, arguments, variables); });
}

PSIM_SEES_CALLER int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                                  const posix_spawnattr_t* attributes, char* const arguments[],
                                  char* const variables[]) {
  PSIM_NEXT(posix_spawnp);
  if (!PSIM_WAITS) return real(child, file, actions, attributes, arguments, variables);
  return spawn(child,
               [&](pid_t* made) { return real(made, file, actions, attributes, arguments, variables); });
}

PSIM_SEES_CALLER int system(const char* command) {
  PSIM_NEXT(system);
  if (!PSIM_WAITS) return real(command);
  int status;
  {
    const child_process::Redirection redirection;
    status = real(command);
  }
  running_rank->libc().children.print(*running_rank);
  return status;
}

PSIM_SEES_CALLER FILE* popen(const char* command, const char* mode) {
  PSIM_NEXT(popen);
  if (!PSIM_WAITS) return real(command, mode);
  const child_process::Redirection redirection;
  return real(command, mode);
}

PSIM_SEES_CALLER int pclose(FILE* stream) {
  PSIM_NEXT(pclose);
  if (!PSIM_WAITS) return real(stream);
  const int status = real(stream);
  running_rank->libc().children.print(*running_rank);
  return status;
}

}  // extern "C"
