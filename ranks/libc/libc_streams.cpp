// SPDX-License-Identifier: Apache-2.0
// Standard streams that a rank closes or redirects, without effect on other ranks.
#include <cstdio>

#include "ranks/libc/libc_caller.h"

using psim::net::LibcState;
using psim::net::running_rank;

namespace {

/// Returns the rank's own stream that replaces a shared one, or null.
FILE** own(FILE* stream) {
  if (stream == psim::net::StandardStreams::shared(psim::net::Stream::Out)) return &running_rank->libc().out;
  if (stream == psim::net::StandardStreams::shared(psim::net::Stream::Error))
    return &running_rank->libc().error;
  return nullptr;
}

}  // namespace

extern "C" {

PSIM_SEES_CALLER FILE* freopen(const char* path, const char* mode, FILE* stream) {
  PSIM_NEXT(freopen);
  if (!PSIM_CALLED_BY_RANK) return real(path, mode, stream);
  LibcState& libc = running_rank->libc();
  if (stream == libc.out || stream == libc.error) {
    FILE*& led = stream == libc.out ? libc.out : libc.error;
    if (!real(path, mode, stream)) led = nullptr;  // closed
    psim::net::StandardStreams::enter(&libc);
    return led;
  }
  FILE** mine = own(stream);
  if (!mine) return real(path, mode, stream);
  if (!path) return stream;  // only the mode changes, and Linux has only one
  FILE* file = std::fopen(path, mode);
  if (!file) return nullptr;
  psim::net::StandardStreams::flush();
  *mine = file;
  psim::net::StandardStreams::enter(&libc);
  return file;
}

FILE* freopen64(const char* path, const char* mode, FILE* stream) { return freopen(path, mode, stream); }

PSIM_SEES_CALLER int fclose(FILE* stream) {
  PSIM_NEXT(fclose);
  if (!PSIM_CALLED_BY_RANK) return real(stream);
  if (stream == stdin) return 0;
  if (own(stream)) {
    psim::net::StandardStreams::flush();
    return 0;
  }
  LibcState& libc = running_rank->libc();
  const bool out = stream == libc.out, error = stream == libc.error;
  if (out) libc.out = nullptr;
  if (error) libc.error = nullptr;
  if (out || error) psim::net::StandardStreams::enter(&libc);
  return real(stream);
}

}  // extern "C"
