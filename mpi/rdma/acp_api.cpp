// SPDX-License-Identifier: Apache-2.0
// The basic layer of ACP: processes and memory.
#include <string>

#include "mpi/collective/algorithms.h"
#include "mpi/collective/call.h"
#include "mpi/communicators.h"
#include "mpi/include/acp.h"
#include "mpi/rdma/acp.h"

using namespace psim::net;
using namespace psim::net::mpi;

namespace {

/// Synchronises all ranks of `comm`.
void meet(const char* function, MPI_Comm comm) {
  collective_call(function, comm, nullptr, [](Collective& c, Communicator&) { return barrier(c.local); });
}

/// Restarts ACP on the running rank, with its rank in `comm`.
void begin_as(MPI_Comm comm) {
  auto state = std::make_unique<AcpRank>();
  const Communicator& c = communicator(comm);
  state->comm = comm;
  state->group = c.shared->local[0];
  state->rank = static_cast<std::uint32_t>(c.rank);
  state->starter.resize(library->config.rdma.starter_memory.count);
  state->memory.add(state->starter.data(), state->starter.size());
  library->rdma().acp[self().id] = std::move(state);
}

void forget(Rank& me) {
  MPI_Comm comm = acp_here()->comm;
  library->rdma().acp[me.id].reset();
  if (comm != MPI_COMM_WORLD) PMPI_Comm_free(&comm);
}

}  // namespace

namespace psim::net::mpi {

AcpRank* acp_here() { return library->rdma().acp[self().id].get(); }

std::int64_t acp_world_rank(const AcpRank& me, std::uint64_t ga) {
  const std::uint32_t rank = library->rdma().addresses.rank(ga);
  return rank < me.group->size() ? std::int64_t{me.group->world(rank)} : -1;
}

Rank& acp_enter(const char* function) {
  Rank& me = self(function);
  me.pending.source = MPI_UNDEFINED;
  me.pending.comm = MPI_COMM_NULL;
  if (!me.deferred.empty()) progress(me);
  return me;
}

void acp_wait_for_all(Rank& me) { library->rdma().wait(me, library->rdma().engine.of(me.id).last(), true); }

}  // namespace psim::net::mpi

extern "C" int acp_init(int*, char***) {
  if (acp_here() != nullptr) return -1;
  self().early = true;  // the library's own calls need no MPI_Init
  begin_as(MPI_COMM_WORLD);
  meet("acp_init", MPI_COMM_WORLD);
  return 0;
}

extern "C" int acp_finalize(void) {
  const AcpRank* const state = acp_here();
  if (state == nullptr) return -1;
  Rank& me = acp_enter("acp_finalize");
  acp_wait_for_all(me);
  meet("acp_finalize", state->comm);
  forget(me);
  return 0;
}

extern "C" int acp_reset(int rank) {
  if (acp_here() == nullptr) return -1;
  Rank& me = acp_enter("acp_reset");
  acp_wait_for_all(me);
  // Ranks are ordered by key. No rank leaves before all have arrived, so no operation is under way any more.
  MPI_Comm fresh;
  PMPI_Comm_split(MPI_COMM_WORLD, 0, rank, &fresh);
  if (communicator(fresh).rank != rank)
    library->host.abort_job(1, "acp_reset: rank " + std::to_string(rank) + " of rank " +
                                   std::to_string(me.id) + "; expected a permutation of the ranks");
  forget(me);
  library->rdma().engine.reset(me.id);
  begin_as(fresh);
  meet("acp_reset", fresh);
  return 0;
}

extern "C" void acp_abort(const char* message) {
  library->host.abort_job(1, "acp_abort: " + std::string(message != nullptr ? message : ""));
}

extern "C" int acp_sync(void) {
  const AcpRank* const state = acp_here();
  if (state == nullptr) return -1;
  meet("acp_sync", state->comm);
  return 0;
}

extern "C" int acp_rank(void) {
  const AcpRank* const state = acp_here();
  return state != nullptr ? static_cast<int>(state->rank) : -1;
}

extern "C" int acp_procs(void) {
  const AcpRank* const state = acp_here();
  return state != nullptr ? static_cast<int>(state->group->size()) : -1;
}

extern "C" acp_ga_t acp_query_starter_ga(int rank) {
  const AcpRank* const state = acp_here();
  if (state == nullptr || rank < 0 || static_cast<std::uint32_t>(rank) >= state->group->size())
    return ACP_GA_NULL;
  return library->rdma().addresses.make(static_cast<std::uint32_t>(rank), 0, 0);
}

extern "C" acp_atkey_t acp_register_memory(void* address, size_t size, int color) {
  const Call call("acp_register_memory");
  AcpRank* const state = acp_here();
  const rdma::GlobalAddresses& addresses = library->rdma().addresses;
  if (state == nullptr || address == nullptr || size == 0 || size > addresses.most() || color != 0)
    return ACP_ATKEY_NULL;
  acp_enter("acp_register_memory");
  library->rdma().register_memory(address, size);
  const std::uint32_t key = state->memory.add(static_cast<std::byte*>(address), size);
  return key != rdma::RegisteredMemory::kNone ? addresses.make(state->rank, key, 0) : ACP_ATKEY_NULL;
}

extern "C" int acp_unregister_memory(acp_atkey_t atkey) {
  AcpRank* const state = acp_here();
  const rdma::GlobalAddresses& addresses = library->rdma().addresses;
  if (state == nullptr || addresses.rank(atkey) != state->rank || addresses.key(atkey) == 0) return -1;
  return state->memory.remove(addresses.key(atkey)) ? 0 : -1;
}

extern "C" acp_ga_t acp_query_ga(acp_atkey_t atkey, void* address) {
  const AcpRank* const state = acp_here();
  const rdma::GlobalAddresses& addresses = library->rdma().addresses;
  if (state == nullptr || addresses.rank(atkey) != state->rank) return ACP_GA_NULL;
  const std::uint32_t key = addresses.key(atkey);
  const std::uint64_t offset =
      state->memory.offset(key, static_cast<const std::byte*>(address), addresses.most());
  return offset < addresses.most() ? addresses.make(state->rank, key, offset) : ACP_GA_NULL;
}

extern "C" void* acp_query_address(acp_ga_t ga) {
  const AcpRank* const state = acp_here();
  const rdma::GlobalAddresses& addresses = library->rdma().addresses;
  if (state == nullptr || addresses.rank(ga) != state->rank) return nullptr;
  return state->memory.find(addresses.key(ga), addresses.offset(ga), 1);
}

extern "C" int acp_query_rank(acp_ga_t ga) {
  const AcpRank* const state = acp_here();
  if (state == nullptr || acp_world_rank(*state, ga) < 0) return -1;
  return static_cast<int>(library->rdma().addresses.rank(ga));
}

/// All memory has one colour, because the network chooses which port of a node a message takes.
extern "C" int acp_query_color(acp_ga_t ga) { return acp_query_rank(ga) >= 0 ? 0 : -1; }
extern "C" int acp_colors(void) { return acp_here() != nullptr ? 1 : -1; }
