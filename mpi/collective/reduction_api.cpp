// SPDX-License-Identifier: Apache-2.0
// Reductions (MPI-3.1 sections 5.9 to 5.11) and their non-blocking forms.
#include "mpi/collective/algorithms.h"
#include "mpi/collective/blocks.h"
#include "mpi/collective/call.h"
#include "mpi/collective/disagreement.h"
#include "mpi/collective/forms.h"
#include "mpi/datatype/registry.h"

using namespace psim::net::mpi;

namespace {

/// `elements` may be less than the elements of all ranks, but is not 0 if these are not.
Reduction reduction(MPI_Op operation, MPI_Datatype type, std::uint64_t elements) {
  Reduction r{&op(operation), &committed(type, elements)};
  require(operation != MPI_REPLACE && operation != MPI_NO_OP, MPI_ERR_OP,
          "MPI_REPLACE and MPI_NO_OP are allowed in one-sided calls only");
  if (type != MPI_DATATYPE_NULL) require_defined(*r.op, *r.type);
  return r;
}

/// Returns a packed copy of the user's vector, which algorithms may overwrite.
Scratch copy_of(const UserBuffer& user) {
  Scratch copy(user.bytes());
  user.pack_to(copy.data(), 0, user.count);
  return copy;
}

UserBuffer buffer(const Collective& c, const void* address, std::uint64_t count, const Reduction& r) {
  return UserBuffer(c.local, address, count, *r.type);
}

/// Exchanges the results of both sides between their ranks 0.
Task swap_results(Collective& c, const Scratch& mine, std::uint64_t my_bytes, const Scratch& theirs,
                  std::uint64_t their_bytes) {
  c.remote.send(0, mine.data(), my_bytes);
  c.remote.recv(0, theirs.data(), their_bytes);
  co_await c.remote.done();
}

Task reduce_user(Collective& c, Reduction r, UserBuffer in, UserBuffer out, int root) {
  const std::uint64_t bytes = in.bytes();
  if (!c.inter) {
    const Scratch data = copy_of(in);
    co_await reduce(c.local, r, data.data(), in.count, root);
    if (c.local.me == root) out.unpack_from(data.data(), 0, out.count);
    co_return;
  }
  if (root == MPI_PROC_NULL) co_return;
  if (root == MPI_ROOT) {
    const Scratch data(out.bytes());
    c.remote.recv(0, data.data(), out.bytes());
    co_await c.remote.done();
    out.unpack_from(data.data(), 0, out.count);
    co_return;
  }
  const Scratch data = copy_of(in);
  co_await reduce(c.local, r, data.data(), in.count, 0);
  if (c.local.me == 0) {
    c.remote.send(root, data.data(), bytes);
    co_await c.remote.done();
  }
}

Task allreduce_user(Collective& c, Reduction r, UserBuffer in, UserBuffer out) {
  const Scratch data = copy_of(in);
  if (!c.inter) {
    co_await allreduce(c.local, r, data.data(), in.count);
    out.unpack_from(data.data(), 0, out.count);
    co_return;
  }
  const Scratch theirs(in.bytes());
  co_await reduce(c.local, r, data.data(), in.count, 0);
  if (c.local.me == 0) co_await swap_results(c, data, in.bytes(), theirs, in.bytes());
  co_await bcast(c.local, theirs.data(), in.bytes(), 0);
  out.unpack_from(theirs.data(), 0, out.count);
}

Task reduce_scatter_user(Collective& c, Reduction r, UserBuffer in, UserBuffer out, Shares shares) {
  const Scratch data = copy_of(in), mine(out.bytes());
  if (!c.inter) {
    co_await reduce_scatter(c.local, r, data.data(), mine.data(), shares);
    out.unpack_from(mine.data(), 0, out.count);
    co_return;
  }
  const Scratch theirs(in.bytes());
  const auto size = r.size();
  co_await reduce(c.local, r, data.data(), in.count, 0);
  if (c.local.me == 0) {
    co_await swap_results(c, data, in.bytes(), theirs, in.bytes());
    for (int i = 1; i < c.local.size; ++i)
      c.local.send(i, shifted(theirs.data(), static_cast<std::int64_t>(shares.first(i) * size)),
                   shares.count(i) * size);
    copy(c.local, mine.data(), theirs.data(), shares.count(0) * size);
  } else {
    c.local.recv(0, mine.data(), out.bytes());
  }
  co_await c.local.done();
  out.unpack_from(mine.data(), 0, out.count);
}

Task scan_user(Collective& c, Reduction r, UserBuffer in, UserBuffer out, bool inclusive) {
  const Scratch data = copy_of(in);
  co_await scan(c.local, r, data.data(), in.count, inclusive);
  if (inclusive || c.local.me > 0) out.unpack_from(data.data(), 0, out.count);
}

/// The vector that this rank contributes, and the result's buffer.
struct Vectors {
  UserBuffer in, out;
};
/// Returns the vectors; `gives` and `takes` mark those that have a meaning on this rank.
Vectors vectors(Collective& c, const Reduction& r, const void* send, void* recv, std::uint64_t given,
                std::uint64_t taken, bool gives, bool takes) {
  const bool in_place = send == MPI_IN_PLACE && takes && !c.inter;
  if (gives && !in_place) check_buffer(send, given, *r.type, "sendbuf");
  if (takes) check_buffer(recv, in_place ? given : taken, *r.type, "recvbuf");
  Vectors v{buffer(c, in_place ? recv : send, given, r), buffer(c, recv, taken, r)};
  if (gives && takes && !in_place) require_distinct(c, send, recv, v.in.bytes());
  return v;
}

/// Returns the digest of the arguments that all ranks must give. All user-defined operations count as two
/// kinds, because their handles have no meaning on other ranks.
std::uint32_t agreed_reduction(const Reduction& r, int root, std::uint64_t bytes) {
  const bool own = !r.op->predefined();
  const auto operation = static_cast<std::uint32_t>(own ? (r.op->commutative ? 30 : 29) : r.op->code);
  return agreed_arguments(root, operation, r.type->only, bytes);
}

int reduce_call(const char* function, const void* send, void* recv, MPI_Count count, MPI_Datatype type,
                MPI_Op operation, int root, MPI_Comm comm, MPI_Request* request) {
  return collective_call(function, Function::Reduce, comm, request, [&](Collective& c, Communicator&) {
    check_count(count);
    check_root(c, root);
    const auto n = static_cast<std::uint64_t>(count);
    Reduction r = reduction(operation, type, n);
    const bool gives = root != MPI_ROOT && root != MPI_PROC_NULL;
    const bool takes = root == (c.inter ? MPI_ROOT : c.local.me);
    const Vectors v = vectors(c, r, send, recv, n, n, gives, takes);
    c.alike = agreed_reduction(r, c.inter ? -1 : root, v.in.bytes());
    c.given = gives ? v.in.bytes() : 0;
    c.got = takes ? v.out.bytes() : 0;
    return reduce_user(c, std::move(r), v.in, v.out, root);
  });
}

int allreduce_call(const char* function, const void* send, void* recv, MPI_Count count, MPI_Datatype type,
                   MPI_Op operation, MPI_Comm comm, MPI_Request* request) {
  return collective_call(function, Function::Allreduce, comm, request, [&](Collective& c, Communicator&) {
    check_count(count);
    const auto n = static_cast<std::uint64_t>(count);
    Reduction r = reduction(operation, type, n);
    const Vectors v = vectors(c, r, send, recv, n, n, true, true);
    c.given = c.got = v.in.bytes();
    c.alike = agreed_reduction(r, -1, c.given);
    return allreduce_user(c, std::move(r), v.in, v.out);
  });
}

template <bool inclusive>
int scan_call(const char* function, const void* send, void* recv, MPI_Count count, MPI_Datatype type,
              MPI_Op operation, MPI_Comm comm, MPI_Request* request) {
  const Function kind = inclusive ? Function::Scan : Function::Exscan;
  return collective_call(function, kind, comm, request, [&](Collective& c, Communicator&) {
    check_count(count);
    require(!c.inter, MPI_ERR_COMM, "a scan needs an intracommunicator");
    const auto n = static_cast<std::uint64_t>(count);
    Reduction r = reduction(operation, type, n);
    const bool takes = inclusive || c.local.me > 0 || send == MPI_IN_PLACE;
    const Vectors v = vectors(c, r, send, recv, n, n, true, takes);
    // Programs that pass one buffer twice fail on all ranks, not on all but rank 0, which would wait for
    // them.
    if (!takes) require_distinct(c, send, recv, v.in.bytes());
    c.given = v.in.bytes();
    c.got = inclusive || c.local.me > 0 ? v.out.bytes() : 0;
    c.alike = agreed_reduction(r, -1, c.given);
    return scan_user(c, std::move(r), v.in, v.out, inclusive);
  });
}

int reduce_scatter_call(const char* function, const void* send, void* recv, Numbers counts, MPI_Count equal,
                        MPI_Datatype type, MPI_Op operation, MPI_Comm comm, MPI_Request* request) {
  const Function kind = counts ? Function::ReduceScatter : Function::ReduceScatterBlock;
  return collective_call(function, kind, comm, request, [&](Collective& c, Communicator&) {
    const int size = c.local.size;
    if (!counts) check_count(equal, "recvcount");
    std::uint64_t all = 0;
    for (int i = 0; i < size && counts; ++i) {
      check_count(counts[i], "recvcounts");
      all = plus(all, counts[i]);
    }
    if (!counts) times(static_cast<std::uint64_t>(equal), static_cast<std::uint64_t>(size));
    Reduction r = reduction(operation, type, counts ? all : static_cast<std::uint64_t>(equal));
    const Shares shares = counts ? Shares(counts, size) : Shares(static_cast<std::uint64_t>(equal));
    const Vectors v = vectors(c, r, send, recv, shares.total(size), shares.count(c.local.me), true, true);
    c.given = v.in.bytes();
    c.got = v.out.bytes();
    c.alike = agreed_reduction(r, -1, c.given);
    return reduce_scatter_user(c, std::move(r), v.in, v.out, shares);
  });
}

/// Reads the counts of MPI_Reduce_scatter, which must not be null.
int reduce_scatter_counts(const char* function, const void* send, void* recv, Numbers counts,
                          MPI_Datatype type, MPI_Op operation, MPI_Comm comm, MPI_Request* request) {
  if (!counts) return raise(function, comm, MPI_ERR_ARG, "recvcounts is a null pointer");
  return reduce_scatter_call(function, send, recv, counts, 0, type, operation, comm, request);
}

int reduce_scatter_block(const char* function, const void* send, void* recv, MPI_Count count,
                         MPI_Datatype type, MPI_Op operation, MPI_Comm comm, MPI_Request* request) {
  return reduce_scatter_call(function, send, recv, nullptr, count, type, operation, comm, request);
}

}  // namespace

