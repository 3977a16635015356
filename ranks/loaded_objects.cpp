// SPDX-License-Identifier: Apache-2.0
// What gfortran's library finds loaded when it prints a backtrace, and what programs find. They open each
// object by its name to read of functions and lines: the running rank's program has the name of its file,
// whose copies in memory lack that, and those of other ranks are left out.
#include <link.h>

#include "ranks/image.h"
#include "ranks/libc_next.h"
#include "ranks/libc_state.h"
#include "ranks/threads/linked.h"

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

// AddressSanitizer calls it before it is ready for code that it watches.
extern "C" __attribute__((no_sanitize("address", "undefined"))) int dl_iterate_phdr(Callback callback,
                                                                                    void* argument) {
  PSIM_NEXT(dl_iterate_phdr);
  if (psim::net::running_rank == nullptr || !psim::net::running_rank->is_own(__builtin_return_address(0)))
    return real(callback, argument);
  Visit both{callback, argument};
  return real(&visit, &both);
}
