// SPDX-License-Identifier: Apache-2.0
// Put, get, accumulate and related operations (MPI-3.1 section 11.3).
#include <utility>
#include <vector>

#include "mpi/communicators.h"
#include "mpi/datatype/registry.h"
#include "mpi/op.h"
#include "mpi/protocol.h"
#include "mpi/requests.h"
#include "mpi/window/guard.h"
#include "mpi/window/message.h"
#include "mpi/window/synchronise.h"

using namespace psim::net::mpi;

namespace {

/// A buffer of the origin, as the user gives it.
struct Local {
  const void* address = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_BYTE;
};
/// The same, looked at once.
struct TypedBuffer {
  const void* address;
  std::uint64_t count;
  Datatype& type;
  std::uint64_t bytes() const { return count * type.size; }
};
struct Target {
  int rank;
  MPI_Aint displacement;
  MPI_Count count;
  MPI_Datatype type;
};

/// Fails as the argument is wrong. `l.count` is not negative.
TypedBuffer checked(const Local& l, const char* argument) {
  const TypedBuffer b{l.address, static_cast<std::uint64_t>(l.count),
                      committed(l.type, static_cast<std::uint64_t>(l.count))};
  check_buffer(b.address, b.count, b.type, argument);
  return b;
}

void add(std::vector<std::byte>& message, const void* data, std::uint64_t bytes) {
  const auto* first = static_cast<const std::byte*>(data);
  message.insert(message.end(), first, first + bytes);
}

void add_packed(std::vector<std::byte>& message, const TypedBuffer& b) {
  const std::uint64_t bytes = b.bytes(), at = message.size();
  message.resize(at + bytes);
  if (b.address != nullptr || b.count > 0)
    pack(b.type, b.count, static_cast<const std::byte*>(b.address), message.data() + at, 0, bytes);
}

/// Returns true for the types of compare-and-swap: integers, logicals and bytes (MPI-3.1 section 11.3.4).
bool swappable(Basic basic) {
  switch (basic) {
    case Basic::None:
    case Basic::Float:
    case Basic::Double:
    case Basic::LongDouble:
    case Basic::Quad:
    case Basic::ComplexFloat:
    case Basic::ComplexDouble:
    case Basic::ComplexLongDouble:
    case Basic::ComplexQuad:
      return false;
    default:
      return basic < Basic::IntInt;
  }
}

struct Call {
  WindowOperation operation;
  MPI_Op op = MPI_OP_NULL;
  Local out;     ///< data to send
  Local second;  ///< of compare-and-swap: the new value
  Local result;  ///< buffer for fetched data
  Target target;
};

/// Sends the operation. The request is internal unless the user has one, see nonnull().
int operate(const char* function, MPI_Win handle, const Call& call, MPI_Request* user_request) {
  return window_call(function, handle, [&](Window& w, Rank& me) {
    check_nonnull(user_request);
    const Communicator& comm = communicator(w.comm);
    check_destination(comm, call.target.rank, "target_rank");
    check_count(call.target.count, "target_count");
    check_count(call.out.count, "origin_count");
    const Datatype& type = committed(call.target.type, static_cast<std::uint64_t>(call.target.count));
    if (call.target.rank == MPI_PROC_NULL) {
      if (user_request == nullptr) return;
      *user_request = make_handle(HandleKind::Request, kDoneIndex);
      ++me.done_handles;
      return;
    }
    require(call.target.displacement >= 0, MPI_ERR_DISP, "target_disp is negative");
    check_count(call.result.count, "result_count");
    const TypedBuffer out = checked(call.out, "origin_addr"), second = checked(call.second, "origin_addr");
    const TypedBuffer result =
        checked(call.result, call.operation == WindowOperation::Get ? "origin_addr" : "result_addr");
    if (call.operation == WindowOperation::CompareAndSwap) require(swappable(type.basic), MPI_ERR_TYPE);
    const bool combines =
        call.operation == WindowOperation::Accumulate || call.operation == WindowOperation::GetAccumulate;
    const Op* combination = combines ? &op(call.op) : nullptr;
    if (combines) {
      require(combination->predefined(), MPI_ERR_OP);
      require_defined(*combination, type);
    }
    check_amount(static_cast<std::uint64_t>(call.target.count), type);
    const std::uint64_t room = static_cast<std::uint64_t>(call.target.count) * type.size;
    if (call.operation != WindowOperation::Get) require(out.bytes() <= room, MPI_ERR_TRUNCATE);
    const std::uint32_t target = comm.group().world(static_cast<std::uint32_t>(call.target.rank));
    reach_target(me, w, call.target.rank, target);
    OperationHeader header;
    header.operation = call.operation;
    header.basic = type.basic != Basic::None ? type.basic : type.only;
    header.displacement = call.target.displacement;
    header.count = static_cast<std::uint64_t>(call.target.count);
    header.size = type.size;
    header.extent = type.extent();
    header.segments = static_cast<std::uint32_t>(type.segments.size() * type.copies);
    if (combines) header.op = combination->code;
    const std::uint64_t wire = call.operation == WindowOperation::Get ? 0 : out.bytes() + second.bytes();
    header.carried = carries(header.count * header.size);
    std::vector<std::byte> message;
    add(message, &header, sizeof header);
    for (const Segment s : type.all_segments()) add(message, &s, sizeof s);
    if (header.carried && call.operation != WindowOperation::Get) {
      add_packed(message, out);
      add_packed(message, second);
    }
    const std::uint32_t index = new_request(me, RequestKind::Window);
    Request& r = library->requests[index];
    r.comm = w.comm;
    r.detached = user_request == nullptr;
    r.buffer = static_cast<std::byte*>(const_cast<void*>(result.address));
    r.count = result.count;
    set_type(r, result.type);
    r.bytes = result.bytes();
    ++w.outstanding;
    count_bytes(me, function, call.operation == WindowOperation::Get ? result.bytes() : wire);
    // All operations but get go as data, which keeps accumulates in order (MPI-3.1 section 11.7.1).
    psim::net::rdma::Operation operation;
    operation.source = target;
    operation.destination = me.id;
    operation.bytes = wire;
    operation.by_control = call.operation == WindowOperation::Get;
    operation.context = w.context;
    operation.token = index;
    library->host.send_overhead(library->config.send_overhead);
    library->rdma().engine.perform(me.id, operation, std::move(message));
    if (user_request != nullptr) *user_request = make_handle(HandleKind::Request, index);
  });
}

Call put(const void* origin, MPI_Count count, MPI_Datatype type, const Target& target) {
  return {WindowOperation::Put, MPI_OP_NULL, {origin, count, type}, {}, {}, target};
}
Call get(void* origin, MPI_Count count, MPI_Datatype type, const Target& target) {
  return {WindowOperation::Get, MPI_OP_NULL, {}, {}, {origin, count, type}, target};
}
Call accumulate(const void* origin, MPI_Count count, MPI_Datatype type, const Target& target, MPI_Op op) {
  return {WindowOperation::Accumulate, op, {origin, count, type}, {}, {}, target};
}
/// Ignores the origin's buffer with MPI_NO_OP.
Call get_accumulate(Local origin, const Local& result, const Target& target, MPI_Op op) {
  if (op == MPI_NO_OP) origin = {};
  return {WindowOperation::GetAccumulate, op, origin, {}, result, target};
}

}  // namespace

