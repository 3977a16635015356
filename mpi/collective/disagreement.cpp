// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/disagreement.h"

#include <algorithm>
#include <cstdlib>

#include "mpi/collective_events.h"
#include "mpi/library.h"
#include "mpi/matching.h"
#include "mpi/object/failure.h"
#include "mpi/protocol.h"
#include "mpi/requests.h"

namespace psim::net::mpi {
namespace {

// From the upper bits: root 12, operation 5, basic type 5, bytes 10. No basic type has the code 31.
constexpr unsigned kRootAt = 20, kOperationAt = 15, kBasicAt = 10;

std::uint32_t folded(std::uint64_t number, unsigned bits) {
  std::uint64_t rest = 0;
  for (; number != 0; number >>= bits) rest ^= number & ((1u << bits) - 1);
  return static_cast<std::uint32_t>(rest);
}

/// Returns the root in a sender's digest; -1 if there is none, or if several roots fold into the same bits.
int sender_root(std::uint32_t alike) {
  if (alike == kFailed || library->host.ranks() >= 4'095) return -1;
  return static_cast<int>(alike >> kRootAt) - 1;
}

const char* difference(std::uint32_t mine, std::uint32_t theirs) {
  const std::uint32_t differ = mine ^ theirs;
  if (theirs == kFailed) return "found that arguments differ between ranks";
  if (differ >> kRootAt != 0) return "gives another root";
  if (differ >> kOperationAt != 0) return "gives another operation";
  if (differ >> kBasicAt != 0) return "gives another datatype";
  return "gives another length";
}

/// Names the sender of a message with this source, which the rank `me` has received.
std::string sender(const Shared& shared, int me, int source) {
  const Group& all = *shared.local[0];
  const int size = static_cast<int>(all.size());
  if (!shared.inter() && source >= size) {
    const Levels& levels = *shared.levels;
    const Group& group =
        source >= 2 * size ? *levels.leaders : *levels.nodes[levels.node[static_cast<std::size_t>(me)]];
    source = all.rank_of(group.world(static_cast<std::uint32_t>(source) - group.base));
  }
  return "rank " + std::to_string(source);
}

std::string bytes(std::uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

}  // namespace

std::uint32_t agreed_arguments(int root, std::uint32_t operation, Basic basic, std::uint64_t bytes) {
  return folded(static_cast<std::uint64_t>(root + 1), 12) << kRootAt | (operation & 31) << kOperationAt |
         (static_cast<std::uint32_t>(basic) & 31) << kBasicAt | folded(bytes, 10);
}

namespace {

/// Removes a message from all queues and discards it.
void discard(Rank& rank, const Envelope& envelope) {
  if (envelope.kind != static_cast<std::uint8_t>(MessageKind::RequestToSend)) return;
  // A receive of no bytes lets the sender complete.
  const std::uint32_t index = new_request(rank, RequestKind::Receive);
  library->requests[index].detached = true;
  take_message(index, envelope, nullptr, 0);
}

/// Completes receives that no message has matched; discards their messages, also later ones.
void stop_waiting(Collective& c) {
  Rank& rank = *c.rank;
  while (const std::uint32_t receive = rank.posted[1].take(
             [&](const PostedQueue::Entry& e) { return library->requests[e.request].notify == &c; })) {
    release(receive);
    --c.pending;
  }
  if (!rank.failed) rank.failed = std::make_unique<std::vector<FailedCollective>>();
  for (const Channel& channel : {c.local, c.remote}) {
    if (channel.collective == nullptr) continue;
    rank.failed->push_back({channel.context, channel.tag});
    while (const std::uint32_t message =
               find_unexpected(rank, channel.context, MPI_ANY_SOURCE, channel.tag, true)) {
      const Unexpected entry = library->unexpected[message];
      library->unexpected.give(message);
      std::free(entry.data);
      discard(rank, entry.envelope);
    }
  }
}

}  // namespace

bool discard_if_failed(Rank& rank, const Envelope& envelope) {
  const FailedCollective one{envelope.context, envelope.tag};
  if (std::ranges::find(*rank.failed, one) == rank.failed->end()) return false;
  discard(rank, envelope);
  return true;
}

void disagree(Collective& c, int error, std::string note) {
  c.alike = kFailed;
  if (c.error != MPI_SUCCESS) return;
  c.error = error;
  c.note = std::make_unique<std::string>(std::move(note));
  if (c.on_message != nullptr) return;  // of partitions all messages arrive
  // The library's own agreement among ranks fails then: members of a communicator, or the open file.
  if (c.function == Function::Library)
    library->host.abort_job(error, "rank " + std::to_string(c.local.me) +
                                       ": the ranks called different functions that make or free "
                                       "communicators, windows or files on one communicator: " +
                                       *c.note);
  stop_waiting(c);
}

void check_block(Collective& c, std::uint64_t given, std::uint64_t taken) {
  if (given == taken) return;
  disagree(c, given > taken ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER,
           "this rank sends blocks of " + bytes(given) + " and receives blocks of " + bytes(taken));
}

namespace {

void other_arguments(Request& r, const Envelope& envelope) {
  disagree(*r.notify, envelope.bytes > r.bytes ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER,
           sender(*r.notify->shared, r.notify->local.me, static_cast<int>(envelope.rank)) + " " +
               difference(r.notify->alike, envelope.receiver));
}

}  // namespace

void check_arguments(Request& r, const Envelope& envelope) {
  if (envelope.receiver != r.notify->alike) [[unlikely]]
    other_arguments(r, envelope);
}

void check_unexpected(Rank& rank, const Envelope& envelope) {
  if (rank.posted[1].empty()) return;
  Request& r = library->requests[rank.posted[1].entries().front().request];
  if (!r.internal || r.context != envelope.context || r.tag != envelope.tag) return;
  Collective& c = *r.notify;
  if (c.alike == envelope.receiver) return;
  other_arguments(r, envelope);
  try_resume(c);
}

void other_length(Request& r, std::uint64_t sent) {
  const bool elements = r.type != nullptr;  // of v and w forms; as in point-to-point, fewer bytes are no
                                            // error
  if (elements && sent < r.bytes) return;
  disagree(*r.notify, sent > r.bytes ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER,
           bytes(sent) + " arrived from " + sender(*r.notify->shared, r.notify->local.me, r.got_source) +
               " where " + bytes(r.bytes) + (elements ? " fit" : " are expected"));
}

namespace {

/// Returns the rank's view of the communicator with this collective context, or null if it has been freed.
const Communicator* communicator_of(const Rank& rank, std::uint32_t context) {
  const auto is_it = [context](const Communicator& comm) {
    return comm.shared &&
           (comm.shared->context == (context & ~1u) ||
            (comm.shared->inter() && comm.shared->local_context + comm.side * 2 == (context & ~1u)));
  };
  if (is_it(rank.world)) return &rank.world;
  if (is_it(rank.self)) return &rank.self;
  for (std::uint32_t i = 1; i <= library->communicators.highest(); ++i) {
    const Communicator& comm = library->communicators[i];
    if (is_it(comm) && comm.group().world(static_cast<std::uint32_t>(comm.rank)) == rank.id) return &comm;
  }
  return nullptr;
}

bool has_root(Function function) {
  switch (function) {
    case Function::Bcast:
    case Function::Gather:
    case Function::Gatherv:
    case Function::Scatter:
    case Function::Scatterv:
    case Function::Reduce:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string unexpected_data(const Rank& rank, bool finished) {
  const std::uint32_t left = rank.unexpected[1].head;
  if (left == 0) return "";
  const Envelope& envelope = library->unexpected[left].envelope;
  const auto function = static_cast<std::size_t>(envelope.tag >> kCountBits);
  const std::string name = function < kFunctions ? kFunctionNames[function] : "a collective";
  const Communicator* comm = communicator_of(rank, envelope.context);
  const auto source = static_cast<int>(envelope.rank);
  const std::string from =
      comm ? sender(*comm->shared, comm->rank, source) : "rank " + std::to_string(source);
  const auto call = static_cast<std::uint16_t>(envelope.tag);
  // Calls are counted modulo 2^16.
  const bool called =
      comm != nullptr && function<kFunctions&& static_cast<std::int16_t>(comm->calls[function] - call)> 0;
  const bool rooted = function < kFunctions && has_root(static_cast<Function>(function));
  if (!finished) {
    // A message of a later step may be early, but not one for a rank that posts no receive in a rooted call.
    const bool receives = std::ranges::any_of(rank.posted[1].entries(), [&](const PostedQueue::Entry& e) {
      return e.context == envelope.context && e.tag == envelope.tag;
    });
    if (!called || !rooted || receives) return "";
  }
  if (!called) return from + " of a communicator called " + name + "; this rank did not";
  std::string text = from + " sent data in call " + std::to_string(call + 1u) + " of " + name +
                     " that this rank does not expect: the ranks gave different ";
  if (!rooted) return text + "arguments";
  text += "roots";
  const int root = sender_root(envelope.receiver);
  return root < 0 ? text : text + " (" + from + " gave root " + std::to_string(root) + ")";
}

void check_all_received(const Rank& rank) {
  if (const std::string text = unexpected_data(rank, true); !text.empty())
    fail_about(MPI_ERR_OTHER, "%s", text.c_str());
}

}  // namespace psim::net::mpi
