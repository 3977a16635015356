// SPDX-License-Identifier: Apache-2.0
// Making and freeing communicators (MPI-3.1 section 6.4), and intercommunicators (section 6.6).
#include <algorithm>
#include <vector>

#include "mpi/collective/agreement.h"
#include "mpi/collective/algorithms.h"
#include "mpi/collective/call.h"
#include "mpi/communicators.h"
#include "mpi/errhandler.h"
#include "mpi/functions/communicator_create.h"
#include "mpi/object/group_handle.h"
#include "mpi/object/info_handle.h"
#include "mpi/object/keyval.h"

using namespace psim::net::mpi;

namespace {

MPI_Comm publish_agreed(const Agreed& agreed, const Communicator& parent) {
  if (agreed.rank == MPI_UNDEFINED) return MPI_COMM_NULL;
  const MPI_Comm handle = publish(agreed.shared, agreed.rank, agreed.side);
  communicator(handle).errhandler = get_errhandler(parent.errhandler);
  const Rank& me = self();
  set_session(me, *agreed.shared, session_of(me, *parent.shared));
  return handle;
}

/// Agrees on a number between ranks 0 of both sides; side 0 chooses it.
Task number_inter(Collective& c, std::uint8_t side, std::uint32_t* context) {
  if (c.local.me == 0) {
    if (side == 0) {
      *context = new_context(c.rank->id);
      c.remote.send_always(0, context, sizeof *context);
    } else {
      c.remote.recv(0, context, sizeof *context);
    }
    co_await c.remote.done();
    for (int i = 1; i < c.local.size; ++i) c.local.send_always(i, context, sizeof *context);
  } else {
    c.local.recv(0, context, sizeof *context);
  }
  co_await c.local.done();
}

Ref<Shared> same_as(const Shared& old, std::uint32_t context) {
  return share(context, old.inter() ? context + 2 : 0, old.local[0], old.local[1], old.topology);
}

/// Completes the new view when the number is known; the user has the handle at once.
Task duplicate(Collective& c, MPI_Comm made, std::uint8_t side) {
  std::uint32_t context = 0;
  if (c.inter)
    co_await number_inter(c, side, &context);
  else
    co_await agree_on_number(c.local, &context);
  Ref<Shared>& copy = library->communicators[handle_index(made) - 2].shared;
  copy = same_as(*c.shared, context);
  set_session(*c.rank, *copy, session_of(*c.rank, *c.shared));
}

int dup(const char* function, MPI_Comm comm, MPI_Comm* result, MPI_Request* request) {
  return collective_call(function, comm, request, [&](Collective& c, Communicator& old) {
    out(result) = MPI_COMM_NULL;
    auto copied = std::make_unique<Attributes>();
    if (old.attributes) copy_attributes(comm, *old.attributes, *copied);
    *result = publish(old.shared, old.rank, old.side);
    Communicator& made = communicator(*result);
    made.errhandler = get_errhandler(old.errhandler);
    made.attributes = std::move(copied);
    if (old.info) made.info = std::make_unique<InfoList>(*old.info);
    if (old.neighbours) made.neighbours = std::make_unique<Neighbours>(*old.neighbours);
    return duplicate(c, *result, old.side);
  });
}

/// Makes a communicator for the ranks in `members`; other ranks take no part.
int create(const char* function, MPI_Comm comm, const Ref<Group>& members, std::int32_t tag, bool all_call,
           Ref<Topology> topology, MPI_Comm* result) {
  if (result == nullptr) return raise(function, comm, MPI_ERR_ARG, kNullPointer);
  *result = MPI_COMM_NULL;
  std::uint32_t context = 0;
  const int error = collective_call(function, comm, nullptr, [&](Collective& c, Communicator& parent) {
    if (!all_call) uncount(c, parent);  // only the members take part
    require(!c.inter, MPI_ERR_COMM);
    for (std::uint32_t i = 0; i < members->size(); ++i)
      require(parent.group().rank_of(members->world(i)) >= 0, MPI_ERR_GROUP);
    return agree_among(channel_of(c, parent, parent.group(), all_call ? c.local.tag : tag), members,
                       &context);
  });
  if (error != MPI_SUCCESS) return error;
  const int rank = members->rank_of(self().id);
  if (rank >= 0)
    *result =
        publish_agreed({share(context, 0, members, {}, std::move(topology)), rank, 0}, communicator(comm));
  return MPI_SUCCESS;
}

/// The contribution of one rank to the split of an intercommunicator.
struct InterVote {
  std::int32_t color, key;
  std::uint32_t context;  ///< a reserved number, used if the rank comes first of its color on side 0
};

/// Exchanges the votes of both sides through the two ranks 0; every rank receives all.
Task gather_votes(Collective& c, InterVote mine, std::vector<InterVote>* own, std::vector<InterVote>* other) {
  own->resize(static_cast<std::size_t>(c.local.size));
  other->resize(static_cast<std::size_t>(c.remote.size));
  const std::size_t own_bytes = own->size() * sizeof mine, other_bytes = other->size() * sizeof mine;
  if (c.local.me == 0) {
    (*own)[0] = mine;
    for (int i = 1; i < c.local.size; ++i) c.local.recv(i, &(*own)[static_cast<std::size_t>(i)], sizeof mine);
    co_await c.local.done();
    enter(c);
    c.remote.send_always(0, own->data(), own_bytes);
    c.remote.recv(0, other->data(), other_bytes);
    co_await c.remote.done();
    enter(c);
    for (int i = 1; i < c.local.size; ++i) {
      c.local.send_always(i, own->data(), own_bytes);
      c.local.send_always(i, other->data(), other_bytes);
    }
  } else {
    c.local.send_always(0, &mine, sizeof mine);
    c.local.recv(0, own->data(), own_bytes);
    c.local.recv(0, other->data(), other_bytes);
  }
  co_await c.local.done();
}

/// Returns the indices of the votes for `color`, in the order of key, then of rank.
std::vector<std::uint32_t> order_of(const std::vector<InterVote>& votes, int color) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < votes.size(); ++i)
    if (votes[i].color == color) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return votes[i].key; });
  return order;
}

