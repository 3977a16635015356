// SPDX-License-Identifier: Apache-2.0
// For functions that stand before the C library's of the same name.
#pragma once

#include <dlfcn.h>

namespace psim::net {

template <typename Function>
Function* next_function(Function*, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace psim::net

/// The C library's function of that name as `real`, found once.
#define PSIM_NEXT(name) static const auto real = psim::net::next_function(&name, #name)
