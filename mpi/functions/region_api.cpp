// SPDX-License-Identifier: Apache-2.0
// The region marks of programs: workloads/include/psim.h expands to these calls.
#include <execinfo.h>

#include <cstdio>

#include "mpi/library.h"
#include "mpi/observe.h"

using namespace psim::net;
using namespace psim::net::mpi;

namespace {

constexpr double kMostRegionSeconds = 1e6;  // more than any run has

using Mark = void (Host::*)(const RegionMark&);

/// Reports a mark to the host, between two measurements of the program's computing. Marks in functions that
/// the library calls (reductions) and in copies that fork() made have no time of a rank.
void pass_on(RegionMark mark, Mark report) {
  if (this_thread() != rank_thread) admit_thread("PSIM_REGION_BEGIN, PSIM_REGION_END or BSIM_Add_model");
  if (forked || library == nullptr || library->in_callback) return;
  if (mark.file == nullptr) {
    // The frames of this library are followed by those of the Fortran module and of its caller.
    ::backtrace(mark.frames.data(), static_cast<int>(mark.frames.size()));
  }
  if (clock_ahead) catch_up();
  Rank& me = self();
  if (measured && me.calls++ == 0) library->host.enter_call(false);
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

extern "C" int psim_region_runs_at(const char* name, int count, const long long* arguments, const char* file,
                                   int line) {
  const RegionMark mark{
      .name = name, .arguments = {arguments, static_cast<std::size_t>(count)}, .file = file, .line = line};
  const bool skipped =
      library != nullptr && !forked && !library->in_callback && library->host.skips_regions();
  pass_on(mark, skipped ? &Host::add_model : &Host::begin_region);
  return !skipped;
}

extern "C" void psim_add_model_at(const char* name, int count, const long long* arguments, const char* file,
                                  int line) {
  pass_on(
      {.name = name, .arguments = {arguments, static_cast<std::size_t>(count)}, .file = file, .line = line},
      &Host::add_model);
}

extern "C" void psim_add_model_c(const char* name, int count, const long long* arguments) {
  psim_add_model_at(name, count, arguments, nullptr, 0);
}

extern "C" void BSIM_Add_time(double seconds) {
  if (!(seconds >= 0 && seconds <= kMostRegionSeconds)) {
    char text[160];
    std::snprintf(text, sizeof text, "rank %d: BSIM_Add_time(%g): expected seconds from 0 to %g",
                  self().world.rank, seconds, kMostRegionSeconds);
    library->host.abort_job(2, text);
  }
  const Call call("BSIM_Add_time");
  if (seconds > 0) library->host.compute(psim::Picoseconds{static_cast<std::int64_t>(seconds * 1e12 + 0.5)});
}

extern "C" void psim_work(long long flops, long long memory_bytes) {
  if (this_thread() != rank_thread) admit_thread("PSIM_WORK");
  if (forked || library == nullptr || library->in_callback) return;
  if (flops < 0 || memory_bytes < 0) {
    char text[160];
    std::snprintf(text, sizeof text, "rank %d: PSIM_WORK(%lld, %lld): expected numbers from 0",
                  self().world.rank, flops, memory_bytes);
    library->host.abort_job(2, text);
  }
  library->host.add_work(static_cast<std::uint64_t>(flops), static_cast<std::uint64_t>(memory_bytes));
}

extern "C" void psim_region_end_at(const char* name, const char* file, int line) {
  pass_on({.name = name, .arguments = {}, .file = file, .line = line}, &Host::end_region);
}
