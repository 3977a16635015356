// SPDX-License-Identifier: Apache-2.0
// Groups (MPI-3.1 section 6.3).
#include <vector>

#include "mpi/api.h"
#include "mpi/attached_buffer.h"
#include "mpi/communicators.h"
#include "mpi/object/group_handle.h"

using namespace psim::net::mpi;

namespace {

using Ranks = std::vector<std::uint32_t>;

template <class Body>
int with_group(const char* function, Body body) {
  return guarded(function, body);
}

/// Makes a group, which comes from the session of group `from` if that does.
int made(const char* function, MPI_Group from, MPI_Group* result, auto members) {
  return with_group(function, [&] {
    Ref<Group> group_made = new Group(members());
    group_made->session = group(from)->session;
    out(result) = publish_group(std::move(group_made));
  });
}

/// Returns a handle for the group of a communicator.
MPI_Group group_of(const Communicator& c, Ref<Group> members) {
  if (const MPI_Session session = session_of(self(), *c.shared); members->session != session) {
    members = new Group(*members);
    members->session = session;
  }
  return publish_group(std::move(members));
}

/// Appends the world ranks in `a` for which wanted(world rank) holds.
template <class Wanted>
void add(Ranks& to, const Group& a, Wanted wanted) {
  for (std::uint32_t i = 0; i < a.size(); ++i)
    if (wanted(a.world(i))) to.push_back(a.world(i));
}

/// Returns the ranks of the triplets (first, last, stride), in order. Fails with MPI_ERR_ARG or MPI_ERR_RANK.
std::vector<int> ranks_of(const Group& g, int n, int (*ranges)[3]) {
  require(n >= 0, MPI_ERR_ARG, "n is negative");
  check_array(ranges, n, "ranges");
  std::vector<int> all;
  for (int i = 0; i < n; ++i) {
    const auto [first, last, stride] = ranges[i];
    require(stride != 0, MPI_ERR_ARG);
    for (int r = first; stride > 0 ? r <= last : r >= last; r += stride) {
      require(r >= 0 && r < static_cast<int>(g.size()), MPI_ERR_RANK);
      all.push_back(r);
    }
  }
  return all;
}

Ranks including(const Group& g, const int* ranks, std::size_t n) {
  require(ranks != nullptr || n == 0, MPI_ERR_ARG);
  Ranks members;
  std::vector<bool> taken(g.size());
  for (std::size_t i = 0; i < n; ++i) {
    require(
        ranks[i] >= 0 && ranks[i] < static_cast<int>(g.size()) && !taken[static_cast<std::size_t>(ranks[i])],
        MPI_ERR_RANK);
    taken[static_cast<std::size_t>(ranks[i])] = true;
    members.push_back(g.world(static_cast<std::uint32_t>(ranks[i])));
  }
  return members;
}

Ranks excluding(const Group& g, const int* ranks, std::size_t n) {
  require(ranks != nullptr || n == 0, MPI_ERR_ARG);
  std::vector<bool> out(g.size());
  for (std::size_t i = 0; i < n; ++i) {
    require(
        ranks[i] >= 0 && ranks[i] < static_cast<int>(g.size()) && !out[static_cast<std::size_t>(ranks[i])],
        MPI_ERR_RANK);
    out[static_cast<std::size_t>(ranks[i])] = true;
  }
  Ranks members;
  for (std::uint32_t i = 0; i < g.size(); ++i)
    if (!out[i]) members.push_back(g.world(i));
  return members;
}

}  // namespace

PSIM_MPI_CALL(Comm_group, (MPI_Comm comm, MPI_Group* result), guarded, comm, [&] {
  const Communicator& c = communicator(comm);
  out(result) = group_of(c, c.shared->local[c.side]);
})
PSIM_MPI_CALL(Comm_remote_group, (MPI_Comm comm, MPI_Group* result), guarded, comm, [&] {
  const Communicator& c = communicator(comm);
  require(c.shared->inter(), MPI_ERR_COMM);
  out(result) = group_of(c, c.shared->local[1 - c.side]);
})
PSIM_MPI_CALL(Group_size, (MPI_Group handle, int* size), with_group,
              [&] { out(size) = static_cast<int>(group(handle)->size()); })
