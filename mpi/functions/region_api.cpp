// SPDX-License-Identifier: Apache-2.0
// The region marks of programs: workloads/include/psim.h expands to these calls.
#include <execinfo.h>

#include "mpi/library.h"
#include "mpi/observe.h"

using namespace psim::net;
using namespace psim::net::mpi;

namespace {

using Mark = void (Host::*)(const RegionMark&);

/// Reports a mark to the host, between two measurements of the program's computing. Marks in functions that
/// the library calls (reductions) and in copies that fork() made have no time of a rank.
void pass_on(RegionMark mark, Mark report) {
  if (this_thread() != rank_thread) refuse_thread("PSIM_REGION_BEGIN or PSIM_REGION_END");
  if (forked || library == nullptr || library->in_callback) return;
  if (mark.file == nullptr) {
    // The frames of this library are followed by those of the Fortran module and of its caller.
    ::backtrace(mark.frames.data(), static_cast<int>(mark.frames.size()));
  }
  if (clock_ahead) catch_up();
  Rank& me = self();
  if (measured && me.calls++ == 0) library->host.enter_call();
  (library->host.*report)(mark);
  if (measured && --me.calls == 0) library->host.leave_call();
}

}  // namespace

extern "C" void psim_region_begin_at(const char* name, int count, const long long* arguments,
                                     const char* file, int line) {
  pass_on(
      {.name = name, .arguments = {arguments, static_cast<std::size_t>(count)}, .file = file, .line = line},
      &Host::begin_region);
}

extern "C" void psim_region_end_at(const char* name, const char* file, int line) {
  pass_on({.name = name, .arguments = {}, .file = file, .line = line}, &Host::end_region);
}
