// SPDX-License-Identifier: Apache-2.0
// Start and end, time, versions, memory (MPI-3.1 chapter 8).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "mpi/api.h"
#include "mpi/collective/algorithms.h"
#include "mpi/collective/disagreement.h"
#include "mpi/object/info_handle.h"
#include "mpi/object/keyval.h"
#include "mpi/threads.h"

using namespace psim::net::mpi;

namespace {

void start_rank(const char* function) {
  Rank& me = self(function);
  require(!me.initialized, MPI_ERR_OTHER,
          me.finalized ? "called after MPI_Finalize; MPI can be initialized once"
                       : "called twice; MPI can be initialized once");
  me.initialized = true;
  if (--library->starting == 0) update_calls_observed();
  set_main_thread(me);
}

/// Returns true if the call must advance the clock itself. Looks that pass together (Host::look) would be
/// invisible to an observer, to measurements and to other threads.
bool must_advance_clock() {
  if (library->in_callback || this_thread() != rank_thread) return true;
  return calls_observed && (observer != nullptr || measured || forked || self().threaded);
}

/// Returns the reading of the clock that MPI_Wtime reads, s.
double wtime_at(psim::Picoseconds time) {
  const psim::net::ClockConfig& clock = library->config.clock;
  if (clock.wtime == psim::net::WtimeClock::Global) return static_cast<double>(time.count()) * 1e-12;
  const std::uint32_t node = psim::net::index(library->host.node_of(psim::net::RankId{self().id}));
  return static_cast<double>(clock_of(clock, node).at(time)) * 1e-12;
}

}  // namespace

PSIM_MPI_CALL(Init, (int*, char***), guarded, [] { start_rank("MPI_Init"); })
/// Any level may be granted, since one thread of a rank is in the library at a time (threads.h).
PSIM_MPI_CALL(Init_thread, (int*, char***, int required, int* provided), guarded, [&] {
  start_rank("MPI_Init_thread");
  const int granted = std::clamp(required, MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE);
  out(provided) = granted;
  if (granted == MPI_THREAD_MULTIPLE) library->host.grant_multiple();
  self().granted = static_cast<std::uint8_t>(granted) & 3;
})
PSIM_MPI_CALL(Initialized, (int* flag), unobserved, [&] { out(flag) = self().initialized; })
PSIM_MPI_CALL(Finalized, (int* flag), unobserved, [&] { out(flag) = self().finalized; })
PSIM_MPI_CALL(Query_thread, (int* provided), unobserved, [&] { out(provided) = self().granted; })
PSIM_MPI_CALL(Is_thread_main, (int* flag), unobserved,
              [&] { out(flag) = this_thread() == main_thread && is_main_thread(self()); })

/// Deletes the attributes of MPI_COMM_SELF (MPI-3.1 section 8.7.1), then synchronises all ranks as most
/// libraries do.
PSIM_MPI_CALL(Finalize, (void), guarded, [] {
  Rank& me = self("MPI_Finalize");
  require(me.initialized, MPI_ERR_OTHER, "called before MPI_Init");
  require(!me.finalized, MPI_ERR_OTHER, "called twice");
  me.pending.source = MPI_UNDEFINED;
  me.pending.comm = MPI_COMM_WORLD;
  if (me.self.attributes) delete_attributes(MPI_COMM_SELF, *me.self.attributes);
  Collective* meeting = new_collective(me, me.world);
  meeting->task = barrier(meeting->local);
  run(me, *meeting);
  me.finalized = true;
  me.pending = {};
  check_all_received(me);
})

PSIM_MPI(int, Abort, (MPI_Comm, int code)) {
  const Call call("MPI_Abort");
  library->host.abort_job(
      code, "rank " + std::to_string(self().world.rank) + ": MPI_Abort, status " + std::to_string(code));
  __builtin_unreachable();  // gcc does not see [[noreturn]] through a virtual call
}

PSIM_MPI(double, Wtime, (void)) {
  if (must_advance_clock()) {
    const Call call("MPI_Wtime");
    library->host.sleep(library->config.wtime);
    return wtime_at(library->host.now());
  }
  ++counts_of("MPI_Wtime").calls;
  const auto time = library->host.read_clock(library->config.wtime);
  clock_ahead = true;
  return wtime_at(time);
}
PSIM_MPI(double, Wtick, (void)) { return 1e-12; }

PSIM_MPI_CALL(Get_processor_name, (char* name, int* length), unobserved, [&] {
  const auto node = psim::net::index(library->host.node_of(psim::net::RankId{self().id}));
  out(length) = std::snprintf(&out(name), MPI_MAX_PROCESSOR_NAME, "node%u", node);
})
PSIM_MPI_CALL(Get_version, (int* version, int* subversion), unobserved, [&] {
  out(version) = MPI_VERSION;
  out(subversion) = MPI_SUBVERSION;
})
PSIM_MPI_CALL(Get_library_version, (char* version, int* length), unobserved, [&] {
  out(length) = std::snprintf(&out(version), MPI_MAX_LIBRARY_VERSION_STRING, "%s",
                              "psim, MPI 4.1 on a simulated network");
})

PSIM_MPI_CALL(Alloc_mem, (MPI_Aint size, MPI_Info hints, void* base), guarded, [&] {
  require(size >= 0, MPI_ERR_ARG, "size is negative");
  check_info(hints);
  require(base != nullptr, MPI_ERR_ARG, "baseptr is a null pointer");
  void* memory = std::malloc(size > 0 ? static_cast<std::size_t>(size) : 1);
  require(memory != nullptr, MPI_ERR_NO_MEM);
  *static_cast<void**>(base) = memory;
})
PSIM_MPI(int, Free_mem, (void* base)) {
  std::free(base);
  return MPI_SUCCESS;
}
PSIM_MPI(int, Pcontrol, (const int, ...)) { return MPI_SUCCESS; }
PSIM_MPI(MPI_Aint, Aint_add, (MPI_Aint base, MPI_Aint displacement)) { return base + displacement; }
PSIM_MPI(MPI_Aint, Aint_diff, (MPI_Aint a, MPI_Aint b)) { return a - b; }

/// Computes for `seconds` of simulated time.
extern "C" void MGEN_Comp(double seconds) {
  if (!(seconds > 0)) return;
  const Call call("MGEN_Comp");
  library->host.compute(psim::Picoseconds{static_cast<std::int64_t>(seconds * 1e12 + 0.5)});
}
