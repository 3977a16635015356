// SPDX-License-Identifier: Apache-2.0
// The SCC board of paper 001. Nodes meet through the first of their group; the messages of the meeting take
// the times of the sync-comm network and cross no link of the packet network; or the node has a board of its
// own (mpi/scc_board.h). A processor sees a cleared S-flag with the first of its accesses that ends after the
// clearing.
#include "mpi/include/scc.h"

#include <algorithm>
#include <string>

#include "mpi/collective/call.h"
#include "mpi/collective/out_of_band.h"
#include "mpi/scc_board.h"
#include "mpi/scc_node.h"

using namespace psim::net;
using namespace psim::net::mpi;

namespace {

using psim::Picoseconds;

const SyncCommConfig& board() { return library->config.sync; }

[[noreturn]] void refuse_scc(const char* function, const std::string& why) {
  library->host.abort_job(2, "rank " + std::to_string(self().world.rank) + ": " + function + ": " + why);
  __builtin_unreachable();  // gcc does not see [[noreturn]] through a virtual call
}

SccNode& scc_here(const char* function) {
  const auto found = library->scc.find(self().id);
  if (found == library->scc.end()) refuse_scc(function, "called outside of SCC_Init and SCC_Finalize");
  return found->second;
}

/// The meeting of a barrier, and the clearing of this node's S-flag at its end.
Task scc_meeting(Channel c, std::uint32_t nodes, SccNode* node) {
  co_await meet(c, board().up(nodes), board().down(nodes));
  node->clear(library->host.now(), board().tick);
}

void set_flag(const char* function, SccNode& node) {
  if (node.flag_is_set()) refuse_scc(function, "the S-flag is set already; expected SCC_FuzzyWait before it");
  library->host.sleep(board().flag_set);
  if (scc_board != nullptr) {
    node.set_on_board = true;
    return scc_board->set_flag(node.bits);
  }
  collective_call(function, node.group, &node.barrier, [&](Collective& c, Communicator& comm) {
    offload(c.local);
    return scc_meeting(c.local, static_cast<std::uint32_t>(comm.shared->local[0]->size()), &node);
  });
}

/// Reads the S-flag until it is clear. The reads follow one another from now on; those that find it set are
/// passed at once.
void read_flag(const char* function, SccNode& node) {
  const Picoseconds from = library->host.now();
  Rank& me = self(function);
  me.pending.source = MPI_UNDEFINED;
  me.pending.comm = node.group;
  if (node.set_on_board) {
    node.clear(scc_board->await_clear(), board().tick);
    node.set_on_board = false;
  } else {
    const std::uint32_t index = handle_index(node.barrier);
    if (!library->requests[index].complete) {
      library->requests[index].waited = true;
      me.waiting = 1;
      block(me, [index] { return library->requests[index].complete; });
    }
    PMPI_Wait(&node.barrier, MPI_STATUS_IGNORE);
  }
  const Picoseconds access = board().flag_access;
  const Picoseconds clear = node.reset > from ? node.reset - from : Picoseconds{0};
  const std::int64_t reads = std::max<std::int64_t>(1, (clear.count() + access.count() - 1) / access.count());
  const Picoseconds end = from + reads * access, now = library->host.now();
  if (end > now) library->host.sleep(end - now);  // on a node, its instructions may have taken longer
}

}  // namespace

extern "C" int SCC_Init(void) {
  const Call call("SCC_Init");
  Rank& me = self("SCC_Init");
  if (!me.initialized) refuse_scc("SCC_Init", "called before MPI_Init");
  if (board().kind == BarrierNetwork::None)
    refuse_scc("SCC_Init",
               "barrier.network = none: the machine has no barrier network; expected --set "
               "barrier.network=sync-comm");
  if (library->scc.contains(me.id)) refuse_scc("SCC_Init", "called twice");
  const auto node = index(library->host.node_of(psim::net::RankId{me.id}));
  for (const std::uint32_t near : {me.id - 1, me.id + 1})
    if (near < library->ranks.size() && index(library->host.node_of(psim::net::RankId{near})) == node)
      refuse_scc("SCC_Init", "several ranks are on one node, which has one S-flag; expected node.ranks = 1");
  SccNode& own = library->scc[me.id];
  own.oscillator = oscillator_of(board(), library->config.clock.seed, node);
  own.stamps.reserve(board().stamps);
  return 0;
}