Ref<Group> members_at(const Group& group, const std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint32_t> members;
  for (const std::uint32_t rank : ranks) members.push_back(group.world(rank));
  return new Group(std::move(members));
}

/// Groups ranks of both sides by color; a color that only one side names gets no communicator.
int split_inter(const char* function, MPI_Comm comm, int color, int key, MPI_Comm* result) {
  if (result == nullptr) return raise(function, comm, MPI_ERR_ARG, kNullPointer);
  *result = MPI_COMM_NULL;
  std::vector<InterVote> own, other;
  const int error = collective_call(function, comm, nullptr, [&](Collective& c, Communicator&) {
    require(color >= 0 || color == MPI_UNDEFINED, MPI_ERR_ARG);
    return gather_votes(c, {color, key, new_context(c.rank->id)}, &own, &other);
  });
  if (error != MPI_SUCCESS || color == MPI_UNDEFINED) return error;
  const Communicator& old = communicator(comm);
  const std::vector<std::uint32_t> mine = order_of(own, color), theirs = order_of(other, color);
  if (theirs.empty()) return MPI_SUCCESS;
  const Ref<Group> local = members_at(old.group(), mine), remote = members_at(old.peers(), theirs);
  const std::uint32_t context = old.side == 0 ? own[mine[0]].context : other[theirs[0]].context;
  const auto rank = std::ranges::find(mine, static_cast<std::uint32_t>(old.rank)) - mine.begin();
  *result = publish_agreed(
      {share(context, context + 2, old.side == 0 ? local : remote, old.side == 0 ? remote : local, {}),
       static_cast<int>(rank), old.side},
      old);
  return MPI_SUCCESS;
}

bool is_inter(MPI_Comm comm) {
  try {
    return communicator(comm).shared->inter();
  } catch (const Failure&) {
    return false;  // the call itself reports it
  }
}

int split(const char* function, MPI_Comm comm, int color, int key, MPI_Comm* result) {
  if (result == nullptr) return raise(function, comm, MPI_ERR_ARG, kNullPointer);
  if (is_inter(comm)) return split_inter(function, comm, color, key, result);
  Agreed agreed;
  const int error = collective_call(function, comm, nullptr, [&](Collective& c, Communicator&) {
    require(color >= 0 || color == MPI_UNDEFINED, MPI_ERR_ARG);
    return agree_on_split(c.local, color, key, &agreed);
  });
  if (error == MPI_SUCCESS) *result = publish_agreed(agreed, communicator(comm));
  return error;
}

/// Returns true if the hints request a split by node, the only hardware resource that the simulator names.
bool names_node(MPI_Info hints) {
  if (hints == MPI_INFO_NULL) return false;
  return std::ranges::any_of(info(hints), [](const auto& hint) {
    return hint.first == "mpi_hw_resource_type" &&
           (hint.second == "psim://node" || hint.second == "mpi_shared_memory");
  });
}

/// The message between the leaders of the two groups, followed by the world ranks of the group.
struct Introduction {
  std::uint32_t size, leader, context;
};

