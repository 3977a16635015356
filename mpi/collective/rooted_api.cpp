// SPDX-License-Identifier: Apache-2.0
// Barrier, broadcast, gather and scatter (MPI-3.1 sections 5.3 to 5.6), with v and non-blocking forms.
#include "mpi/collective/algorithms.h"
#include "mpi/collective/blocks.h"
#include "mpi/collective/call.h"
#include "mpi/collective/disagreement.h"
#include "mpi/collective/forms.h"
#include "mpi/datatype/registry.h"

using namespace psim::net::mpi;

namespace {

bool is_root(const Collective& c, int root) { return c.inter ? root == MPI_ROOT : root == c.local.me; }

/// Synchronises both sides through their ranks 0.
Task barrier_inter(Collective& c) {
  co_await barrier(c.local);
  if (c.local.me == 0) {
    c.remote.send(0, nullptr, 0);
    c.remote.recv(0, nullptr, 0);
    co_await c.remote.done();
  }
  co_await barrier(c.local);
}

Task bcast_user(Collective& c, UserBuffer buffer, int root) {
  const PackedView view(buffer);
  if (is_root(c, root)) view.load();
  if (c.inter) {
    if (root == MPI_PROC_NULL) co_return;
    if (root == MPI_ROOT) {
      c.remote.send(0, view.data(), view.bytes());
      co_await c.remote.done();
      co_return;
    }
    if (c.local.me == 0) {
      c.remote.recv(root, view.data(), view.bytes());
      co_await c.remote.done();
    }
    co_await bcast(c.local, view.data(), view.bytes(), 0);
  } else {
    co_await bcast(c.local, view.data(), view.bytes(), root);
  }
  if (!is_root(c, root)) view.store();
}

int bcast_call(const char* function, void* buffer, MPI_Count count, MPI_Datatype type, int root,
               MPI_Comm comm, MPI_Request* request) {
  return collective_call(function, Function::Bcast, comm, request, [&](Collective& c, Communicator&) {
    check_count(count);
    check_root(c, root);
    const UserBuffer data(c.local, buffer, static_cast<std::uint64_t>(count),
                          committed(type, static_cast<std::uint64_t>(count)));
    if (root != MPI_PROC_NULL) check_buffer(buffer, data.count, *data.type, "buffer");
    c.alike = agreed_arguments(c.inter ? -1 : root, 0, Basic::None, data.bytes());
    (is_root(c, root) ? c.given : c.got) = data.bytes();
    return bcast_user(c, data, root);
  });
}

/// Sends each rank's block directly to it: for v forms, and between the sides of an intercommunicator.
Task gather_blocks(Collective& c, Blocks send, Blocks recv, int root, bool in_place) {
  const Channel& ch = c.inter ? c.remote : c.local;
  if (is_root(c, root)) {
    for (int i = 0; i < ch.size; ++i) {
      if (!c.inter && i == ch.me) {
        if (!in_place) copy_block(ch, send, 0, recv, i);
      } else {
        recv.recv(ch, i, i);
      }
    }
  } else if (root != MPI_PROC_NULL) {
    send.send(ch, root, 0);
  }
  co_await ch.done();
}

Task scatter_blocks(Collective& c, Blocks send, Blocks recv, int root, bool in_place) {
  const Channel& ch = c.inter ? c.remote : c.local;
  if (is_root(c, root)) {
    for (int i = 0; i < ch.size; ++i) {
      if (!c.inter && i == ch.me) {
        if (!in_place) copy_block(ch, send, i, recv, 0);
      } else {
        send.send(ch, i, i);
      }
    }
  } else if (root != MPI_PROC_NULL) {
    recv.recv(ch, root, 0);
  }
  co_await ch.done();
}

Task gather_packed(Collective& c, UserBuffer send, UserBuffer recv, std::uint64_t bytes, int root,
                   bool in_place) {
  const bool at_root = is_root(c, root);
  const PackedView to(recv);
  if (in_place) {
    const Scratch mine(bytes);
    const std::uint64_t each = recv.count / static_cast<std::uint64_t>(c.local.size);
    UserBuffer(c.local, recv.at(static_cast<std::uint64_t>(root) * each), each, *recv.type)
        .pack_to(mine.data(), 0, each);
    co_await gather(c.local, mine.data(), to.data(), bytes, root);
    to.store();
    co_return;
  }
  const PackedView from(send, bytes);
  from.load();
  co_await gather(c.local, from.data(), at_root ? to.data() : nullptr, bytes, root);
  if (at_root) to.store();
}

Task scatter_packed(Collective& c, UserBuffer send, UserBuffer recv, std::uint64_t bytes, int root,
                    bool in_place) {
  const PackedView from(send);
  if (is_root(c, root)) from.load();
  if (in_place) {
    const Scratch mine(bytes);
    co_await scatter(c.local, from.data(), mine.data(), bytes, root);
    co_return;
  }
  const PackedView to(recv, bytes);
  co_await scatter(c.local, from.data(), to.data(), bytes, root);
  to.store();
}

UserBuffer nothing(const Collective& c) { return {c.local, nullptr, 0, datatype(MPI_BYTE)}; }

int gather_call(const char* function, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm,
                MPI_Request* request) {
  return collective_call(function, Function::Gather, comm, request, [&](Collective& c, Communicator&) {
    check_root(c, root);
    const bool at_root = is_root(c, root), in_place = at_root && send == MPI_IN_PLACE && !c.inter;
    if (c.inter) {
      const bool sends = !at_root && root != MPI_PROC_NULL;
      const Blocks from =
          sends ? equal_blocks(c.remote, kSend, send, send_count, send_type, 1) : no_blocks(c.remote);
      const Blocks to = at_root ? equal_blocks(c.remote, kReceive, recv, recv_count, recv_type, c.remote.size)
                                : no_blocks(c.remote);
      c.given = total(from, 1);
      c.got = total(to, c.remote.size);
      return gather_blocks(c, from, to, root, false);
    }
    const UserBuffer from = in_place ? nothing(c) : checked(c, kSend, send, send_count, send_type, 1);
    const UserBuffer to =
        at_root ? checked(c, kReceive, recv, recv_count, recv_type, c.local.size) : nothing(c);
    const std::uint64_t bytes =
        at_root ? to.bytes() / static_cast<std::uint64_t>(c.local.size) : from.bytes();
    if (at_root && !in_place)
      require_distinct(c, send,
                       to.at(static_cast<std::uint64_t>(root) * static_cast<std::uint64_t>(recv_count)),
                       to.bytes());
    c.alike = agreed_arguments(root, 0, Basic::None, bytes);
    if (at_root && !in_place) check_block(c, from.bytes(), bytes);
    c.given = bytes;
    c.got = to.bytes();
    return gather_packed(c, from, to, bytes, root, in_place);
  });
}

int scatter_call(const char* function, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                 void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm,
                 MPI_Request* request) {
  return collective_call(function, Function::Scatter, comm, request, [&](Collective& c, Communicator&) {
    check_root(c, root);
    const bool at_root = is_root(c, root), in_place = at_root && recv == MPI_IN_PLACE && !c.inter;
    if (c.inter) {
      const bool receives = !at_root && root != MPI_PROC_NULL;
      const Blocks from = at_root ? equal_blocks(c.remote, kSend, send, send_count, send_type, c.remote.size)
                                  : no_blocks(c.remote);
      const Blocks to =
          receives ? equal_blocks(c.remote, kReceive, recv, recv_count, recv_type, 1) : no_blocks(c.remote);
      c.given = total(from, c.remote.size);
      c.got = total(to, 1);
      return scatter_blocks(c, from, to, root, false);
    }
    const UserBuffer from =
        at_root ? checked(c, kSend, send, send_count, send_type, c.local.size) : nothing(c);
    const UserBuffer to = in_place ? nothing(c) : checked(c, kReceive, recv, recv_count, recv_type, 1);
    const std::uint64_t bytes =
        at_root ? from.bytes() / static_cast<std::uint64_t>(c.local.size) : to.bytes();
    if (at_root && !in_place)
      require_distinct(c, from.at(static_cast<std::uint64_t>(root) * static_cast<std::uint64_t>(send_count)),
                       recv, to.bytes());
    c.alike = agreed_arguments(root, 0, Basic::None, bytes);
    if (at_root && !in_place) check_block(c, bytes, to.bytes());
    c.given = from.bytes();
    c.got = bytes;
    return scatter_packed(c, from, to, bytes, root, in_place);
  });
}

int gatherv_call(const char* function, const void* send, MPI_Count send_count, MPI_Datatype send_type,
                 void* recv, Numbers counts, Numbers displs, MPI_Datatype recv_type, int root, MPI_Comm comm,
                 MPI_Request* request) {
  return collective_call(
      function, Function::Gatherv, comm, request, [&](Collective& c, Communicator& communicator) {
        check_root(c, root);
        const bool at_root = is_root(c, root), in_place = at_root && send == MPI_IN_PLACE && !c.inter;
        const bool sends = !in_place && !(c.inter && (at_root || root == MPI_PROC_NULL));
        const int size = static_cast<int>(communicator.peers().size());
        const Blocks from =
            sends ? equal_blocks(c.local, kSend, send, send_count, send_type, 1) : no_blocks(c.local);
        const Blocks to =
            at_root ? v_blocks(c.local, kReceive, recv, counts, displs, size, recv_type) : no_blocks(c.local);
        if (at_root && !in_place && !c.inter) require_distinct(c, send, to.at(root), to.count(root));
        c.alike = agreed_arguments(c.inter ? -1 : root, 0, Basic::None, 0);
        c.given = in_place ? to.count(root) * to.type_of(root).size : total(from, 1);
        c.got = at_root ? total(to, size) : 0;
        return gather_blocks(c, from, to, root, in_place);
      });
}

int scatterv_call(const char* function, const void* send, Numbers counts, Numbers displs,
                  MPI_Datatype send_type, void* recv, MPI_Count recv_count, MPI_Datatype recv_type, int root,
                  MPI_Comm comm, MPI_Request* request) {
  return collective_call(
      function, Function::Scatterv, comm, request, [&](Collective& c, Communicator& communicator) {
        check_root(c, root);
        const bool at_root = is_root(c, root), in_place = at_root && recv == MPI_IN_PLACE && !c.inter;
        const bool receives = !in_place && !(c.inter && (at_root || root == MPI_PROC_NULL));
        const int size = static_cast<int>(communicator.peers().size());
        const Blocks from =
            at_root ? v_blocks(c.local, kSend, send, counts, displs, size, send_type) : no_blocks(c.local);
        const Blocks to =
            receives ? equal_blocks(c.local, kReceive, recv, recv_count, recv_type, 1) : no_blocks(c.local);
        if (at_root && !in_place && !c.inter) require_distinct(c, from.at(root), recv, from.count(root));
        c.alike = agreed_arguments(c.inter ? -1 : root, 0, Basic::None, 0);
        c.given = at_root ? total(from, size) : 0;
        c.got = in_place ? from.count(root) * from.type_of(root).size : total(to, 1);
        return scatter_blocks(c, from, to, root, in_place);
      });
}

int barrier_call(const char* function, MPI_Comm comm, MPI_Request* request) {
  return collective_call(function, Function::Barrier, comm, request, [](Collective& c, Communicator&) {
    return c.inter ? barrier_inter(c) : barrier(c.local);
  });
}

}  // namespace

