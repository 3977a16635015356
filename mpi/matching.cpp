// SPDX-License-Identifier: Apache-2.0
#include "mpi/matching.h"

#include <algorithm>
#include <cstring>

#include "mpi/library.h"

namespace psim::net::mpi {
namespace {

bool fits(std::int32_t source, std::int32_t tag, std::uint32_t context, const Envelope& envelope) {
  return envelope.context == context &&
         (source == static_cast<std::int32_t>(envelope.rank) || source == MPI_ANY_SOURCE) &&
         (tag == envelope.tag || tag == MPI_ANY_TAG);
}

template <class Pool>
void append(Queue& queue, Pool& pool, std::uint32_t index) {
  pool[index].next = 0;
  if (queue.tail != 0)
    pool[queue.tail].next = index;
  else
    queue.head = index;
  queue.tail = index;
  ++queue.length;
}

/// Unlinks and returns the first item for which `wanted` holds, or returns 0.
template <class Pool, class Wanted>
std::uint32_t take_first(Queue& queue, Pool& pool, Wanted wanted) {
  std::uint32_t before = 0;
  for (std::uint32_t i = queue.head; i != 0; before = i, i = pool[i].next) {
    if (!wanted(i)) continue;
    const std::uint32_t after = pool[i].next;
    (before != 0 ? pool[before].next : queue.head) = after;
    if (queue.tail == i) queue.tail = before;
    --queue.length;
    return i;
  }
  return 0;
}

}  // namespace

void post(Rank& rank, std::uint32_t request) {
  Request& r = library->requests[request];
  r.posted = true;
  PostedQueue& queue = rank.posted[r.context & 1];
  queue.append({request, r.context, r.peer, r.tag});
  if (library->config.matching == Matching::Nic) [[unlikely]]
    r.offloaded =
        rank.posted[0].entries().size() + rank.posted[1].entries().size() <= library->config.offload_receives;
  call_counts->longest_posted = std::max<std::uint64_t>(call_counts->longest_posted, queue.entries().size());
}

std::uint32_t take_posted(Rank& rank, const Envelope& envelope) {
  const std::uint32_t found = rank.posted[envelope.context & 1].take(
      [&](const PostedQueue::Entry& e) { return fits(e.source, e.tag, e.context, envelope); });
  if (found == 0) return 0;
  ++call_counts->expected;
  Request& r = library->requests[found];
  r.posted = false;
  call_counts->offloaded += r.offloaded;
  return found;
}

bool unpost(Rank& rank, std::uint32_t request) {
  Request& r = library->requests[request];
  if (!r.posted) return false;
  r.posted = false;
  return rank.posted[r.context & 1].take([=](const PostedQueue::Entry& e) { return e.request == request; }) !=
         0;
}

void keep_unexpected(Rank& rank, const Envelope& envelope, const std::byte* data, std::uint64_t bytes) {
  const std::uint32_t index = library->unexpected.take();
  Unexpected& entry = library->unexpected[index];
  entry.envelope = envelope;
  entry.bytes = bytes;
  if (data != nullptr && bytes > 0) {
    entry.data = memory_for(bytes);
    std::memcpy(entry.data, data, bytes);
  }
  Queue& queue = rank.unexpected[envelope.context & 1];
  append(queue, library->unexpected, index);
  ++call_counts->unexpected;
  call_counts->longest_unexpected = std::max<std::uint64_t>(call_counts->longest_unexpected, queue.length);
}

std::uint32_t find_unexpected(Rank& rank, std::uint32_t context, std::int32_t source, std::int32_t tag,
                              bool take) {
  auto& pool = library->unexpected;
  Queue& queue = rank.unexpected[context & 1];
  const auto wanted = [&](std::uint32_t i) { return fits(source, tag, context, pool[i].envelope); };
  if (take) return take_first(queue, pool, wanted);
  for (std::uint32_t i = queue.head; i != 0; i = pool[i].next)
    if (wanted(i)) return i;
  return 0;
}

namespace {

std::uint32_t take_of(Queue& queue, MessageKind kind, std::uint32_t source_world, std::uint32_t sender) {
  auto& pool = library->unexpected;
  return take_first(queue, pool, [&](std::uint32_t i) {
    const Envelope& e = pool[i].envelope;
    return e.kind == static_cast<std::uint8_t>(kind) && e.sender == sender && index(e.source) == source_world;
  });
}

}  // namespace

std::uint32_t take_eager(Rank& rank, std::uint32_t source_world, std::uint32_t serial) {
  return take_of(rank.unexpected[0], MessageKind::Eager, source_world, serial);
}

std::uint32_t take_request_to_send(Rank& rank, std::uint32_t source_world, std::uint32_t sender) {
  return take_of(rank.unexpected[0], MessageKind::RequestToSend, source_world, sender);
}

}  // namespace psim::net::mpi
