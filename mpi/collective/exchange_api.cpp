// SPDX-License-Identifier: Apache-2.0
// Allgather and alltoall (MPI-3.1 sections 5.7, 5.8), with v, w and non-blocking forms.
#include "mpi/collective/algorithms.h"
#include "mpi/collective/blocks.h"
#include "mpi/collective/call.h"
#include "mpi/collective/disagreement.h"
#include "mpi/collective/forms.h"
#include "mpi/datatype/registry.h"

using namespace psim::net::mpi;

namespace {

Task allgather_packed(Collective& c, UserBuffer send, UserBuffer recv, bool in_place) {
  const PackedView all(recv);
  const std::uint64_t bytes = recv.bytes() / static_cast<std::uint64_t>(c.local.size);
  std::byte* mine = shifted(all.data(), static_cast<std::int64_t>(bytes) * c.local.me);
  if (in_place) {
    all.load();
  } else if (send.type->contiguous || send.bytes() != bytes) {
    const PackedView from(send, bytes);
    from.load();
    copy(c.local, mine, from.data(), bytes);
  } else if (recv.type->contiguous) {
    if (!size_only()) send.pack_to(library->memory(c.rank->id, mine, send.bytes()), 0, send.count);
  } else {
    send.pack_to(mine, 0, send.count);
  }
  co_await allgather(c.local, all.data(), bytes);
  all.store();
}

/// Exchanges blocks with every rank of the other side, or with each rank in ring order.
Task exchange_linear(Collective& c, Blocks send, Blocks recv, bool same_block) {
  const Channel& ch = c.inter ? c.remote : c.local;
  for (int i = 0; i < ch.size; ++i) {
    const int from = c.inter ? i : (ch.me - i + ch.size) % ch.size;
    if (c.inter || from != ch.me) recv.recv(ch, from, from);
  }
  for (int i = 0; i < ch.size; ++i) {
    const int to = c.inter ? i : (ch.me + i) % ch.size;
    if (c.inter || to != ch.me)
      send.send(ch, to, same_block ? 0 : to);
    else
      copy_block(ch, send, same_block ? 0 : to, recv, to);
  }
  co_await ch.done();
}

Task exchange_pairwise(Collective& c, Blocks send, Blocks recv) {
  const Channel& ch = c.local;
  copy_block(ch, send, ch.me, recv, ch.me);
  for (int step = 1; step < ch.size; ++step) {
    const int to = (ch.me + step) % ch.size, from = (ch.me - step + ch.size) % ch.size;
    recv.recv(ch, from, from);
    send.send(ch, to, to);
    co_await ch.done();
  }
}

/// Exchanges in place: sends a packed copy of one block while the block that replaces it arrives.
Task exchange_in_place(Collective& c, Blocks blocks) {
  const Channel& ch = c.local;
  // Every pair (i, j) with i + j = step mod size swaps in the same step.
  for (int step = 0; step < ch.size; ++step) {
    const int peer = (step - ch.me + ch.size) % ch.size;
    if (peer == ch.me) continue;
    Datatype& type = blocks.type_of(peer);
    const std::uint64_t count = blocks.count(peer), bytes = count * type.size;
    const Scratch copy_of(bytes);
    UserBuffer(ch, blocks.at(peer), count, type).pack_to(copy_of.data(), 0, count);
    ch.send(peer, copy_of.data(), bytes);
    blocks.recv(ch, peer, peer);
    co_await ch.done();
  }
}

Task alltoall_packed(Collective& c, UserBuffer send, UserBuffer recv, bool in_place) {
  const std::uint64_t bytes = recv.bytes() / static_cast<std::uint64_t>(c.local.size);
  const PackedView to(recv);
  if (in_place) {
    const Scratch from(recv.bytes());
    recv.pack_to(from.data(), 0, recv.count);
    co_await alltoall(c.local, from.data(), to.data(), bytes);
  } else {
    const PackedView from(send, recv.bytes());
    from.load();
    co_await alltoall(c.local, from.data(), to.data(), bytes);
  }
  to.store();
}

/// Refuses MPI_IN_PLACE on intercommunicators.
void check_in_place(const Collective& c, bool in_place) {
  require(!c.inter || !in_place, MPI_ERR_BUFFER,
          "sendbuf is MPI_IN_PLACE, which an intercommunicator does not allow");
}

int allgather_call(const char* function, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                   void* recv, MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                   MPI_Request* request) {
  return collective_call(function, Function::Allgather, comm, request, [&](Collective& c, Communicator&) {
    const bool in_place = send == MPI_IN_PLACE;
    check_in_place(c, in_place);
    if (c.inter) {
      const Blocks from = equal_blocks(c.remote, kSend, send, send_count, send_type, 1);
      const Blocks to = equal_blocks(c.remote, kReceive, recv, recv_count, recv_type, c.remote.size);
      c.given = total(from, 1);
      c.got = total(to, c.remote.size);
      return exchange_linear(c, from, to, true);
    }
    const UserBuffer to = checked(c, kReceive, recv, recv_count, recv_type, c.local.size);
    const UserBuffer from = in_place ? UserBuffer(c.local, nullptr, 0, datatype(MPI_BYTE))
                                     : checked(c, kSend, send, send_count, send_type, 1);
    if (!in_place)
      require_distinct(c, send,
                       to.at(static_cast<std::uint64_t>(c.local.me) * static_cast<std::uint64_t>(recv_count)),
                       to.bytes());
    c.got = to.bytes();
    c.given = c.got / static_cast<std::uint64_t>(c.local.size);
    c.alike = agreed_arguments(-1, 0, Basic::None, c.given);
    if (!in_place) check_block(c, from.bytes(), c.given);
    return allgather_packed(c, from, to, in_place);
  });
}

int allgatherv_call(const char* function, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                    void* recv, Numbers counts, Numbers displs, MPI_Datatype recv_type, MPI_Comm comm,
                    MPI_Request* request) {
  return collective_call(
      function, Function::Allgatherv, comm, request, [&](Collective& c, Communicator& communicator) {
        const int size = static_cast<int>(communicator.peers().size()), me = c.local.me;
        const bool in_place = send == MPI_IN_PLACE;
        check_in_place(c, in_place);
        const Blocks to = v_blocks(c.local, kReceive, recv, counts, displs, size, recv_type);
        c.got = total(to, size);
        if (!in_place && !c.inter) require_distinct(c, send, to.at(me), to.count(me));
        const Blocks mine = in_place ? blocks_of(c.local, to.at(me), counts[me], to.type_of(me))
                                     : equal_blocks(c.local, kSend, send, send_count, send_type, 1);
        c.given = total(mine, 1);
        return exchange_linear(c, mine, to, true);
      });
}

int alltoall_call(const char* function, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                  void* recv, MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                  MPI_Request* request) {
  return collective_call(function, Function::Alltoall, comm, request, [&](Collective& c, Communicator&) {
    const bool in_place = send == MPI_IN_PLACE;
    check_in_place(c, in_place);
    if (c.inter) {
      const Blocks from = equal_blocks(c.remote, kSend, send, send_count, send_type, c.remote.size);
      const Blocks to = equal_blocks(c.remote, kReceive, recv, recv_count, recv_type, c.remote.size);
      c.given = total(from, c.remote.size);
      c.got = total(to, c.remote.size);
      return exchange_linear(c, from, to, false);
    }
    const UserBuffer to = checked(c, kReceive, recv, recv_count, recv_type, c.local.size);
    const UserBuffer from = in_place ? UserBuffer(c.local, nullptr, 0, datatype(MPI_BYTE))
                                     : checked(c, kSend, send, send_count, send_type, c.local.size);
    if (!in_place) require_apart(c, send, recv, to.bytes());
    c.given = c.got = to.bytes();
    const auto size = static_cast<std::uint64_t>(c.local.size);
    c.alike = agreed_arguments(-1, 0, Basic::None, to.bytes() / size);
    if (!in_place) check_block(c, from.bytes() / size, to.bytes() / size);
    return alltoall_packed(c, from, to, in_place);
  });
}

Task alltoallv(Collective& c, Blocks send, Blocks recv) {
  // There is no Bruck for blocks of different sizes.
  auto algorithm =
      library->selection.choose<AlltoallAlgorithm>(CollectiveKind::Alltoall, c.local.size, ~0ull);
  // The table has times of equal blocks only.
  if (algorithm == AlltoallAlgorithm::Table) algorithm = AlltoallAlgorithm::Pairwise;
  if (c.inter)
    algorithm = AlltoallAlgorithm::Linear;
  else if (algorithm == AlltoallAlgorithm::Bruck)
    algorithm = AlltoallAlgorithm::Pairwise;
  if (counted(CollectiveKind::Alltoall, algorithm) == AlltoallAlgorithm::Linear)
    return exchange_linear(c, std::move(send), std::move(recv), false);
  return exchange_pairwise(c, std::move(send), std::move(recv));
}

/// Starts a v or w form. `receives` and `sends` make the blocks from a channel and a number of peers.
template <class Receives, class Sends>
int exchange_call(const char* function, Function kind, const void* send, void* recv, MPI_Comm comm,
                  MPI_Request* request, Receives receives, Sends sends) {
  return collective_call(function, kind, comm, request, [&](Collective& c, Communicator& communicator) {
    const int n = static_cast<int>(communicator.peers().size());
    check_in_place(c, send == MPI_IN_PLACE);
    Blocks to = receives(c.local, n);
    c.given = c.got = total(to, n);
    if (send == MPI_IN_PLACE) return exchange_in_place(c, std::move(to));
    if (!c.inter) require_apart(c, send, recv, to.count(c.local.me));
    Blocks from = sends(c.local, n);
    c.given = total(from, n);
    return alltoallv(c, std::move(from), std::move(to));
  });
}

int alltoallv_call(const char* function, const void* send, Numbers send_counts, Numbers send_displs,
                   MPI_Datatype send_type, void* recv, Numbers recv_counts, Numbers recv_displs,
                   MPI_Datatype recv_type, MPI_Comm comm, MPI_Request* request) {
  return exchange_call(
      function, Function::Alltoallv, send, recv, comm, request,
      [&](Channel& channel, int n) {
        return v_blocks(channel, kReceive, recv, recv_counts, recv_displs, n, recv_type);
      },
      [&](Channel& channel, int n) {
        return v_blocks(channel, kSend, send, send_counts, send_displs, n, send_type);
      });
}

int alltoallw_call(const char* function, const void* send, Numbers send_counts, Numbers send_displs,
                   const MPI_Datatype* send_types, void* recv, Numbers recv_counts, Numbers recv_displs,
                   const MPI_Datatype* recv_types, MPI_Comm comm, MPI_Request* request) {
  return exchange_call(
      function, Function::Alltoallw, send, recv, comm, request,
      [&](Channel& channel, int n) {
        return w_blocks(channel, kReceive, recv, recv_counts, recv_displs, recv_types, n);
      },
      [&](Channel& channel, int n) {
        return w_blocks(channel, kSend, send, send_counts, send_displs, send_types, n);
      });
}

}  // namespace

