// SPDX-License-Identifier: Apache-2.0
// Partitioned communication (MPI-4.1 chapter 4). Each partition of the sender travels as a message of its own
// once it is ready. A first message, sent by MPI_Psend_init, states the division of the data to the receiver.
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "mpi/api.h"
#include "mpi/collective/buffers.h"
#include "mpi/collective/collective.h"
#include "mpi/collective_events.h"
#include "mpi/communicators.h"
#include "mpi/object/info_handle.h"
#include "mpi/object/run_state.h"
#include "mpi/persistent.h"
#include "mpi/point_to_point.h"
#include "mpi/poll_call.h"
#include "mpi/protocol.h"
#include "mpi/requests.h"

using namespace psim::net::mpi;
using psim::net::PollCall;

namespace {

/// The number of a communicator for these messages, which is even, as those of point-to-point messages are.
std::uint32_t context_of(const Shared& shared) { return shared.context + 6; }

/// The messages of a partition have a tag below those of the program: the sender numbers its partitions.
std::int32_t partition_tag(std::uint32_t number) {
  return -2 - static_cast<std::int32_t>(number & 0x3fffffff);
}

/// The first message, from the sender to the receiver.
struct Division {
  std::uint32_t partitions, first;  ///< `first` is the number of partition 0
  std::uint64_t bytes;              ///< of one partition
};

/// Kept until the end of the run: the numbers of each rank's partitions, and the waits for
/// first messages, which may outlive their requests.
struct Kept {
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::deque<Collective> waits;
};
Kept& kept() {
  static RunState<Kept> all;
  return all.value;
}

Task all_messages(Collective& c) { co_await c.local.done(); }

}  // namespace

namespace psim::net::mpi {

struct Partitioned final : Restart {
  Partitioned(Rank& me, const Transfer& t, bool send, int n, MPI_Count count)
      : rank(me),
        comm(t.handle),
        shared(t.comm.shared),
        type(&t.type),
        buffer(static_cast<std::byte*>(const_cast<void*>(t.buffer))),
        sends(send),
        peer(t.peer),
        tag(t.tag),
        partitions(static_cast<std::uint32_t>(n)),
        elements(static_cast<std::uint64_t>(count)) {}
  ~Partitioned() override {
    if (wait != nullptr) wait->on_message = nullptr;
  }
  Partitioned* partitioned() override { return this; }
  int start(std::uint32_t request) override;

  std::uint64_t bytes() const { return elements * type->size; }
  std::uint64_t all_bytes() const { return partitions * bytes(); }
  Channel channel(Collective& c, std::uint32_t partition) const {
    Channel ch = c.inter ? c.remote : c.local;
    ch.context = context_of(*shared);
    ch.tag = partition_tag(division.first + partition);
    return ch;
  }
  /// Sends a partition, which must be ready for the first time.
  void send(std::uint32_t partition);
  /// Posts a receive for each partition of the sender.
  void receive();
  /// Copies a partition of the sender from `packed`, if that is in use.
  void store(std::uint32_t partition) const;
  /// Returns true if all bytes of one of the receiver's partitions have arrived.
  bool has_arrived(std::uint32_t partition) const;

  Rank& rank;
  MPI_Comm comm;
  Ref<Shared> shared;
  Ref<Datatype> type;
  std::byte* buffer;
  bool sends;
  int peer, tag;
  std::uint32_t partitions;
  std::uint64_t elements;      ///< of one partition
  Division division{};         ///< of the sender; without partitions while it is not known
  Collective* wait = nullptr;  ///< for the division; null once it is known
  Collective* running = nullptr;
  Scratch packed;  ///< all data, of a receive whose elements have holes and may be in several partitions of
                   ///< the sender
  std::vector<bool> done;  ///< ready partitions of the sender, or those of the sender that have arrived
};

}  // namespace psim::net::mpi

