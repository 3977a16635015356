// SPDX-License-Identifier: Apache-2.0
// Programs of ranks built with -fsanitize=address. Its runtime must be loaded before everything else, and be
// told of every switch of stacks. (-fsanitize=undefined needs nothing.)
#pragma once

#include <cstddef>
#include <string>

namespace psim::net {

/// If the program needs the runtime of AddressSanitizer and it is not loaded, starts this process anew with
/// it. What ranks leak is not reported. UserError for sanitizers that ranks cannot have (threads, memory).
/// Before anything else is done.
void run_with_sanitizer(const std::string& program);

/// Whether the program was built with -fsanitize=address.
bool needs_address_sanitizer(const std::string& program);

/// The runtime's functions, where it is loaded; else null. Looked up once.
struct SanitizerRuntime {
  void (*start_switch)(void** save, const void* bottom, std::size_t size) = nullptr;
  void (*finish_switch)(void* saved, const void** bottom, std::size_t* size) = nullptr;
  void (*unpoison)(const volatile void* address, std::size_t size) = nullptr;
  void (*on_death)(void (*callback)()) = nullptr;

  static const SanitizerRuntime& get();
};

}  // namespace psim::net