PSIM_COLLECTIVE(Allgather, Iallgather, allgather_call,
                (const void* send, Number send_count, MPI_Datatype send_type, void* recv, Number recv_count,
                 MPI_Datatype recv_type),
                send, send_count, send_type, recv, recv_count, recv_type)
PSIM_COLLECTIVE(Allgatherv, Iallgatherv, allgatherv_call,
                (const void* send, Number send_count, MPI_Datatype send_type, void* recv,
                 const Number* counts, const Place* displs, MPI_Datatype recv_type),
                send, send_count, send_type, recv, counts, displs, recv_type)
PSIM_COLLECTIVE(Alltoall, Ialltoall, alltoall_call,
                (const void* send, Number send_count, MPI_Datatype send_type, void* recv, Number recv_count,
                 MPI_Datatype recv_type),
                send, send_count, send_type, recv, recv_count, recv_type)
PSIM_COLLECTIVE(Alltoallv, Ialltoallv, alltoallv_call,
                (const void* send, const Number* send_counts, const Place* send_displs,
                 MPI_Datatype send_type, void* recv, const Number* recv_counts, const Place* recv_displs,
                 MPI_Datatype recv_type),
                send, send_counts, send_displs, send_type, recv, recv_counts, recv_displs, recv_type)
PSIM_COLLECTIVE(Alltoallw, Ialltoallw, alltoallw_call,
                (const void* send, const Number* send_counts, const Place* send_displs,
                 const MPI_Datatype* send_types, void* recv, const Number* recv_counts,
                 const Place* recv_displs, const MPI_Datatype* recv_types),
                send, send_counts, send_displs, send_types, recv, recv_counts, recv_displs, recv_types)
