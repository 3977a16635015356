// SPDX-License-Identifier: Apache-2.0
#include "mpi/warnings.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/library.h"
#include "mpi/object/run_state.h"

namespace psim::net::mpi {
namespace {

/// Ranks by the first function that they called early.
std::map<std::string, std::vector<std::uint32_t>, std::less<>>& early_calls() {
  static RunState<std::map<std::string, std::vector<std::uint32_t>, std::less<>>> all;
  return all.value;
}

/// Functions that may be called before MPI_Init (MPI-4.1 section 11.4.1), and those that every program calls
/// early.
bool allowed_early(std::string_view function) {
  static constexpr std::array kFamilies = {"MPI_T_",         "MPI_Info_",      "MPI_Session_",
                                           "MPI_Error_",     "MPI_Add_error_", "MPI_Remove_error_",
                                           "MPI_Errhandler_"};
  static constexpr std::array<std::string_view, 11> kAllowed = {
      "MPI_Init",        "MPI_Init_thread",   "MPI_Initialized",
      "MPI_Finalized",   "MPI_Finalize",      "MPI_Get_library_version",
      "MPI_Get_version", "MPI_Wtime",         "MPI_Abort",
      "MPI_Pcontrol",    "MPI_Is_thread_main"};
  return !function.starts_with("MPI_") ||
         std::ranges::any_of(kFamilies, [=](const char* family) { return function.starts_with(family); }) ||
         std::ranges::find(kAllowed, function) != kAllowed.end();
}

/// Returns true if the user still has a handle of the request.
bool open_request(const Request& r) { return r.kind != RequestKind::None && !r.internal && !r.detached; }

}  // namespace

void note_early_call(Rank& rank, const char* function) {
  if (rank.early || allowed_early(function)) return;
  rank.early = true;
  early_calls()[function].push_back(rank.id);
}

void report_warnings(const Library::Warn& warn) {
  for (const auto& [function, ranks] : early_calls())
    for (const std::uint32_t rank : ranks) warn(RankId{rank}, "called " + function + " before MPI_Init", 0);
  std::map<std::uint32_t, std::uint64_t> requests, communicators;
  for (std::uint32_t i = 1; i <= library->requests.highest(); ++i)
    if (const Request& r = library->requests[i]; open_request(r)) ++requests[r.owner];
  for (std::uint32_t i = 1; i <= library->communicators.highest(); ++i) {
    const Communicator& comm = library->communicators[i];
    if (!comm.shared) continue;
    const std::uint32_t owner = comm.group().world(static_cast<std::uint32_t>(comm.rank));
    // Windows and files have communicators of their own, which do not count.
    if (library->ranks[owner].windows.empty()) ++communicators[owner];
  }
  for (const Rank& rank : library->ranks) {
    if (!rank.finalized) continue;
    const auto report = [&](const char* what, std::uint64_t number) {
      if (number != 0) warn(RankId{rank.id}, std::string("ended with ") + what, number);
    };
    const auto of = [&](const auto& map) {
      const auto found = map.find(rank.id);
      return found == map.end() ? 0 : found->second;
    };
    report("requests that were neither completed nor freed", of(requests) + rank.done_handles);
    report("communicators that were not freed", of(communicators));
    report("datatypes that were not freed", rank.datatypes);
    report("windows or files that were not freed or closed", rank.windows.size());
  }
}

}  // namespace psim::net::mpi

// Called by the main of programs that begin at MGEN_Main (ranks/start/program_without_main.c), because NSIM
// programs need no MGEN_Init.
extern "C" void psim_begin_mgen_main() { psim::net::mpi::self().early = true; }
