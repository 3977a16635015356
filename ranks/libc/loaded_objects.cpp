// SPDX-License-Identifier: Apache-2.0
// The loaded objects that gfortran's library finds when it prints a backtrace, and that programs find. They
// open each object by name to read functions and lines. The running rank's program gets the name of its file,
// which its copies in memory lack; other ranks' programs are omitted.
#include <link.h>

#include "ranks/libc/libc_next.h"
#include "ranks/libc/libc_state.h"
#include "ranks/libc/linked.h"
#include "ranks/program/image.h"

const char psim::net::linked::loaded_objects = 0;

namespace {

using Callback = int (*)(dl_phdr_info*, std::size_t, void*);

struct Visit {
  Callback callback;
  void* argument;
};

int visit(dl_phdr_info* object, std::size_t size, void* self) {
  const auto& [callback, argument] = *static_cast<Visit*>(self);
  if (object->dlpi_name == nullptr || !psim::net::Image::is_copy(object->dlpi_name))
    return callback(object, size, argument);
  dl_phdr_info named = *object;
  named.dlpi_name = psim::net::running_rank->file_at(reinterpret_cast<void*>(object->dlpi_addr));
  return named.dlpi_name == nullptr ? 0 : callback(&named, size, argument);
}

}  // namespace

// Called by AddressSanitizer before it is ready for instrumented code.
extern "C" __attribute__((noinline, no_sanitize("address", "undefined"))) int dl_iterate_phdr(
    Callback callback, void* argument) {
  PSIM_NEXT(dl_iterate_phdr);
  if (psim::net::running_rank == nullptr || !psim::net::running_rank->is_own(__builtin_return_address(0)))
    return real(callback, argument);
  Visit both{callback, argument};
  return real(&visit, &both);
}
