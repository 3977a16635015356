// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/agreement.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "mpi/collective/buffers.h"
#include "mpi/communicators.h"
#include "mpi/library.h"
#include "mpi/object/run_state.h"

namespace psim::net::mpi {
namespace {

/// The contribution of one rank to a split.
struct Vote {
  std::int32_t color, key;
  std::uint32_t context;  ///< a reserved number, used if the rank leads its color
};

/// The outcome of one split, for all ranks of the host process.
struct Outcome {
  std::vector<Ref<Shared>> communicators;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      assignments;  ///< of each old rank: communicator, new rank
  /// Votes of all ranks, for ranks of other host processes. Kept here because the rank that sends them may
  /// have received none itself.
  std::vector<Vote> votes;
  int unread = 0;  ///< ranks of this process that have not fetched it
};
using Key = std::pair<std::uint32_t, std::int32_t>;  // context and tag of the collective
std::map<Key, Outcome>& outcomes() {
  static RunState<std::map<Key, Outcome>> all;
  return all.value;
}
constexpr std::uint32_t kNone = ~0u;

Outcome decide(const Channel& c, const std::vector<Vote>& votes) {
  Outcome outcome;
  outcome.assignments.assign(votes.size(), {kNone, 0});
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < votes.size(); ++i) {
    if (votes[i].color != MPI_UNDEFINED) order.push_back(i);
    if (library->host.local(RankId{c.peers->world(i)})) ++outcome.unread;
  }
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::tuple(votes[i].color, votes[i].key, i); });
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    std::vector<std::uint32_t> members;
    for (; last < order.size() && votes[order[last]].color == votes[order[first]].color; ++last) {
      outcome.assignments[order[last]] = {static_cast<std::uint32_t>(outcome.communicators.size()),
                                          static_cast<std::uint32_t>(members.size())};
      members.push_back(c.peers->world(order[last]));
    }
    outcome.communicators.push_back(
        share(votes[order[first]].context, 0, new Group(std::move(members)), {}, {}));
    first = last;
  }
  return outcome;
}

}  // namespace

Channel channel_of(Collective& c, const Communicator& comm, const Group& group, std::int32_t tag) {
  return {
      &c, &group, comm.shared->context | 1, tag, group.rank_of(c.rank->id), static_cast<int>(group.size())};
}

Task agree_on_number(Channel c, std::uint32_t* context) {
  if (c.me == 0) *context = new_context(c.collective->rank->id);
  int bit = 1;
  while (bit < c.size && (c.me & bit) == 0) bit *= 2;
  if (c.me != 0) {
    c.recv(c.me - bit, context, sizeof *context);
    co_await c.done();
  }
  for (bit /= 2; bit > 0; bit /= 2)
    if (c.me + bit < c.size) c.send_always(c.me + bit, context, sizeof *context);
  co_await c.done();
}

Task agree_among(Channel c, Ref<Group> members, std::uint32_t* context) {
  const int me = members->rank_of(c.collective->rank->id), size = static_cast<int>(members->size());
  const auto at = [&](int member) {
    return c.peers->rank_of(members->world(static_cast<std::uint32_t>(member)));
  };
  if (me < 0) co_return;
  if (me == 0) *context = new_context(c.collective->rank->id);
  int bit = 1;
  while (bit < size && (me & bit) == 0) bit *= 2;
  if (me != 0) {
    c.recv(at(me - bit), context, sizeof *context);
    co_await c.done();
  }
  for (bit /= 2; bit > 0; bit /= 2)
    if (me + bit < size) c.send_always(at(me + bit), context, sizeof *context);
  co_await c.done();
}

Task agree_on_split(Channel c, int color, int key, Agreed* result) {
  Rank& me = *c.collective->rank;
  const std::uint32_t reserved = new_context(me.id);
  const std::uint32_t count = me.contexts;
  int span = 1;  // ranks below this one in the binomial tree, itself included
  while (span < c.size && (c.me & span) == 0) span *= 2;
  const int mine = std::min(span, c.size - c.me);
  std::vector<Vote> votes(static_cast<std::size_t>(mine));
  votes[0] = {color, key, reserved};
  for (int bit = 1; bit < span && c.me + bit < c.size; bit *= 2)
    c.recv(c.me + bit, &votes[static_cast<std::size_t>(bit)],
           sizeof(Vote) * static_cast<std::size_t>(std::min(bit, c.size - c.me - bit)));
  co_await c.done();
  const Key name{c.context, c.tag};
  const int parent = c.me - span;
  if (c.me != 0) {
    c.send_always(parent, votes.data(), votes.size() * sizeof(Vote));
    co_await c.done();
    // Ranks of one host process read the outcome from its memory; only messages between processes carry it.
    const bool remote_parent =
        !library->host.local(RankId{c.peers->world(static_cast<std::uint32_t>(parent))});
    votes.assign(remote_parent ? static_cast<std::size_t>(c.size) : 0, Vote{});
    votes.shrink_to_fit();
    c.recv(parent, votes.data(), votes.size() * sizeof(Vote));
    co_await c.done();
  }
  if (!outcomes().contains(name)) {
    Outcome decided = decide(c, votes);
    decided.votes = std::move(votes);
    outcomes()[name] = std::move(decided);
  }
  for (int bit = span / 2; bit > 0; bit /= 2) {
    const int child = c.me + bit;
    if (child >= c.size) continue;
    const bool remote_child = !library->host.local(RankId{c.peers->world(static_cast<std::uint32_t>(child))});
    // The size on the simulated network is what the child needs, independent of host processes.
    const std::vector<Vote>& all = outcomes()[name].votes;
    c.send_as(child, all.data(), remote_child ? all.size() * sizeof(Vote) : 0, sizeof(Vote));
  }
  co_await c.done();
  Outcome& outcome = outcomes()[name];
  const auto [which, rank] = outcome.assignments[static_cast<std::size_t>(c.me)];
  if (which != kNone) {
    Agreed& agreed = *reinterpret_cast<Agreed*>(library->memory(me.id, result, sizeof *result));
    agreed.shared = outcome.communicators[which];
    agreed.rank = static_cast<int>(rank);
  }
  const bool leads = which != kNone && rank == 0;
  if (!leads && me.contexts == count) --me.contexts;  // the reserved number was not needed
  if (--outcome.unread == 0) outcomes().erase(name);
}

}  // namespace psim::net::mpi
