// SPDX-License-Identifier: Apache-2.0
// Guard of calls on a window, which passes failures to the window's error handler.
#pragma once

#include "mpi/api.h"
#include "mpi/window/window.h"

namespace psim::net::mpi {

template <class Body>
int window_call(const char* function, MPI_Win handle, Body&& body) {
  const Call call(function);
  Failure caught{};
  try {
    Window& w = window(handle);
    Rank& me = self(function);
    me.pending.source = MPI_UNDEFINED;
    me.pending.comm = w.comm;
    if (!me.deferred.empty()) progress(me);
    body(w, me);
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    caught = failure;
  }
  return raise_window(function, handle, caught.code, caught.note);
}

}  // namespace psim::net::mpi
