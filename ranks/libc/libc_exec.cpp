// SPDX-License-Identifier: Apache-2.0
// The exec family. A rank cannot execute another program in its place, which would end all ranks. Its
// children can.
#include <alloca.h>
#include <unistd.h>

#include <cstdarg>
#include <cstddef>

#include "base/console.h"
#include "ranks/libc/child_processes.h"
#include "ranks/libc/libc_caller.h"
#include "ranks/libc/linked.h"

const char psim::net::linked::exec = 0;

using psim::net::running_rank;

namespace {

/// Ends a rank that calls `function`, with the status of a shell that cannot execute a program.
void refuse_rank(const void* caller, const char* function, const char* program) {
  if (psim::net::child_process::here || !psim::net::called_by_rank(caller)) return;
  psim::console::log(
      "psim: rank {}: {}({}): a rank cannot execute another program in its place; expected fork, posix_spawn "
      "or system\n",
      running_rank->number(), function, program);
  running_rank->exit(127, false);
}

}  // namespace

#define PSIM_REFUSE(function, program) refuse_rank(__builtin_return_address(0), function, program)
/// Defines `arguments`, the array of the words from `first` to a null pointer, and `after`, the rest.
#define PSIM_WORDS(first)                                                       \
  va_list all, after;                                                           \
  va_start(all, first);                                                         \
  va_copy(after, all);                                                          \
  std::size_t words = 1;                                                        \
  while (va_arg(all, char*) != nullptr) ++words;                                \
  auto** arguments = static_cast<char**>(alloca((words + 1) * sizeof(char*)));  \
  arguments[0] = const_cast<char*>(first);                                      \
  for (std::size_t i = 1; i <= words; ++i) arguments[i] = va_arg(after, char*); \
  va_end(all)

extern "C" {

PSIM_SEES_CALLER int execve(const char* path, char* const arguments[], char* const variables[]) noexcept {
  PSIM_REFUSE("execve", path);
  return PSIM_REAL(execve)(path, arguments, variables);
}

PSIM_SEES_CALLER int execv(const char* path, char* const arguments[]) noexcept {
  PSIM_REFUSE("execv", path);
  return PSIM_REAL(execv)(path, arguments);
}

PSIM_SEES_CALLER int execvp(const char* file, char* const arguments[]) noexcept {
  PSIM_REFUSE("execvp", file);
  return PSIM_REAL(execvp)(file, arguments);
}

PSIM_SEES_CALLER int execvpe(const char* file, char* const arguments[], char* const variables[]) noexcept {
  PSIM_REFUSE("execvpe", file);
  return PSIM_REAL(execvpe)(file, arguments, variables);
}

PSIM_SEES_CALLER int execl(const char* path, const char* first, ...) noexcept {
  PSIM_REFUSE("execl", path);
  PSIM_WORDS(first);
  va_end(after);
  return PSIM_REAL(execv)(path, arguments);
}

PSIM_SEES_CALLER int execlp(const char* file, const char* first, ...) noexcept {
  PSIM_REFUSE("execlp", file);
  PSIM_WORDS(first);
  va_end(after);
  return PSIM_REAL(execvp)(file, arguments);
}

PSIM_SEES_CALLER int execle(const char* path, const char* first, ...) noexcept {
  PSIM_REFUSE("execle", path);
  PSIM_WORDS(first);
  char* const* variables = va_arg(after, char* const*);
  va_end(after);
  return PSIM_REAL(execve)(path, arguments, variables);
}

}  // extern "C"
