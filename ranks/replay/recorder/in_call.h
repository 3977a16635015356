// SPDX-License-Identifier: Apache-2.0
// Helpers for the wrappers of MPI's functions.
#pragma once

#include <dlfcn.h>

#include <vector>

#include "ranks/replay/recorder/recorder.h"

namespace psim_small_counts {
using Number = int;
using Place = int;
}  // namespace psim_small_counts
namespace psim_large_counts {
using Number = MPI_Count;
using Place = MPI_Aint;
}  // namespace psim_large_counts

namespace psim::recorder {

/// MPI's own function, called by our wrapper of that name. Our wrappers are also PMPI_ functions, because
/// Fortran bindings call these. The type is the wrapper's: the installed header may lack functions for large
/// counts.
#define PSIM_REAL(name)                                                                                  \
  ([] {                                                                                                  \
    static const auto real = reinterpret_cast<decltype(&MPI_##name)>(::dlsym(RTLD_NEXT, "PMPI_" #name)); \
    return real;                                                                                         \
  }())

/// Defines PMPI_NAME as an alias of MPI_NAME in the same file.
#define PSIM_ALSO(name) decltype(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)));

/// Expands define(NAME, FUNCTION, …) for a function and for its form with large counts (MPI-4.0), both
/// recorded as FUNCTION. `Number` is the type of counts, `Place` that of displacements.
#define PSIM_COUNTS(define, name, ...)                                  \
  namespace psim_small_counts {                                         \
  define(name, name __VA_OPT__(, ) __VA_ARGS__) PSIM_ALSO(name)         \
  }                                                                     \
  namespace psim_large_counts {                                         \
  define(name##_c, name __VA_OPT__(, ) __VA_ARGS__) PSIM_ALSO(name##_c) \
  }
/// Marks that the rank is inside a function. Functions called by this function are not recorded.
class InCall {
 public:
  explicit InCall(Function function) : function_(function) { Recorder::get().enter(function_); }
  ~InCall() { Recorder::get().leave(function_); }
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;

 private:
  Function function_;
};

inline std::uint64_t bytes_of(MPI_Count count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size_x(type, &size);
  return static_cast<std::uint64_t>(count * size);
}

inline std::uint64_t bytes_received(MPI_Status* status) {
  MPI_Count count = 0;
  PMPI_Get_elements_x(status, MPI_BYTE, &count);
  return count == MPI_UNDEFINED ? 0 : static_cast<std::uint64_t>(count);
}

inline Message message(MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  return {peer, tag, comm, bytes_of(count, type)};
}

/// Returns the message described by a status.
inline Message message(MPI_Status* status, MPI_Comm comm) {
  return {status->MPI_SOURCE, status->MPI_TAG, comm, bytes_received(status)};
}

/// The user's status, or our own if the user passes none.
class Status {
 public:
  explicit Status(MPI_Status* user) : at_(user == MPI_STATUS_IGNORE ? &own_ : user) {}
  MPI_Status* get() { return at_; }

 private:
  MPI_Status own_{};
  MPI_Status* at_;
};

/// The user's array of statuses, or our own if the user passes none.
class Statuses {
 public:
  Statuses(int count, MPI_Status* user)
      : own_(user == MPI_STATUSES_IGNORE ? static_cast<std::size_t>(count) : 0),
        at_(user == MPI_STATUSES_IGNORE ? own_.data() : user) {}
  MPI_Status* get() { return at_; }
  MPI_Status* operator[](int i) { return at_ + i; }

 private:
  std::vector<MPI_Status> own_;
  MPI_Status* at_;
};

}  // namespace psim::recorder