PSIM_MPI_CALL(Group_rank, (MPI_Group handle, int* rank), with_group, [&] {
  const int found = group(handle)->rank_of(self().id);
  out(rank) = found < 0 ? MPI_UNDEFINED : found;
})
PSIM_MPI(int, Group_translate_ranks, (MPI_Group from, int n, const int* ranks, MPI_Group to, int* result)) {
  return with_group("MPI_Group_translate_ranks", [&] {
    const Ref<Group> a = group(from), b = group(to);
    require(n >= 0, MPI_ERR_ARG, "n is negative");
    check_array(ranks, n, "ranks1");
    check_array(result, n, "ranks2");
    for (int i = 0; i < n; ++i) {
      if (ranks[i] == MPI_PROC_NULL) {
        result[i] = MPI_PROC_NULL;
        continue;
      }
      require(ranks[i] >= 0 && ranks[i] < static_cast<int>(a->size()), MPI_ERR_RANK);
      const int found = b->rank_of(a->world(static_cast<std::uint32_t>(ranks[i])));
      result[i] = found < 0 ? MPI_UNDEFINED : found;
    }
  });
}
PSIM_MPI_CALL(Group_compare, (MPI_Group first, MPI_Group second, int* result), with_group, [&] {
  const Ref<Group> a = group(first), b = group(second);
  out(result) = a->same_order(*b) ? MPI_IDENT : a->same_members(*b) ? MPI_SIMILAR : MPI_UNEQUAL;
})
PSIM_MPI_CALL(Group_union, (MPI_Group first, MPI_Group second, MPI_Group* result), made, first, result, [&] {
  const Ref<Group> a = group(first), b = group(second);
  Ranks all;
  add(all, *a, [](std::uint32_t) { return true; });
  add(all, *b, [&](std::uint32_t world) { return a->rank_of(world) < 0; });
  return all;
})
PSIM_MPI(int, Group_intersection, (MPI_Group first, MPI_Group second, MPI_Group* result)) {
  return made("MPI_Group_intersection", first, result, [&] {
    const Ref<Group> a = group(first), b = group(second);
    Ranks all;
    add(all, *a, [&](std::uint32_t world) { return b->rank_of(world) >= 0; });
    return all;
  });
}
PSIM_MPI(int, Group_difference, (MPI_Group first, MPI_Group second, MPI_Group* result)) {
  return made("MPI_Group_difference", first, result, [&] {
    const Ref<Group> a = group(first), b = group(second);
    Ranks all;
    add(all, *a, [&](std::uint32_t world) { return b->rank_of(world) < 0; });
    return all;
  });
}
PSIM_MPI(int, Group_incl, (MPI_Group from, int n, const int* ranks, MPI_Group* result)) {
  return made("MPI_Group_incl", from, result, [&] {
    require(n >= 0, MPI_ERR_ARG);
    return including(*group(from), ranks, static_cast<std::size_t>(n));
  });
}
PSIM_MPI(int, Group_excl, (MPI_Group from, int n, const int* ranks, MPI_Group* result)) {
  return made("MPI_Group_excl", from, result, [&] {
    require(n >= 0, MPI_ERR_ARG);
    return excluding(*group(from), ranks, static_cast<std::size_t>(n));
  });
}
PSIM_MPI(int, Group_range_incl, (MPI_Group from, int n, int ranges[][3], MPI_Group* result)) {
  return made("MPI_Group_range_incl", from, result, [&] {
    const std::vector<int> ranks = ranks_of(*group(from), n, ranges);
    return including(*group(from), ranks.data(), ranks.size());
  });
}
PSIM_MPI(int, Group_range_excl, (MPI_Group from, int n, int ranges[][3], MPI_Group* result)) {
  return made("MPI_Group_range_excl", from, result, [&] {
    const std::vector<int> ranks = ranks_of(*group(from), n, ranges);
    return excluding(*group(from), ranks.data(), ranks.size());
  });
}
PSIM_MPI_CALL(Group_free, (MPI_Group * handle), with_group, [&] {
  free_group(out(handle));
  *handle = MPI_GROUP_NULL;
})
