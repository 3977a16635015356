// SPDX-License-Identifier: Apache-2.0
// The forms of a collective function: blocking, non-blocking and persistent, each also for large counts. A
// persistent one (MPI-4.1 sections 6.13, 8.8) calls the non-blocking form again at each start, with the
// request and the tag of the initialisation.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "mpi/api.h"
#include "mpi/datatype/registry.h"
#include "mpi/object/info_handle.h"
#include "mpi/persistent.h"
#include "mpi/requests.h"

namespace psim::net::mpi {

/// Keeps a datatype that the program may free before the request. Other arguments need nothing.
template <class Argument>
void hold_type(std::vector<Ref<Datatype>>& held, Argument argument) {
  if constexpr (std::is_same_v<Argument, int>)
    if (is_handle(argument, HandleKind::Datatype) && argument != MPI_DATATYPE_NULL)
      held.emplace_back(&datatype(argument));
}

template <class Call>
struct PersistentCollective final : Restart {
  PersistentCollective(Call c, std::int32_t t) : call(std::move(c)), tag(t) {}
  int start(std::uint32_t request) override { return run({request, tag, false}); }
  int run(Restarting how) {
    MPI_Request same = MPI_REQUEST_NULL;
    restarting = &how;
    const int error = call(&same);
    restarting = nullptr;
    tag = how.tag;
    return error;
  }
  Call call;
  std::int32_t tag;
  std::vector<Ref<Datatype>> held;
};

/// Initialises a collective whose non-blocking form is `Start`; its last argument but the request is `comm`.
template <auto Start, class... Arguments>
int initialise(const char* function, MPI_Info hints, MPI_Request* request, MPI_Comm comm,
               Arguments... arguments) {
  if (const int error = guarded(function, comm, [&] {
        out(request);
        check_info(hints);
      }))
    return error;
  auto call = [=](MPI_Request* result) { return Start(arguments..., comm, result); };
  auto made = std::make_unique<PersistentCollective<decltype(call)>>(std::move(call), 0);
  if (const int error = made->run({0, 0, true})) return error;
  return guarded(function, comm, [&] {
    (hold_type(made->held, arguments), ...);
    const std::uint32_t index = new_request(self(function), RequestKind::Collective);
    library->requests[index].comm = comm;
    set_restart(index, std::move(made));
    *request = make_handle(HandleKind::Request, index);
  });
}

}  // namespace psim::net::mpi

/// Defines the collective `name`, its non-blocking form `immediate` and its initialisation name_init, with
/// `parameters`, which are those before the communicator, and their names in the variable arguments. The
/// functions call `call(function, names…, comm, request)`.
#define PSIM_COLLECTIVE(name, immediate, call, parameters, ...)                                              \
  PSIM_MPI_COUNTS(int, name, (PSIM_LIST parameters, MPI_Comm comm),                                          \
                  { return call(function, __VA_ARGS__, comm, nullptr); })                                    \
  PSIM_MPI_COUNTS(int, immediate, (PSIM_LIST parameters, MPI_Comm comm, MPI_Request * request),              \
                  { return call(function, __VA_ARGS__, comm, nonnull(request)); })                           \
  namespace psim_small_counts {                                                                              \
  PSIM_MPI(int, name##_init, (PSIM_LIST parameters, MPI_Comm comm, MPI_Info info, MPI_Request* request)) {   \
    return initialise<PMPI_##immediate>("MPI_" #name "_init", info, request, comm, __VA_ARGS__);             \
  }                                                                                                          \
  }                                                                                                          \
  namespace psim_large_counts {                                                                              \
  PSIM_MPI(int, name##_init_c, (PSIM_LIST parameters, MPI_Comm comm, MPI_Info info, MPI_Request* request)) { \
    return initialise<PMPI_##immediate##_c>("MPI_" #name "_init_c", info, request, comm, __VA_ARGS__);       \
  }                                                                                                          \
  }