PSIM_COLLECTIVE(Reduce, Ireduce, reduce_call,
                (const void* send, void* recv, Number count, MPI_Datatype type, MPI_Op operation, int root),
                send, recv, count, type, operation, root)
PSIM_COLLECTIVE(Allreduce, Iallreduce, allreduce_call,
                (const void* send, void* recv, Number count, MPI_Datatype type, MPI_Op operation), send, recv,
                count, type, operation)
PSIM_COLLECTIVE(Reduce_scatter, Ireduce_scatter, reduce_scatter_counts,
                (const void* send, void* recv, const Number* counts, MPI_Datatype type, MPI_Op operation),
                send, recv, counts, type, operation)
PSIM_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, reduce_scatter_block,
                (const void* send, void* recv, Number count, MPI_Datatype type, MPI_Op operation), send, recv,
                count, type, operation)
PSIM_COLLECTIVE(Scan, Iscan, scan_call<true>,
                (const void* send, void* recv, Number count, MPI_Datatype type, MPI_Op operation), send, recv,
                count, type, operation)
PSIM_COLLECTIVE(Exscan, Iexscan, scan_call<false>,
                (const void* send, void* recv, Number count, MPI_Datatype type, MPI_Op operation), send, recv,
                count, type, operation)

PSIM_MPI_COUNTED_CALL(Reduce_local,
                      (const void* in, void* inout, Number count, MPI_Datatype type, MPI_Op operation),
                      guarded, [&] {
                        check_count(count);
                        const auto n = static_cast<std::uint64_t>(count);
                        const Reduction r = reduction(operation, type, n);
                        const std::uint64_t bytes = times(n, r.size());
                        check_buffer(in, n, *r.type, "inbuf");
                        check_buffer(inout, n, *r.type, "inoutbuf");
                        require(in != inout || in == nullptr || bytes == 0 || size_only(), MPI_ERR_BUFFER,
                                "inbuf and inoutbuf are the same buffer");
                        const Scratch a(bytes), b(bytes);
                        if (size_only()) return;
                        pack(*r.type, n, static_cast<const std::byte*>(in), a.data(), 0, bytes);
                        pack(*r.type, n, static_cast<const std::byte*>(inout), b.data(), 0, bytes);
                        apply(self(), *r.op, *r.type, a.data(), b.data(), n);
                        unpack(*r.type, n, static_cast<std::byte*>(inout), b.data(), 0, bytes);
                      })
PSIM_MPI_CALL(Op_create, (MPI_User_function * function, int commute, MPI_Op* result), guarded, [&] {
  require(function != nullptr, MPI_ERR_ARG);
  out(result) = new_op(function, nullptr, commute != 0);
})
PSIM_MPI_CALL(Op_create_c, (MPI_User_function_c * function, int commute, MPI_Op* result), guarded, [&] {
  require(function != nullptr, MPI_ERR_ARG);
  out(result) = new_op(nullptr, function, commute != 0);
})
PSIM_MPI_CALL(Op_free, (MPI_Op * handle), guarded, [&] {
  free_op(out(handle));
  *handle = MPI_OP_NULL;
})
PSIM_MPI_CALL(Op_commutative, (MPI_Op handle, int* commute), guarded,
              [&] { out(commute) = op(handle).commutative; })