/// Exchanges both groups and the number over `bridge`, which joins the leaders, and forwards them to every
/// rank.
Task introduce(Collective& c, Channel bridge, int leader, int remote_leader,
               std::vector<std::uint32_t>* remote, std::uint32_t* context, std::uint8_t* side) {
  Introduction mine{}, theirs{};
  const Group& own = *c.local.peers;
  if (c.local.me == leader) {
    mine = {own.size(), own.world(static_cast<std::uint32_t>(leader)), new_context(c.rank->id)};
    bridge.send_always(remote_leader, &mine, sizeof mine);
    bridge.recv(remote_leader, &theirs, sizeof theirs);
    co_await bridge.done();
    enter(c);
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < own.size(); ++i) list.push_back(own.world(i));
    remote->resize(theirs.size);
    bridge.send_always(remote_leader, list.data(), list.size() * 4);
    bridge.recv(remote_leader, remote->data(), remote->size() * 4);
    co_await bridge.done();
    enter(c);
    for (int i = 0; i < c.local.size; ++i) {
      if (i == leader) continue;
      c.local.send_always(i, &mine, sizeof mine);
      c.local.send_always(i, &theirs, sizeof theirs);
      c.local.send_always(i, remote->data(), remote->size() * 4);
    }
  } else {
    c.local.recv(leader, &mine, sizeof mine);
    c.local.recv(leader, &theirs, sizeof theirs);
    co_await c.local.done();
    enter(c);
    remote->resize(theirs.size);
    c.local.recv(leader, remote->data(), remote->size() * 4);
  }
  co_await c.local.done();
  enter(c);
  *side = mine.leader < theirs.leader ? 0 : 1;
  *context = *side == 0 ? mine.context : theirs.context;
}

Task merge(Collective& c, std::uint8_t side, int high, std::uint32_t* context, int* remote_high) {
  co_await number_inter(c, side, context);
  if (c.local.me == 0) {
    c.remote.send_always(0, &high, sizeof high);
    c.remote.recv(0, remote_high, sizeof high);
    co_await c.remote.done();
    for (int i = 1; i < c.local.size; ++i) c.local.send_always(i, remote_high, sizeof high);
  } else {
    c.local.recv(0, remote_high, sizeof high);
  }
  co_await c.local.done();
}

}  // namespace

namespace psim::net::mpi {

int create_with_topology(const char* function, MPI_Comm comm, const Ref<Group>& members,
                         Ref<Topology> topology, MPI_Comm* result) {
  return create(function, comm, members, 0, true, std::move(topology), result);
}

int create_from_group(const char* function, const Ref<Group>& members, int tag, MPI_Comm* result) {
  return create(function, MPI_COMM_WORLD, members, -2 - tag, false, {}, result);
}

}  // namespace psim::net::mpi

PSIM_MPI_CALL(Comm_dup, (MPI_Comm comm, MPI_Comm* result), dup, comm, result, nullptr)
PSIM_MPI_CALL(Comm_idup, (MPI_Comm comm, MPI_Comm* result, MPI_Request* request), dup, comm, result,
              nonnull(request))
PSIM_MPI(int, Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* result, MPI_Request* request)) {
  if (const int error = unobserved("MPI_Comm_idup_with_info", [&] { check_info(info); })) return error;
  if (const int error = dup("MPI_Comm_idup_with_info", comm, result, nonnull(request))) return error;
  return guarded("MPI_Comm_idup_with_info", comm, [&] {
    communicator(*result).info.reset();
    merge_info(communicator(*result).info, info);
  });
}
PSIM_MPI(int, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* result)) {
  if (const int error = dup("MPI_Comm_dup_with_info", comm, result, nullptr)) return error;
  return PMPI_Comm_set_info(*result, info);
}
PSIM_MPI(int, Comm_create, (MPI_Comm comm, MPI_Group group_handle, MPI_Comm* result)) {
  const CountedCall whole("MPI_Comm_create");
  Ref<Group> members;
  if (const int error = guarded("MPI_Comm_create", comm, [&] { members = group(group_handle); }))
    return error;
  if (is_inter(comm)) {  // each side names its part of the new communicator
    const int rank = members->rank_of(self().id);
    return split_inter("MPI_Comm_create", comm, rank >= 0 ? 0 : MPI_UNDEFINED, rank, result);
  }
  return create("MPI_Comm_create", comm, members, 0, true, {}, result);
}
PSIM_MPI(int, Comm_create_group, (MPI_Comm comm, MPI_Group group_handle, int tag, MPI_Comm* result)) {
  const CountedCall whole("MPI_Comm_create_group");
  Ref<Group> members;
  if (const int error = guarded("MPI_Comm_create_group", comm, [&] { members = group(group_handle); }))
    return error;
  return create("MPI_Comm_create_group", comm, members, -2 - tag, false, {}, result);
}
PSIM_MPI_CALL(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* result), split, comm, color, key,
              result)
