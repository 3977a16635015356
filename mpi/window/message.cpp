// SPDX-License-Identifier: Apache-2.0
#include "mpi/window/message.h"

#include <cstring>
#include <vector>

#include "mpi/op.h"
#include "mpi/protocol.h"
#include "mpi/requests.h"

namespace psim::net::mpi {
namespace {

constexpr int kNoOp = 14;  // code of MPI_NO_OP

/// Makes the target's type from the segments of the message.
void read_type(Datatype& type, const OperationHeader& header, const std::byte* segments) {
  type.size = header.size;
  type.ub = header.extent;
  type.basic = type.only = header.basic;
  type.segments.resize(header.segments);
  std::memcpy(type.segments.data(), segments, header.segments * sizeof(Segment));
  type.contiguous = without_holes(type);
  find_pieces(type);
  for (const Segment& s : type.segments) {
    const std::ptrdiff_t reach = static_cast<std::ptrdiff_t>(s.repeats - 1) * s.stride;
    type.true_lb = std::min(type.true_lb, s.offset + std::min<std::ptrdiff_t>(0, reach));
    type.true_ub = std::max(type.true_ub, s.offset + std::max<std::ptrdiff_t>(0, reach) +
                                              static_cast<std::ptrdiff_t>(s.run_bytes()));
  }
}

void check_range(const Rank& rank, const Window& w, const Datatype& type, const OperationHeader& header) {
  if (w.flavor == MPI_WIN_FLAVOR_DYNAMIC || header.count == 0) return;
  std::int64_t low = 0, high = 0;
  for (const Segment& s : type.segments) {
    const std::int64_t reach = static_cast<std::int64_t>(s.repeats - 1) * s.stride;
    low = std::min(low, s.offset + std::min<std::int64_t>(0, reach));
    high = std::max(high,
                    s.offset + std::max<std::int64_t>(0, reach) + static_cast<std::int64_t>(s.run_bytes()));
  }
  const std::int64_t first = header.displacement * w.unit;
  const std::int64_t last = first + static_cast<std::int64_t>(header.count - 1) * header.extent + high;
  if (first + low >= 0 && last <= w.size) return;
  library->host.abort_job(MPI_ERR_RMA_RANGE,
                          "a one-sided operation accesses memory outside the window of rank " +
                              std::to_string(rank.id) + ": bytes " + std::to_string(first + low) + " … " +
                              std::to_string(last) + " of " + std::to_string(w.size));
}

/// Stores the old value packed in `fetched`, then origin ∘ old as the new value. The origin sent `sent`
/// bytes, perhaps fewer than the target's type has.
void operate(Rank& rank, const OperationHeader& header, Datatype& type, std::byte* target,
             const std::byte* data, std::uint64_t sent, std::byte* fetched, std::uint64_t bytes) {
  if (header.operation == WindowOperation::Put) {
    unpack(type, header.count, target, data, 0, std::min(sent, bytes));
    return;
  }
  if (fetched != nullptr) pack(type, header.count, target, fetched, 0, bytes);
  if (header.operation == WindowOperation::Get || header.op == kNoOp) return;
  const bool swaps = header.operation == WindowOperation::CompareAndSwap;
  Op op;
  op.code = header.op;
  const std::uint64_t combined = std::min(sent, bytes) / type.size;
  if (type.contiguous && !swaps) return apply(rank, op, type, data, target, combined);
  std::vector<std::byte> work(bytes);
  pack(type, header.count, target, work.data(), 0, bytes);
  if (swaps) {  // data: expected value, then new value
    if (std::memcmp(work.data(), data, bytes) == 0)
      unpack(type, header.count, target, data + bytes, 0, bytes);
    return;
  }
  apply(rank, op, type, data, work.data(), combined);
  unpack(type, header.count, target, work.data(), 0, bytes);
}

void grant_waiting(const Rank& rank, Window& w) {
  while (!w.queue.empty()) {
    const LockRequest next = w.queue.front();
    if (w.exclusive || (next.exclusive && w.holders > 0)) return;
    w.queue.pop_front();
    w.exclusive = next.exclusive;
    ++w.holders;
    send_window(rank.id, next.origin, w.context, WindowMessage::Grant);
  }
}

}  // namespace

rdma::Answer Rdma::perform(const Envelope& envelope, const std::byte* message, std::uint64_t length) {
  OperationHeader header;
  std::memcpy(&header, message, sizeof header);
  Rank& rank = library->ranks[index(envelope.destination)];
  Window* w = window_of(rank.id, envelope.context);
  const std::byte* segments = message + sizeof header;
  Datatype type;
  read_type(type, header, segments);
  const bool fetches =
      header.operation != WindowOperation::Put && header.operation != WindowOperation::Accumulate;
  const std::uint64_t bytes = header.count * header.size;
  rdma::Answer answer;
  if (fetches) answer.bytes = bytes;
  if (!header.carried || bytes == 0) return answer;
  check_range(rank, *w, type, header);
  std::byte* target =
      reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(w->base) + header.displacement * w->unit);
  const std::uint64_t lead = header.segments * sizeof(Segment);
  if (fetches) answer.data.resize(bytes);
  operate(rank, header, type, library->memory(rank.id, target, type, header.count), segments + lead,
          length - sizeof header - lead, fetches ? answer.data.data() : nullptr, bytes);
  return answer;
}

void Rdma::replied(std::uint32_t request, const Envelope& envelope, const std::byte* data,
                   std::uint64_t bytes) {
  Request& r = library->requests[request];
  Rank& rank = library->ranks[r.owner];
  if (Window* w = window_of(r.owner, envelope.context)) --w->outstanding;
  receive_into(r, envelope.bytes, data, bytes);
  r.error = MPI_SUCCESS;
  complete(request);
  window_event(rank);
}

void send_window(std::uint32_t source, std::uint32_t destination, std::uint32_t context, WindowMessage kind,
                 std::uint32_t sender, std::uint32_t receiver, std::int32_t tag) {
  Envelope envelope;
  envelope.source = RankId{source};
  envelope.destination = RankId{destination};
  envelope.context = context;
  envelope.tag = tag;
  envelope.sender = sender;
  envelope.receiver = receiver;
  envelope.kind = static_cast<std::uint8_t>(MessageKind::Window);
  envelope.flags = static_cast<std::uint8_t>(kind);
  library->host.send_control(envelope, library->config.rdma.control.count, nullptr, 0);
}

void window_event(Rank& rank) {
  if (!rank.watching) return;
  rank.waiting = 0;
  wake(rank);
}

void window_message(const Envelope& envelope) {
  Rank& rank = library->ranks[index(envelope.destination)];
  Window* found = window_of(rank.id, envelope.context);
  if (found == nullptr) return;  // the window was freed while an unlock was under way
  Window& w = *found;
  switch (static_cast<WindowMessage>(envelope.flags)) {
    case WindowMessage::Lock:
      w.queue.push_back({index(envelope.source), envelope.tag == 1});
      grant_waiting(rank, w);
      return;
    case WindowMessage::Unlock:
      if (--w.holders == 0) w.exclusive = false;
      grant_waiting(rank, w);
      break;
    case WindowMessage::Grant:
      ++w.granted;
      break;
    case WindowMessage::Post:
      w.posts.push_back(index(envelope.source));
      break;
    case WindowMessage::Complete:
      ++w.completes;
      break;
  }
  window_event(rank);
}

}  // namespace psim::net::mpi
