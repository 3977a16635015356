// SPDX-License-Identifier: Apache-2.0
// MPI's collective functions, each with its non-blocking form.
#include <numeric>

#include "ranks/replay/recorder/in_call.h"

using namespace psim::recorder;

namespace {

Recorder& recorder() { return Recorder::get(); }

struct Position {
  int rank = 0, size = 1;  ///< size: of the other group, of an intercommunicator
  bool root(int root) const { return rank == root; }
};

Position position(MPI_Comm comm) {
  Position in;
  int inter = 0;
  PMPI_Comm_rank(comm, &in.rank);
  PMPI_Comm_test_inter(comm, &inter);
  inter ? PMPI_Comm_remote_size(comm, &in.size) : PMPI_Comm_size(comm, &in.size);
  return in;
}

template <class Number>
std::uint64_t sum(const Number* counts, int size, MPI_Datatype type) {
  return bytes_of(std::accumulate(counts, counts + size, MPI_Count{0}), type);
}

template <class Number>
std::uint64_t sum(const Number* counts, int size, const MPI_Datatype* types) {
  std::uint64_t bytes = 0;
  for (int i = 0; i < size; ++i) bytes += bytes_of(counts[i], types[i]);
  return bytes;
}

}  // namespace

extern "C" {

// `given` and `got` are expressions over the arguments and `at`, the rank's position.
#define PSIM_UNPACK(...) __VA_ARGS__
#define PSIM_BLOCKING(name, function, op, root_rank, given, got, parameters, ...)      \
  int MPI_##name(PSIM_UNPACK parameters) {                                             \
    const InCall in(Function::function);                                               \
    [[maybe_unused]] const Position at = position(comm);                               \
    const CollectiveSizes sizes{OTF2_COLLECTIVE_OP_##op, comm, root_rank, given, got}; \
    recorder().collective_begins();                                                    \
    const int result = PSIM_REAL(name)(__VA_ARGS__);                                   \
    if (result == MPI_SUCCESS) recorder().collective_ends(sizes);                      \
    return result;                                                                     \
  }
#define PSIM_NONBLOCKING(name, function, op, root_rank, given, got, parameters, ...)   \
  int MPI_##name(PSIM_UNPACK parameters, MPI_Request* request) {                       \
    const InCall in(Function::function);                                               \
    [[maybe_unused]] const Position at = position(comm);                               \
    const CollectiveSizes sizes{OTF2_COLLECTIVE_OP_##op, comm, root_rank, given, got}; \
    const int result = PSIM_REAL(name)(__VA_ARGS__, request);                          \
    if (result == MPI_SUCCESS) recorder().started_collective(*request, sizes);         \
    return result;                                                                     \
  }
#define PSIM_BOTH(name, iname, ...)             \
  PSIM_COUNTS(PSIM_BLOCKING, name, __VA_ARGS__) \
  PSIM_COUNTS(PSIM_NONBLOCKING, iname, __VA_ARGS__)

PSIM_BLOCKING(Barrier, Barrier, BARRIER, -1, 0, 0, (MPI_Comm comm), comm)
PSIM_NONBLOCKING(Ibarrier, Ibarrier, BARRIER, -1, 0, 0, (MPI_Comm comm), comm)
PSIM_ALSO(Barrier)
PSIM_ALSO(Ibarrier)

PSIM_BOTH(Bcast, Ibcast, BCAST, root, at.root(root) ? bytes_of(count, type) : 0,
          at.root(root) ? 0 : bytes_of(count, type),
          (void* data, Number count, MPI_Datatype type, int root, MPI_Comm comm), data, count, type, root,
          comm)

PSIM_BOTH(Gather, Igather, GATHER, root,
          out == MPI_IN_PLACE ? bytes_of(in_count, in_type) : bytes_of(out_count, out_type),
          at.root(root) ? bytes_of(in_count, in_type) * static_cast<std::uint64_t>(at.size) : 0,
          (const void* out, Number out_count, MPI_Datatype out_type, void* data, Number in_count,
           MPI_Datatype in_type, int root, MPI_Comm comm),
          out, out_count, out_type, data, in_count, in_type, root, comm)

PSIM_BOTH(Gatherv, Igatherv, GATHERV, root,
          out == MPI_IN_PLACE ? bytes_of(in_counts[at.rank], in_type) : bytes_of(out_count, out_type),
          at.root(root) ? sum(in_counts, at.size, in_type) : 0,
          (const void* out, Number out_count, MPI_Datatype out_type, void* data, const Number in_counts[],
           const Place offsets[], MPI_Datatype in_type, int root, MPI_Comm comm),
          out, out_count, out_type, data, in_counts, offsets, in_type, root, comm)

PSIM_BOTH(Scatter, Iscatter, SCATTER, root,
          at.root(root) ? bytes_of(out_count, out_type) * static_cast<std::uint64_t>(at.size) : 0,
          data == MPI_IN_PLACE ? bytes_of(out_count, out_type) : bytes_of(in_count, in_type),
          (const void* out, Number out_count, MPI_Datatype out_type, void* data, Number in_count,
           MPI_Datatype in_type, int root, MPI_Comm comm),
          out, out_count, out_type, data, in_count, in_type, root, comm)

PSIM_BOTH(Scatterv, Iscatterv, SCATTERV, root, at.root(root) ? sum(out_counts, at.size, out_type) : 0,
          data == MPI_IN_PLACE ? bytes_of(out_counts[at.rank], out_type) : bytes_of(in_count, in_type),
          (const void* out, const Number out_counts[], const Place offsets[], MPI_Datatype out_type,
           void* data, Number in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
          out, out_counts, offsets, out_type, data, in_count, in_type, root, comm)

PSIM_BOTH(Allgather, Iallgather, ALLGATHER, -1,
          out == MPI_IN_PLACE ? bytes_of(in_count, in_type) : bytes_of(out_count, out_type),
          bytes_of(in_count, in_type) * static_cast<std::uint64_t>(at.size),
          (const void* out, Number out_count, MPI_Datatype out_type, void* data, Number in_count,
           MPI_Datatype in_type, MPI_Comm comm),
          out, out_count, out_type, data, in_count, in_type, comm)

PSIM_BOTH(Allgatherv, Iallgatherv, ALLGATHERV, -1,
          out == MPI_IN_PLACE ? bytes_of(in_counts[at.rank], in_type) : bytes_of(out_count, out_type),
          sum(in_counts, at.size, in_type),
          (const void* out, Number out_count, MPI_Datatype out_type, void* data, const Number in_counts[],
           const Place offsets[], MPI_Datatype in_type, MPI_Comm comm),
          out, out_count, out_type, data, in_counts, offsets, in_type, comm)

PSIM_BOTH(Alltoall, Ialltoall, ALLTOALL, -1,
          bytes_of(in_count, in_type) * static_cast<std::uint64_t>(at.size),
          bytes_of(in_count, in_type) * static_cast<std::uint64_t>(at.size),
          (const void* out, Number out_count, MPI_Datatype out_type, void* data, Number in_count,
           MPI_Datatype in_type, MPI_Comm comm),
          out, out_count, out_type, data, in_count, in_type, comm)

PSIM_BOTH(Alltoallv, Ialltoallv, ALLTOALLV, -1,
          out == MPI_IN_PLACE ? sum(in_counts, at.size, in_type) : sum(out_counts, at.size, out_type),
          sum(in_counts, at.size, in_type),
          (const void* out, const Number out_counts[], const Place out_offsets[], MPI_Datatype out_type,
           void* data, const Number in_counts[], const Place in_offsets[], MPI_Datatype in_type,
           MPI_Comm comm),
          out, out_counts, out_offsets, out_type, data, in_counts, in_offsets, in_type, comm)

PSIM_BOTH(Alltoallw, Ialltoallw, ALLTOALLW, -1,
          out == MPI_IN_PLACE ? sum(in_counts, at.size, in_types) : sum(out_counts, at.size, out_types),
          sum(in_counts, at.size, in_types),
          (const void* out, const Number out_counts[], const Place out_offsets[],
           const MPI_Datatype out_types[], void* data, const Number in_counts[], const Place in_offsets[],
           const MPI_Datatype in_types[], MPI_Comm comm),
          out, out_counts, out_offsets, out_types, data, in_counts, in_offsets, in_types, comm)

PSIM_BOTH(Allreduce, Iallreduce, ALLREDUCE, -1, bytes_of(count, type), bytes_of(count, type),
          (const void* out, void* data, Number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), out, data,
          count, type, op, comm)

PSIM_BOTH(Reduce, Ireduce, REDUCE, root, bytes_of(count, type), at.root(root) ? bytes_of(count, type) : 0,
          (const void* out, void* data, Number count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
          out, data, count, type, op, root, comm)

PSIM_BOTH(Reduce_scatter, Ireduce_scatter, REDUCE_SCATTER, -1, sum(counts, at.size, type),
          bytes_of(counts[at.rank], type),
          (const void* out, void* data, const Number counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
          out, data, counts, type, op, comm)

PSIM_BOTH(Reduce_scatter_block, Ireduce_scatter_block, REDUCE_SCATTER_BLOCK, -1,
          bytes_of(count, type) * static_cast<std::uint64_t>(at.size), bytes_of(count, type),
          (const void* out, void* data, Number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), out, data,
          count, type, op, comm)

PSIM_BOTH(Scan, Iscan, SCAN, -1, bytes_of(count, type), bytes_of(count, type),
          (const void* out, void* data, Number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), out, data,
          count, type, op, comm)

PSIM_BOTH(Exscan, Iexscan, EXSCAN, -1, bytes_of(count, type), at.rank == 0 ? 0 : bytes_of(count, type),
          (const void* out, void* data, Number count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), out, data,
          count, type, op, comm)

}  // extern "C"