PSIM_MPI(int, Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info hints, MPI_Comm* result)) {
  const CountedCall whole("MPI_Comm_split_type");
  if (const int error = guarded("MPI_Comm_split_type", comm, [&] {
        check_info(hints);
        require(
            (type >= MPI_COMM_TYPE_SHARED && type <= MPI_COMM_TYPE_RESOURCE_GUIDED) || type == MPI_UNDEFINED,
            MPI_ERR_ARG, "the split type is not defined");
      }))
    return error;
  if ((type == MPI_COMM_TYPE_HW_GUIDED || type == MPI_COMM_TYPE_RESOURCE_GUIDED) && !names_node(hints))
    return split("MPI_Comm_split_type", comm, MPI_UNDEFINED, key, result);
  const int node = static_cast<int>(psim::net::index(library->host.node_of(psim::net::RankId{self().id})));
  const int error =
      split("MPI_Comm_split_type", comm, type == MPI_UNDEFINED ? MPI_UNDEFINED : node, key, result);
  if (error != MPI_SUCCESS || type != MPI_COMM_TYPE_HW_UNGUIDED) return error;
  // The new communicator must be smaller than the old one.
  if (communicator(*result).size() == communicator(comm).size()) return PMPI_Comm_free(result);
  return hints == MPI_INFO_NULL ? MPI_SUCCESS : PMPI_Info_set(hints, "mpi_hw_resource_type", "psim://node");
}

PSIM_MPI(int, Intercomm_create,
         (MPI_Comm local, int leader, MPI_Comm bridge_comm, int remote_leader, int tag, MPI_Comm* result)) {
  const CountedCall whole("MPI_Intercomm_create");
  if (result == nullptr) return raise("MPI_Intercomm_create", local, MPI_ERR_ARG, kNullPointer);
  std::vector<std::uint32_t> remote;
  std::uint32_t context = 0;
  std::uint8_t side = 0;
  const int error =
      collective_call("MPI_Intercomm_create", local, nullptr, [&](Collective& c, Communicator& comm) {
        require(!c.inter && leader >= 0 && leader < c.local.size, MPI_ERR_ARG);
        Channel bridge;
        if (comm.rank == leader) {
          const Communicator& b = communicator(bridge_comm);
          require(remote_leader >= 0 && remote_leader < static_cast<int>(b.peers().size()), MPI_ERR_RANK);
          bridge = {&c,       &b.peers(), b.shared->context | 1,
                    -2 - tag, b.rank,     static_cast<int>(b.peers().size())};
        }
        return introduce(c, bridge, leader, remote_leader, &remote, &context, &side);
      });
  if (error != MPI_SUCCESS) return error;
  Communicator& old = communicator(local);
  const Ref<Group> own = old.shared->local[old.side], other = new Group(std::move(remote));
  *result = publish_agreed(
      {share(context, context + 2, side == 0 ? own : other, side == 0 ? other : own, {}), old.rank, side},
      old);
  return MPI_SUCCESS;
}

PSIM_MPI(int, Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* result)) {
  const CountedCall whole("MPI_Intercomm_merge");
  if (result == nullptr) return raise("MPI_Intercomm_merge", comm, MPI_ERR_ARG, kNullPointer);
  std::uint32_t context = 0;
  int remote_high = 0;
  const int error =
      collective_call("MPI_Intercomm_merge", comm, nullptr, [&](Collective& c, Communicator& old) {
        require(c.inter, MPI_ERR_COMM);
        return merge(c, old.side, high, &context, &remote_high);
      });
  if (error != MPI_SUCCESS) return error;
  const Communicator& old = communicator(comm);
  // True if this rank's side comes first.
  const bool low_first = (high != 0) == (remote_high != 0) ? old.side == 0 : high == 0;
  const Group &first = low_first ? old.group() : old.peers(), &second = low_first ? old.peers() : old.group();
  std::vector<std::uint32_t> members;
  for (const Group* g : {&first, &second})
    for (std::uint32_t i = 0; i < g->size(); ++i) members.push_back(g->world(i));
  const int rank = old.rank + (low_first ? 0 : static_cast<int>(first.size()));
  *result = publish_agreed({share(context, 0, new Group(std::move(members)), {}, {}), rank, 0}, old);
  return MPI_SUCCESS;
}
