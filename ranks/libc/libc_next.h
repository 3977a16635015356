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

/// The C library's function of that name, looked up once.
#define PSIM_REAL(name)                                              \
  ([] {                                                              \
    static const auto real = psim::net::next_function(&name, #name); \
    return real;                                                     \
  }())
/// Defines `real`, the same function.
#define PSIM_NEXT(name) const auto real = PSIM_REAL(name)

/// Marks a function that uses its return address: inlined, it would have that of its caller.
#define PSIM_SEES_CALLER [[gnu::noinline]]

/// Returns the result of the C library's function of that name, unless a rank runs.
#define PSIM_OUTSIDE_RANKS(name, ...) \
  if (!psim::net::running_rank) return PSIM_REAL(name)(__VA_ARGS__);
