// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/levels.h"

#include <unordered_map>

#include "mpi/collective/buffers.h"
#include "mpi/library.h"

namespace psim::net::mpi {
namespace {

std::unique_ptr<Levels> make_levels(const Group& group) {
  auto levels = std::make_unique<Levels>();
  std::unordered_map<std::uint32_t, std::uint32_t> index_of;
  std::vector<std::vector<std::uint32_t>> members;
  std::vector<std::uint32_t> leaders;
  for (std::uint32_t rank = 0; rank < group.size(); ++rank) {
    const std::uint32_t world = group.world(rank);
    const auto number = static_cast<std::uint32_t>(members.size());
    const auto [at, is_new] = index_of.try_emplace(index(library->host.node_of(RankId{world})), number);
    if (is_new) {
      members.emplace_back();
      leaders.push_back(world);
    }
    levels->even = levels->even && at->second + 1 == members.size();
    levels->node.push_back(at->second);
    levels->place.push_back(static_cast<std::uint32_t>(members[at->second].size()));
    members[at->second].push_back(world);
  }
  for (std::vector<std::uint32_t>& ranks : members) {
    levels->even = levels->even && ranks.size() == levels->place.back() + 1;
    levels->nodes.push_back(new Group(std::move(ranks)));
    levels->nodes.back()->base = group.size();
  }
  levels->leaders = new Group(std::move(leaders));
  levels->leaders->base = 2 * group.size();
  return levels;
}

Channel level(Channel c, const Group& group, std::uint32_t me) {
  c.peers = &group;
  c.me = static_cast<int>(me);
  c.size = static_cast<int>(group.size());
  return c;
}

/// The channels of a rank, and where the root is.
struct Both {
  Channel node, leaders;  // `leaders` is used by leaders only
  bool leads;
  int root_node, root_place;
  bool near_root() const { return leaders.me == root_node; }
};

Both both(const Channel& c, int root = 0) {
  const Levels& levels = *c.collective->shared->levels;
  const auto me = static_cast<std::size_t>(c.me), top = static_cast<std::size_t>(root);
  return {level(c, *levels.nodes[levels.node[me]], levels.place[me]),
          level(c, *levels.leaders, levels.node[me]), levels.place[me] == 0,
          static_cast<int>(levels.node[top]), static_cast<int>(levels.place[top])};
}

}  // namespace

const Levels* levels_of(const Channel& c) {
  Shared& shared = *c.collective->shared;
  if (c.collective->inter || c.peers != shared.local[0].get()) return nullptr;
  if (!shared.levels) shared.levels = make_levels(*c.peers);
  const std::size_t nodes = shared.levels->nodes.size();
  return nodes == 1 || nodes == c.peers->size() ? nullptr : shared.levels.get();
}

Task two_level_barrier(Channel c) {
  const Both b = both(c);
  if (!b.leads) {
    b.node.send(0, nullptr, 0);
    b.node.recv(0, nullptr, 0);
    co_await c.done();
    co_return;
  }
  for (int i = 1; i < b.node.size; ++i) b.node.recv(i, nullptr, 0);
  co_await c.done();
  co_await barrier(b.leaders);
  for (int i = 1; i < b.node.size; ++i) b.node.send(i, nullptr, 0);
  co_await c.done();
}

Task two_level_bcast(Channel c, std::byte* data, std::uint64_t bytes, int root) {
  const Both b = both(c, root);
  if (b.near_root()) co_await bcast(b.node, data, bytes, b.root_place);
  if (b.leads) co_await bcast(b.leaders, data, bytes, b.root_node);
  if (!b.near_root()) co_await bcast(b.node, data, bytes, 0);
}

Task two_level_reduce(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root) {
  const Both b = both(c, root);
  if (!b.near_root()) co_await reduce(b.node, r, out, count, 0);
  if (b.leads) co_await reduce(b.leaders, r, out, count, b.root_node);
  if (b.near_root()) co_await reduce(b.node, r, out, count, b.root_place);
}

Task two_level_allreduce(Channel c, Reduction r, std::byte* data, std::uint64_t count) {
  const Both b = both(c);
  co_await reduce(b.node, r, data, count, 0);
  if (b.leads) co_await allreduce(b.leaders, r, data, count);
  co_await bcast(b.node, data, count * r.size(), 0);
}

Task two_level_allgather(Channel c, std::byte* all, std::uint64_t bytes) {
  const Both b = both(c);
  const auto block = [=](int rank) {
    return shifted(all, static_cast<std::int64_t>(rank) * static_cast<std::int64_t>(bytes));
  };
  const Scratch mine(bytes);
  copy(c, mine.data(), block(c.me), bytes);
  co_await gather(b.node, mine.data(), block(c.me - b.node.me), bytes, 0);
  if (b.leads) co_await allgather(b.leaders, all, static_cast<std::uint64_t>(b.node.size) * bytes);
  co_await bcast(b.node, all, static_cast<std::uint64_t>(c.size) * bytes, 0);
}

}  // namespace psim::net::mpi