namespace {

Partitioned& owner_of(const Collective& c) { return *restart_of(c.request).partitioned(); }

/// Notes which partition has arrived.
void note_arrival(Collective& c, const Request& message) {
  Partitioned& p = owner_of(c);
  const std::uint32_t number = static_cast<std::uint32_t>(-2 - message.tag) - p.division.first;
  p.done[number & 0x3fffffff] = true;
  p.store(number & 0x3fffffff);
}

/// The division is known: a start that waits for it goes on.
void note_division(Collective& c, const Request&) {
  Partitioned& p = owner_of(c);
  p.wait = nullptr;
  if (p.running == nullptr) return;
  p.receive();
  message_done(*p.running, MPI_SUCCESS, psim::Picoseconds{0});
}

int init_partitions(const char* function, bool sends, const Arguments& arguments, int partitions,
                    MPI_Count count, MPI_Info hints, MPI_Request* request) {
  return guarded(function, arguments.comm, [&] {
    Rank& me = self(function);
    MPI_Request& result = out(request);
    check_info(hints);
    check_count(partitions, "partitions");
    check_count(count);
    require(sends || arguments.peer != MPI_ANY_SOURCE, MPI_ERR_RANK, "source is MPI_ANY_SOURCE");
    require(sends || arguments.tag != MPI_ANY_TAG, MPI_ERR_TAG, "tag is MPI_ANY_TAG");
    const Transfer t = sends ? check_send(arguments) : check_receive(arguments);
    auto made = std::make_unique<Partitioned>(me, t, sends, partitions, count);
    Partitioned& p = *made;
    check_buffer(arguments.buffer, times(p.elements, p.partitions), t.type);
    const std::uint32_t index = new_request(me, sends ? RequestKind::Collective : RequestKind::Receive);
    library->requests[index].comm = arguments.comm;
    set_restart(index, std::move(made));
    result = make_handle(HandleKind::Request, index);
    if (p.peer == MPI_PROC_NULL) return;
    const std::uint32_t context = context_of(*p.shared);
    if (sends) {
      std::uint32_t& number = kept().numbers[me.id];
      p.division = {p.partitions, number, p.bytes()};
      number += p.partitions;
      const Route route{.context = context,
                        .rank = static_cast<std::uint32_t>(t.comm.rank),
                        .destination = t.comm.peers().world(static_cast<std::uint32_t>(p.peer)),
                        .tag = p.tag};
      send_own(me, route, reinterpret_cast<const std::byte*>(&p.division), sizeof p.division,
               sizeof p.division);
    } else {
      Collective& wait = kept().waits.emplace_back();
      wait.rank = &me;
      wait.request = index;
      wait.on_message = note_division;
      p.wait = &wait;
      const Channel ch{&wait, &t.comm.peers(), context,
                       p.tag, t.comm.rank,     static_cast<int>(t.comm.peers().size())};
      ch.post_recv(p.peer, &p.division, sizeof p.division);
    }
  });
}

/// Returns the started operation of a request. Fails with MPI_ERR_REQUEST.
Partitioned& partitioned(MPI_Request handle) {
  const std::uint32_t index = handle_index(handle);
  require(is_handle(handle, HandleKind::Request) && !is_done(index) && library->requests.holds(index) &&
              library->requests[index].kind != RequestKind::None,
          MPI_ERR_REQUEST, handle == MPI_REQUEST_NULL ? "MPI_REQUEST_NULL" : "no request has this handle");
  Partitioned* p = library->requests[index].restarts ? restart_of(index).partitioned() : nullptr;
  require(p != nullptr, MPI_ERR_REQUEST, "the request is not of partitioned communication");
  return *p;
}

/// Marks partitions as ready. All arguments are checked before the first message leaves.
template <class PartitionAt>
int ready(const char* function, MPI_Request handle, int n, PartitionAt&& at) {
  return guarded(function, [&] {
    Rank& me = self(function);
    Partitioned& p = partitioned(handle);
    require(p.sends, MPI_ERR_REQUEST, "the request receives");
    require(library->requests[handle_index(handle)].active && p.running != nullptr, MPI_ERR_REQUEST,
            "the request is not started");
    for (int i = 0; i < n; ++i) {
      const int partition = at(i);
      if (partition < 0 || static_cast<std::uint32_t>(partition) >= p.partitions)
        fail_about(MPI_ERR_ARG, "the partition is %d; there are %u", partition, p.partitions);
      require(!p.done[static_cast<std::size_t>(partition)], MPI_ERR_ARG, "the partition is ready already");
    }
    if (!me.deferred.empty()) progress(me);
    for (int i = 0; i < n; ++i) p.send(static_cast<std::uint32_t>(at(i)));
  });
}

}  // namespace