/// Defines an operation and its form with a request. `parameters` are those before the window.
#define PSIM_OPERATION(name, with_request, parameters, ...)                                      \
  PSIM_MPI_COUNTS(int, name, (PSIM_LIST parameters, MPI_Win win),                                \
                  { return operate(function, win, __VA_ARGS__, nullptr); })                      \
  PSIM_MPI_COUNTS(int, with_request, (PSIM_LIST parameters, MPI_Win win, MPI_Request * request), \
                  { return operate(function, win, __VA_ARGS__, nonnull(request)); })
PSIM_OPERATION(Put, Rput,
               (const void* origin, Number count, MPI_Datatype type, int rank, MPI_Aint displacement,
                Number target_count, MPI_Datatype target_type),
               put(origin, count, type, {rank, displacement, target_count, target_type}))
PSIM_OPERATION(Get, Rget,
               (void* origin, Number count, MPI_Datatype type, int rank, MPI_Aint displacement,
                Number target_count, MPI_Datatype target_type),
               get(origin, count, type, {rank, displacement, target_count, target_type}))
PSIM_OPERATION(Accumulate, Raccumulate,
               (const void* origin, Number count, MPI_Datatype type, int rank, MPI_Aint displacement,
                Number target_count, MPI_Datatype target_type, MPI_Op op),
               accumulate(origin, count, type, {rank, displacement, target_count, target_type}, op))
PSIM_OPERATION(Get_accumulate, Rget_accumulate,
               (const void* origin, Number count, MPI_Datatype type, void* result, Number result_count,
                MPI_Datatype result_type, int rank, MPI_Aint displacement, Number target_count,
                MPI_Datatype target_type, MPI_Op op),
               get_accumulate({origin, count, type}, {result, result_count, result_type},
                              {rank, displacement, target_count, target_type}, op))
PSIM_MPI(int, Fetch_and_op,
         (const void* origin, void* result, MPI_Datatype type, int rank, MPI_Aint displacement, MPI_Op op,
          MPI_Win win)) {
  return operate("MPI_Fetch_and_op", win,
                 get_accumulate({origin, 1, type}, {result, 1, type}, {rank, displacement, 1, type}, op),
                 nullptr);
}
PSIM_MPI(int, Compare_and_swap,
         (const void* origin, const void* compare, void* result, MPI_Datatype type, int rank,
          MPI_Aint displacement, MPI_Win win)) {
  return operate("MPI_Compare_and_swap", win,
                 {WindowOperation::CompareAndSwap,
                  MPI_OP_NULL,
                  {compare, 1, type},
                  {origin, 1, type},
                  {result, 1, type},
                  {rank, displacement, 1, type}},
                 nullptr);
}
