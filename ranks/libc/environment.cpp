// SPDX-License-Identifier: Apache-2.0
#include "ranks/libc/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "ranks/libc/libc_caller.h"

namespace psim::net {

namespace {

char** simulator_environment = nullptr;

bool good(const char* name) { return name != nullptr && *name != '\0' && std::strchr(name, '=') == nullptr; }

int wrong() {
  errno = EINVAL;
  return -1;
}

}  // namespace

void Environment::enter() {
  simulator_environment = ::environ;
  ::environ = variables_.data();
}

void Environment::leave() { ::environ = simulator_environment; }

void Environment::change() {
  if (changed()) return;
  simulator_environment = ::environ;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable)
    variables_.push_back(*variable);
  variables_.push_back(nullptr);
  ::environ = variables_.data();
}

std::vector<char*>::iterator Environment::find(std::string_view name) {
  return std::find_if(variables_.begin(), variables_.end() - 1, [&](const char* variable) {
    return std::strncmp(variable, name.data(), name.size()) == 0 && variable[name.size()] == '=';
  });
}

void Environment::set(std::string_view name, std::string_view value, bool overwrite) {
  change();
  if (!overwrite && find(name) != variables_.end() - 1) return;
  put(texts_.emplace_back(std::string(name) + '=' + std::string(value)).data());
}

void Environment::put(char* variable) {
  change();
  const auto entry = find({variable, static_cast<std::size_t>(std::strchr(variable, '=') - variable)});
  if (*entry == nullptr) {
    variables_.insert(entry, variable);
    ::environ = variables_.data();
  } else {
    *entry = variable;
  }
}

void Environment::unset(std::string_view name) {
  change();
  for (auto entry = find(name); *entry != nullptr; entry = find(name)) variables_.erase(entry);
}

void Environment::clear() {
  change();
  variables_.assign(1, nullptr);
}

}  // namespace psim::net

using psim::net::good;
using psim::net::running_rank;
using psim::net::wrong;

extern "C" {

PSIM_SEES_CALLER int setenv(const char* name, const char* value, int overwrite) noexcept {
  if (!PSIM_CALLED_BY_RANK) return PSIM_REAL(setenv)(name, value, overwrite);
  if (!good(name)) return wrong();
  running_rank->libc().environment.set(name, value, overwrite != 0);
  return 0;
}

PSIM_SEES_CALLER int unsetenv(const char* name) noexcept {
  if (!PSIM_CALLED_BY_RANK) return PSIM_REAL(unsetenv)(name);
  if (!good(name)) return wrong();
  running_rank->libc().environment.unset(name);
  return 0;
}

PSIM_SEES_CALLER int putenv(char* variable) noexcept {
  if (!PSIM_CALLED_BY_RANK) return PSIM_REAL(putenv)(variable);
  if (std::strchr(variable, '=') == nullptr) return unsetenv(variable);
  running_rank->libc().environment.put(variable);
  return 0;
}

PSIM_SEES_CALLER int clearenv() noexcept {
  if (!PSIM_CALLED_BY_RANK) return PSIM_REAL(clearenv)();
  running_rank->libc().environment.clear();
  return 0;
}

}  // extern "C"
