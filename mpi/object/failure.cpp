// SPDX-License-Identifier: Apache-2.0
#include "mpi/object/failure.h"

#include <cstdarg>
#include <cstdio>

namespace psim::net::mpi {

void fail_about(int code, const char* format, ...) {
  static char text[256];  // read by the handler of this failure, before any other rank runs
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw Failure{code, text};
}

}  // namespace psim::net::mpi
