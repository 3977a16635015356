// SPDX-License-Identifier: Apache-2.0
// Programs of ranks built with -fsanitize=address. Its runtime must be loaded first and be notified of every
// switch of stacks. (-fsanitize=undefined needs nothing.)
#pragma once

#include <cstddef>
#include <string>

namespace psim::net {

/// Restarts this process with AddressSanitizer's runtime if the program needs it and it is not loaded. Leaks
/// of ranks are not reported. To be called before anything else. Throws UserError for sanitizers that ranks
/// cannot use (threads, memory).
void run_with_sanitizer(const std::string& program);

/// Returns true if the program was built with -fsanitize=address.
bool needs_address_sanitizer(const std::string& program);

/// Functions of the runtime if it is loaded, else null. Looked up once.
struct SanitizerRuntime {
  void (*start_switch)(void** save, const void* bottom, std::size_t size) = nullptr;
  void (*finish_switch)(void* saved, const void** bottom, std::size_t* size) = nullptr;
  void (*unpoison)(const volatile void* address, std::size_t size) = nullptr;
  void (*on_death)(void (*callback)()) = nullptr;

  static const SanitizerRuntime& get();
};

}  // namespace psim::net