namespace psim::net::mpi {

int Partitioned::start(std::uint32_t request) {
  const char* const function = "MPI_Start";
  return attempt(function, comm, [&] {
    Communicator& c = communicator(comm);
    Restarting again{request, 0, false};
    Collective* started = new_collective(rank, c, Function::Library, &again);
    started->processor.reset();  // MPI_Pready charges for each message, and the end of a receive for itself
    started->task = all_messages(*started);
    started->root = peer;
    Request& r = library->requests[request];
    r.tag = tag;
    if (!sends) {
      r.got_source = peer;
      r.got_tag = peer == MPI_PROC_NULL ? MPI_ANY_TAG : tag;
      started->on_message = note_arrival;
      started->got = peer == MPI_PROC_NULL ? 0 : all_bytes();
    }
    running = started;
    if (sends) {
      started->given = all_bytes();
      done.assign(partitions, false);
      started->pending += partitions;
    } else if (peer != MPI_PROC_NULL) {
      if (wait != nullptr)
        ++started->pending;
      else
        receive();
    }
    mpi::start(*started);
  });
}

void Partitioned::send(std::uint32_t partition) {
  done[partition] = true;
  if (peer != MPI_PROC_NULL) {
    library->host.send_overhead(library->config.send_overhead);
    count_bytes(rank, rank.pending.function, bytes());
    const std::int64_t offset = static_cast<std::int64_t>(partition * elements) * type->extent();
    channel(*running, partition).send_typed(peer, shifted(buffer, offset), elements, *type);
  }
  message_done(*running, MPI_SUCCESS, psim::Picoseconds{0});
}

void Partitioned::receive() {
  done.assign(division.partitions, false);
  const bool whole = type->size == 0 || division.bytes % type->size == 0;
  const bool in_parts = !whole && !type->contiguous;
  packed = in_parts ? Scratch(all_bytes()) : Scratch();
  running->got = division.partitions * division.bytes;
  for (std::uint32_t i = 0; i < division.partitions; ++i) {
    const Channel ch = channel(*running, i);
    const std::uint64_t begin = std::min(i * division.bytes, all_bytes());
    const std::uint64_t room = std::min(division.bytes, all_bytes() - begin);
    if (in_parts) {
      ch.recv(peer, packed.data() != nullptr ? packed.data() + begin : nullptr, room);
    } else if (type->contiguous) {
      ch.recv(peer, shifted(buffer, static_cast<std::int64_t>(begin)), room);
    } else {
      const std::uint64_t first = type->size == 0 ? 0 : begin / type->size;
      const std::uint64_t count = type->size == 0 ? 0 : room / type->size;
      ch.recv_typed(peer, shifted(buffer, static_cast<std::int64_t>(first) * type->extent()), count, *type);
    }
  }
}

void Partitioned::store(std::uint32_t partition) const {
  if (packed.data() == nullptr) return;
  const std::uint64_t begin = std::min(partition * division.bytes, all_bytes());
  const std::uint64_t count = partitions * elements;
  unpack(*type, count, library->memory(rank.id, buffer, *type, count), packed.data() + begin, begin,
         std::min(division.bytes, all_bytes() - begin));
}

bool Partitioned::has_arrived(std::uint32_t partition) const {
  if (wait != nullptr) return false;
  if (bytes() == 0 || division.bytes == 0) return false;  // the end of the request tells
  const std::uint64_t begin = partition * bytes(), end = begin + bytes();
  for (std::uint64_t i = begin / division.bytes; i * division.bytes < end && i < division.partitions; ++i)
    if (!done[i]) return false;
  return true;
}

}  // namespace psim::net::mpi

PSIM_MPI_CALL(Psend_init,
              (const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int dest, int tag,
               MPI_Comm comm, MPI_Info hints, MPI_Request* request),
              init_partitions, true, {buffer, 0, type, dest, tag, comm}, partitions, count, hints, request)
PSIM_MPI_CALL(Precv_init,
              (void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag,
               MPI_Comm comm, MPI_Info hints, MPI_Request* request),
              init_partitions, false, {buffer, 0, type, source, tag, comm}, partitions, count, hints, request)
PSIM_MPI_CALL(Pready, (int partition, MPI_Request request), ready, request, 1, [=](int) { return partition; })
PSIM_MPI_CALL(Pready_range, (int first, int last, MPI_Request request), ready, request,
              last >= first ? last - first + 1 : 0, [=](int i) { return first + i; })
PSIM_MPI(int, Pready_list, (int n, const int* partitions, MPI_Request request)) {
  if (const int error = unobserved("MPI_Pready_list", [&] {
        check_count(n, "length");
        check_array(partitions, n, "array_of_partitions");
        std::vector<int> sorted(partitions, partitions + n);
        std::ranges::sort(sorted);
        require(std::ranges::adjacent_find(sorted) == sorted.end(), MPI_ERR_ARG,
                "array_of_partitions has a partition twice");
      }))
    return error;
  return ready("MPI_Pready_list", request, n, [=](int i) { return partitions[i]; });
}
PSIM_MPI_POLL(Parrived, (MPI_Request handle, int partition, int* flag)) {
  const PollCall from = poll_call(PMPI_Parrived);
  return guarded("MPI_Parrived", [&] {
    Rank& me = self("MPI_Parrived");
    Partitioned& p = partitioned(handle);
    require(!p.sends, MPI_ERR_REQUEST, "the request sends");
    require(partition >= 0 && static_cast<std::uint32_t>(partition) < p.partitions, MPI_ERR_ARG,
            "no partition has this number");
    if (!me.deferred.empty()) progress(me);
    const Request& r = library->requests[handle_index(handle)];
    out(flag) = !r.active || r.complete || p.has_arrived(static_cast<std::uint32_t>(partition));
    if (!*flag) found_nothing(from, flag);
  });
}
