// SPDX-License-Identifier: Apache-2.0
// Access to the C library's functions, for functions that replace them.
#pragma once

#include <dlfcn.h>

namespace psim::net {

template <typename Function>
Function* next_function(Function*, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace psim::net

/// Defines `real`, the C library's function of that name, looked up once.
#define PSIM_NEXT(name) static const auto real = psim::net::next_function(&name, #name)

/// Returns the result of the C library's function of that name, unless a rank runs.
#define PSIM_OUTSIDE_RANKS(name, ...) \
  if (!psim::net::running_rank) {     \
    PSIM_NEXT(name);                  \
    return real(__VA_ARGS__);         \
  }
