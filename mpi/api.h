// SPDX-License-Identifier: Apache-2.0
// Definition of MPI functions: PMPI_ is the real name, MPI_, MGEN_ and LMPI_ are weak aliases of it, so that
// programs and tools can interpose their own. The prototypes are in include/mpi_functions.h.
#pragma once

#include <utility>

#include "mpi/errhandler.h"
#include "mpi/include/mpi.h"
#include "mpi/library.h"
#include "mpi/object/failure.h"
#include "mpi/observe.h"
#include "mpi/protocol.h"

#define PSIM_MPI(result, name, arguments)                                              \
  extern "C" __attribute__((weak, alias("PMPI_" #name))) result MPI_##name arguments;  \
  extern "C" __attribute__((weak, alias("PMPI_" #name))) result MGEN_##name arguments; \
  extern "C" __attribute__((weak, alias("PMPI_" #name))) result LMPI_##name arguments; \
  extern "C" result PMPI_##name arguments

/// Defines an MPI function that returns run("MPI_name", …) of the variable arguments.
#define PSIM_MPI_CALL(name, arguments, run, ...) \
  PSIM_MPI(int, name, arguments) { return run("MPI_" #name __VA_OPT__(, ) __VA_ARGS__); }

/// Defines an MPI function and its form for large counts, name_c, with one body. In the arguments and the
/// body, `Number` is the type of counts (int or MPI_Count), `Place` that of displacements in elements and
/// units of windows (int or MPI_Aint), `Reach` that of displacements in bytes and of extents (MPI_Aint or
/// MPI_Count); `kLarge` is true in the form for large counts; `function` is the function's name.
#define PSIM_MPI_COUNTS(result, name, arguments, ...)                \
  namespace psim_small_counts {                                      \
  PSIM_MPI(result, name, arguments) {                                \
    [[maybe_unused]] const char* const function = "MPI_" #name;      \
    __VA_ARGS__                                                      \
  }                                                                  \
  }                                                                  \
  namespace psim_large_counts {                                      \
  PSIM_MPI(result, name##_c, arguments) {                            \
    [[maybe_unused]] const char* const function = "MPI_" #name "_c"; \
    __VA_ARGS__                                                      \
  }                                                                  \
  }
/// Defines both forms of an MPI function that returns run(function, …) of the variable arguments.
#define PSIM_MPI_COUNTED_CALL(name, arguments, run, ...) \
  PSIM_MPI_COUNTS(int, name, arguments, { return run(function __VA_OPT__(, ) __VA_ARGS__); })
/// The parameters in parentheses, as part of a longer list.
#define PSIM_LIST(...) __VA_ARGS__
namespace psim_small_counts {
constexpr bool kLarge = false;
using Number = int;
using Place = int;
using Reach = MPI_Aint;
}  // namespace psim_small_counts
namespace psim_large_counts {
constexpr bool kLarge = true;
using Number = MPI_Count;
using Place = MPI_Aint;
using Reach = MPI_Count;
}  // namespace psim_large_counts

namespace psim::net::mpi {

/// Runs `body` and passes its failure to the error handler of `comm`.
template <class Body>
int attempt(const char* function, MPI_Comm comm, Body&& body) {
  Failure caught{};
  try {
    body();
    return MPI_SUCCESS;
  } catch (const Failure& failure) {
    caught = failure;
  }
  return raise(function, comm, caught.code, caught.note);
}

/// Runs `body` as guarded() does, for calls too small to be reported to an observer.
template <class Body>
int unobserved(const char* function, Body&& body) {
  const ThreadHold hold;
  return attempt(function, MPI_COMM_NULL, std::forward<Body>(body));
}

template <class Body>
int guarded(const char* function, MPI_Comm comm, Body&& body) {
  const Call call(function);
  return attempt(function, comm, std::forward<Body>(body));
}
/// Runs the body of a function whose errors concern no communicator.
template <class Body>
int guarded(const char* function, Body&& body) {
  return guarded(function, MPI_COMM_NULL, std::forward<Body>(body));
}

/// Checks that `rank` is in `comm` or MPI_PROC_NULL. `argument` is its name in the standard, for the error
/// text.
inline void check_destination(const Communicator& comm, int rank, const char* argument = "dest") {
  const int size = static_cast<int>(comm.peers().size());
  if (rank != MPI_PROC_NULL && (rank < 0 || rank >= size)) [[unlikely]]
    fail_about(MPI_ERR_RANK, "%s is %d: the communicator has ranks 0 to %d", argument, rank, size - 1);
}
inline void check_source(const Communicator& comm, int rank) {
  if (rank != MPI_ANY_SOURCE) check_destination(comm, rank, "source");
}
/// Dereferences an output argument, or an array of the caller's. Fails with MPI_ERR_ARG if it is null.
template <class T>
T& out(T* result) {
  require(result != nullptr, MPI_ERR_ARG, kNullPointer);
  return *result;
}
/// Checks that `array` is null only if it has no elements.
inline void check_array(const void* array, std::int64_t elements, const char* argument) {
  if (array == nullptr && elements > 0) [[unlikely]]
    fail_about(MPI_ERR_ARG, "%s is a null pointer", argument);
}
inline void check_count(std::int64_t count, const char* argument = "count") {
  if (count < 0) [[unlikely]]
    fail_about(MPI_ERR_COUNT, "%s is %lld, which is negative", argument, static_cast<long long>(count));
}
/// Returns `n` times `count`; fails if that is no 63-bit number.
inline std::uint64_t times(std::uint64_t count, std::uint64_t n) {
  std::int64_t product;
  if (__builtin_mul_overflow(count, n, &product)) [[unlikely]]
    fail_about(MPI_ERR_COUNT, "%llu times %llu elements or bytes are more than 63 bits can count",
               static_cast<unsigned long long>(n), static_cast<unsigned long long>(count));
  return static_cast<std::uint64_t>(product);
}
/// Returns `sum` plus a count that is not negative; fails if that is no 63-bit number.
inline std::uint64_t plus(std::uint64_t sum, std::int64_t count) {
  std::int64_t result;
  if (__builtin_add_overflow(sum, count, &result)) [[unlikely]]
    fail_about(MPI_ERR_COUNT, "the sum of the counts is more than 63 bits can count");
  return static_cast<std::uint64_t>(result);
}
/// Fails if the size or the span of `count` elements of a type is no 63-bit number.
inline void check_amount(std::uint64_t count, const Datatype& type) {
  if (count <= 0x7fff'ffff && type.size <= 0x7fff'ffff) [[likely]]
    return;
  times(count, type.size);
  times(count, static_cast<std::uint64_t>(type.extent() < 0 ? -type.extent() : type.extent()));
}
/// Calls without a request pass null as `request`. Calls with one pass nonnull(request): a null pointer of
/// the user's becomes kMissingRequest, which fails in check_nonnull().
inline MPI_Request kMissingRequest = MPI_REQUEST_NULL;
inline MPI_Request* nonnull(MPI_Request* request) { return request != nullptr ? request : &kMissingRequest; }
inline void check_nonnull(const MPI_Request* request) {
  require(request != &kMissingRequest, MPI_ERR_ARG, "request is a null pointer");
}
inline void check_send_tag(int tag) {
  if (tag < 0) [[unlikely]]
    fail_about(MPI_ERR_TAG, "tag is %d, which is negative", tag);
}
inline void check_recv_tag(int tag) {
  if (tag != MPI_ANY_TAG) check_send_tag(tag);
}
/// Checks the address of `count` elements of a type. A null pointer is also MPI_BOTTOM: it is valid for types
/// that begin elsewhere, and where no data are carried.
inline void check_buffer(const void* address, std::uint64_t count, const Datatype& type,
                         const char* argument = "buf") {
  check_amount(count, type);
  if (address != nullptr && address != MPI_IN_PLACE) [[likely]]
    return;
  const std::uint64_t bytes = count * type.size;
  if (bytes == 0) return;
  if (address == MPI_IN_PLACE)
    fail_about(MPI_ERR_BUFFER, "%s is MPI_IN_PLACE, which is not allowed here", argument);
  if (type.true_lb == 0 && carries(bytes)) fail_about(MPI_ERR_BUFFER, "%s is a null pointer", argument);
}

}  // namespace psim::net::mpi
