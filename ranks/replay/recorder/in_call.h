// SPDX-License-Identifier: Apache-2.0
// What the wrappers of MPI's functions have in common.
#pragma once

#include <dlfcn.h>

#include <vector>

#include "ranks/replay/recorder/recorder.h"

namespace psim::recorder {

/// MPI's own function. All of ours are also PMPI_ functions: the bindings of Fortran call those.
#define PSIM_REAL(name)                                                                                   \
  ([] {                                                                                                   \
    static const auto real = reinterpret_cast<decltype(&PMPI_##name)>(::dlsym(RTLD_NEXT, "PMPI_" #name)); \
    return real;                                                                                          \
  }())

/// PMPI_NAME is MPI_NAME of the same file.
#define PSIM_ALSO(name) decltype(PMPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)));

/// The rank is inside a function while this lives. Functions that it calls itself are not recorded.
class InCall {
 public:
  explicit InCall(Function function) : function_(function) { Recorder::get().enter(function_); }
  ~InCall() { Recorder::get().leave(function_); }
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;

 private:
  Function function_;
};

inline std::uint64_t bytes_of(std::uint64_t count, MPI_Datatype type) {
  int size = 0;
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size(type, &size);
  return count * static_cast<std::uint64_t>(size);
}

inline std::uint64_t bytes_received(MPI_Status* status) {
  int count = 0;
  PMPI_Get_count(status, MPI_BYTE, &count);
  return count == MPI_UNDEFINED ? 0 : static_cast<std::uint64_t>(count);
}

inline Message message(int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  return {peer, tag, comm, bytes_of(static_cast<std::uint64_t>(count), type)};
}

/// A message that the status tells of.
inline Message message(MPI_Status* status, MPI_Comm comm) {
  return {status->MPI_SOURCE, status->MPI_TAG, comm, bytes_received(status)};
}

/// The user's status, or one of our own where the user wants none.
class Status {
 public:
  explicit Status(MPI_Status* user) : at_(user == MPI_STATUS_IGNORE ? &own_ : user) {}
  MPI_Status* get() { return at_; }

 private:
  MPI_Status own_{};
  MPI_Status* at_;
};

/// The same for many.
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