PSIM_MPI(int, Barrier, (MPI_Comm comm)) { return barrier_call("MPI_Barrier", comm, nullptr); }
PSIM_MPI_CALL(Ibarrier, (MPI_Comm comm, MPI_Request* request), barrier_call, comm, nonnull(request))
PSIM_MPI(int, Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request* request)) {
  return initialise<PMPI_Ibarrier>("MPI_Barrier_init", info, request, comm);
}

PSIM_COLLECTIVE(Bcast, Ibcast, bcast_call, (void* buffer, Number count, MPI_Datatype type, int root), buffer,
                count, type, root)

PSIM_COLLECTIVE(Gather, Igather, gather_call,
                (const void* send, Number send_count, MPI_Datatype send_type, void* recv, Number recv_count,
                 MPI_Datatype recv_type, int root),
                send, send_count, send_type, recv, recv_count, recv_type, root)
PSIM_COLLECTIVE(Scatter, Iscatter, scatter_call,
                (const void* send, Number send_count, MPI_Datatype send_type, void* recv, Number recv_count,
                 MPI_Datatype recv_type, int root),
                send, send_count, send_type, recv, recv_count, recv_type, root)
PSIM_COLLECTIVE(Gatherv, Igatherv, gatherv_call,
                (const void* send, Number send_count, MPI_Datatype send_type, void* recv,
                 const Number* counts, const Place* displs, MPI_Datatype recv_type, int root),
                send, send_count, send_type, recv, counts, displs, recv_type, root)
PSIM_COLLECTIVE(Scatterv, Iscatterv, scatterv_call,
                (const void* send, const Number* counts, const Place* displs, MPI_Datatype send_type,
                 void* recv, Number recv_count, MPI_Datatype recv_type, int root),
                send, counts, displs, send_type, recv, recv_count, recv_type, root)