extern "C" int SCC_Finalize(void) {
  const Call call("SCC_Finalize");
  SccNode& node = scc_here("SCC_Finalize");
  if (node.flag_is_set()) refuse_scc("SCC_Finalize", "the S-flag is set; expected SCC_FuzzyWait before it");
  if (node.group != MPI_COMM_WORLD) PMPI_Comm_free(&node.group);
  library->scc.erase(self().id);
  return 0;
}

extern "C" int SCC_Barrier(void) {
  const Call call("SCC_Barrier");
  SccNode& node = scc_here("SCC_Barrier");
  set_flag("SCC_Barrier", node);
  read_flag("SCC_Barrier", node);
  return 0;
}

extern "C" int SCC_FuzzyBarrier(void) {
  const Call call("SCC_FuzzyBarrier");
  set_flag("SCC_FuzzyBarrier", scc_here("SCC_FuzzyBarrier"));
  return 0;
}

extern "C" int SCC_FuzzyWait(void) {
  const Call call("SCC_FuzzyWait");
  SccNode& node = scc_here("SCC_FuzzyWait");
  if (!node.flag_is_set())
    refuse_scc("SCC_FuzzyWait", "no S-flag is set; expected SCC_FuzzyBarrier before it");
  read_flag("SCC_FuzzyWait", node);
  return 0;
}

extern "C" int SCC_Group(unsigned bits) {
  const Call call("SCC_Group");
  SccNode& node = scc_here("SCC_Group");
  if (node.flag_is_set()) refuse_scc("SCC_Group", "the S-flag is set; expected SCC_FuzzyWait before it");
  const int size = board().micro_cluster, rank = self().world.rank, first = rank / size * size;
  const int most = std::min<int>(size, static_cast<int>(library->ranks.size()) - first);
  if (bits != 0 && ((bits >> most) != 0 || (bits >> (rank - first) & 1) == 0))
    refuse_scc("SCC_Group", "bits " + std::to_string(bits) + ": expected bit " +
                                std::to_string(rank - first) + " of this node, and no bit from " +
                                std::to_string(most) + " on");
  library->host.sleep(board().flag_set);
  if (node.group != MPI_COMM_WORLD) PMPI_Comm_free(&node.group);
  node.group = MPI_COMM_WORLD;
  node.bits = bits;
  if (bits == 0) return 0;
  int members[32], count = 0;
  for (int i = 0; i < most; ++i)
    if (bits >> i & 1) members[count++] = first + i;
  MPI_Group world, group;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_incl(world, count, members, &group);
  PMPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &node.group);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return 0;
}

extern "C" int SCC_StartClock(void) {
  const Call call("SCC_StartClock");
  SccNode& node = scc_here("SCC_StartClock");
  library->host.sleep(board().flag_set);
  node.armed = true;
  return 0;
}

extern "C" int SCC_ReadClock(unsigned* count) {
  const Call call("SCC_ReadClock");
  const SccNode& node = scc_here("SCC_ReadClock");
  if (count == nullptr) refuse_scc("SCC_ReadClock", "count is a null pointer");
  library->host.sleep(board().flag_access);
  *count = node.count(library->host.now(), board().tick);
  return 0;
}

extern "C" int SCC_Stamp(void) {
  const Call call("SCC_Stamp");
  SccNode& node = scc_here("SCC_Stamp");
  if (node.stamps.size() == board().stamps)
    refuse_scc(
        "SCC_Stamp",
        "the time-stamp memory is full; expected SCC_ReadStamps before it, or a larger barrier.stamps");
  library->host.sleep(board().flag_set);
  node.stamps.push_back(node.count(library->host.now(), board().tick));
  return 0;
}

extern "C" int SCC_ReadStamps(unsigned* counts, int most, int* found) {
  const Call call("SCC_ReadStamps");
  SccNode& node = scc_here("SCC_ReadStamps");
  if ((counts == nullptr && most > 0) || found == nullptr || most < 0)
    refuse_scc("SCC_ReadStamps", "expected an array of `most` ≥ 0 counts and a place for their number");
  *found = std::min<int>(most, static_cast<int>(node.stamps.size()));
  library->host.sleep(*found * board().flag_access);
  std::copy_n(node.stamps.begin(), *found, counts);
  node.stamps.clear();
  return 0;
}
