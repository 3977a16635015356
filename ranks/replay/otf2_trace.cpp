// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/otf2_trace.h"

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "ranks/replay/collective_sizes.h"
#include "ranks/replay/otf2_definitions.h"

namespace psim {
namespace {

using net::replay::Collective;
using OperationKind = net::replay::Kind;
using net::replay::Operation;
using net::replay::RankTrace;
using net::replay::Trace;

/// The state that all ranks' events share.
struct OpenArchive {
  const Otf2Definitions& definitions;
  Trace& trace;
  struct Communicator {
    const Otf2Definitions::Communicator* defined;
    std::uint32_t number;  ///< in the trace; not of MPI_COMM_SELFs
  };
  std::unordered_map<OTF2_CommRef, Communicator> communicators;
  std::uint64_t one_sided = 0, odd_collectives = 0, never_matched = 0;
  std::optional<net::replay::CollectiveSizes> collectives;
};

/// Turns the events of one rank into operations.
class RankEvents {
 public:
  RankEvents(OpenArchive& archive, std::uint32_t rank)
      : archive_(archive), rank_(rank), out_(archive.trace.ranks[rank]) {
    counting_ = !archive.definitions.has_init();
  }

  void enter(std::uint64_t time, OTF2_RegionRef region) {
    if (!archive_.definitions.is_mpi(region)) return outside(time);
    if (depth_++ == 0) compute_until(time);
  }

  void leave(std::uint64_t time, OTF2_RegionRef region) {
    if (!archive_.definitions.is_mpi(region) || depth_ == 0) return outside(time);
    if (archive_.definitions.is_init(region)) counting_ = true;
    if (--depth_ != 0) return;
    for (const std::uint32_t request : blocking_) wait(request);
    blocking_.clear();
    last_ = time;
  }

  void send(std::uint64_t time, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
            std::uint64_t bytes) {
    outside(time);
    const std::uint32_t request = message(OperationKind::Send, peer, comm, tag, bytes);
    // A blocking send may be half of an MPI_Sendrecv: it ends with the call.
    depth_ == 0 ? wait(request) : blocking_.push_back(request);
  }
  void start_send(std::uint64_t time, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                  std::uint64_t bytes, std::uint64_t id) {
    outside(time);
    pending_[id] = {out_.operations.size(), message(OperationKind::Send, peer, comm, tag, bytes)};
  }
  void receive(std::uint64_t time, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
               std::uint64_t bytes) {
    outside(time);
    wait(message(OperationKind::Receive, peer, comm, tag, bytes));
  }
  /// Adds a receive or a collective; its data are known at its end.
  void start(std::uint64_t time, std::uint64_t id) {
    outside(time);
    pending_[id] = {out_.operations.size(), numbers_.take(out_)};
    out_.operations.push_back({});
  }
  void finish_send(std::uint64_t time, std::uint64_t id) {
    outside(time);
    if (const auto pending = take(id)) wait(pending->request);
  }
  void finish_receive(std::uint64_t time, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                      std::uint64_t bytes, std::uint64_t id) {
    outside(time);
    const auto pending = take(id);
    if (!pending) return;
    describe(out_.operations[pending->operation], OperationKind::Receive, peer, comm, tag, bytes,
             pending->request);
    wait(pending->request);
  }
  void cancel(std::uint64_t time, std::uint64_t id) {
    outside(time);
    if (const auto pending = take(id))
      numbers_.give_back(pending->request);  // a receive: its place stays empty
  }
  void collective(std::uint64_t time, OTF2_CollectiveOp op, OTF2_CommRef comm, std::uint32_t root,
                  std::uint64_t sent, std::uint64_t received) {
    outside(time);
    const auto known = replayed(op, comm);
    if (!known) return;
    out_.operations.push_back({.communicator = communicator(comm).number, .kind = OperationKind::Collective});
    archive_.collectives->add(rank_, out_.operations.size() - 1, *known, root, sent, received);
  }
  void finish_collective(std::uint64_t time, OTF2_CollectiveOp op, OTF2_CommRef comm, std::uint32_t root,
                         std::uint64_t sent, std::uint64_t received, std::uint64_t id) {
    outside(time);
    const auto pending = take(id);
    const auto known = pending ? replayed(op, comm) : std::nullopt;
    if (!known) return;
    out_.operations[pending->operation] = {
        .communicator = communicator(comm).number, .request = pending->request, .kind = OperationKind::Start};
    archive_.collectives->add(rank_, pending->operation, *known, root, sent, received);
    wait(pending->request);
  }
  void one_sided() { ++archive_.one_sided; }

  void end() { archive_.never_matched += pending_.size(); }

 private:
  struct Pending {
    std::uint64_t operation;
    std::uint32_t request;
  };

  /// Handles an event outside MPI's functions, as in archives without functions.
  void outside(std::uint64_t time) {
    if (depth_ == 0) compute_until(time);
  }
  void compute_until(std::uint64_t time) {
    if (counting_ && begun_ && time > last_)
      out_.operations.push_back(
          {.amount = archive_.definitions.picoseconds(time - last_), .kind = OperationKind::Compute});
    begun_ = true;
    last_ = time;
  }

  void wait(std::uint32_t request) {
    out_.operations.push_back({.request = request, .kind = OperationKind::Wait});
    numbers_.give_back(request);
  }
  std::optional<Pending> take(std::uint64_t id) {
    const auto found = pending_.find(id);
    if (found == pending_.end()) return std::nullopt;  // begun before the recording
    const Pending pending = found->second;
    pending_.erase(found);
    return pending;
  }

  const OpenArchive::Communicator& communicator(OTF2_CommRef comm) const {
    const auto found = archive_.communicators.find(comm);
    if (found == archive_.communicators.end()) fail(fmt::format("communicator {} is not defined", comm));
    return found->second;
  }
  /// Returns the collective to be replayed, if any. A collective of one rank alone moves no data.
  std::optional<Collective> replayed(OTF2_CollectiveOp op, OTF2_CommRef comm) {
    const auto& of = *communicator(comm).defined;
    if (of.alone) return {};
    const auto known = of.first_group == 0 ? collective_of(op) : std::nullopt;
    archive_.odd_collectives += !known;
    return known;
  }

  std::uint32_t message(OperationKind kind, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                        std::uint64_t bytes) {
    const std::uint32_t request = numbers_.take(out_);
    out_.operations.emplace_back();
    describe(out_.operations.back(), kind, peer, comm, tag, bytes, request);
    return request;
  }
  void describe(Operation& operation, OperationKind kind, std::uint32_t peer, OTF2_CommRef comm,
                std::uint32_t tag, std::uint64_t bytes, std::uint32_t request) const {
    constexpr std::uint32_t kMostTag = 0x7fffffff;
    if (tag > kMostTag) fail(fmt::format("tag {}; expected at most {}", tag, kMostTag));
    if (bytes > Trace::kMostBytes)
      fail(fmt::format("a message of {} bytes; expected at most {}", bytes, Trace::kMostBytes));
    operation = {.amount = bytes, .tag = static_cast<std::int32_t>(tag), .request = request, .kind = kind};
    const OpenArchive::Communicator& known = communicator(comm);
    const Otf2Definitions::Communicator& of = *known.defined;
    if (of.alone) {
      operation.peer = rank_;  // to itself, whatever the communicator
      return;
    }
    operation.communicator = known.number;
    // An intercommunicator is replayed as one of both groups.
    const bool to_second = of.first_group != 0 &&
                           std::count(of.members.begin(), of.members.begin() + of.first_group, rank_) != 0;
    operation.peer = peer + (to_second ? of.first_group : 0);
    if (operation.peer >= of.members.size())
      fail(fmt::format("rank {} of a communicator of {}", operation.peer, of.members.size()));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw UserError(fmt::format("{}: rank {}: {}", archive_.trace.name, rank_, what));
  }

  OpenArchive& archive_;
  std::uint32_t rank_;
  RankTrace& out_;
  std::unordered_map<std::uint64_t, Pending> pending_;  ///< by the archive's numbers of requests
  net::replay::RequestNumbers numbers_;
  std::vector<std::uint32_t> blocking_;
  std::uint64_t last_ = 0;
  unsigned depth_ = 0;
  bool counting_ = false, begun_ = false;
};

/// A location being read. Exceptions must not pass through OTF2, which is C code.
struct Reading {
  RankEvents events;
  std::exception_ptr failure;
};

/// Returns the callback that calls `handle` with the location's events, the time and the event's values.
template <auto handle, class... Fields>
OTF2_CallbackCode call(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* self, OTF2_AttributeList*,
                       Fields... fields) {
  auto& reading = *static_cast<Reading*>(self);
  try {
    (reading.events.*handle)(time, fields...);
    return OTF2_CALLBACK_SUCCESS;
  } catch (...) {
    reading.failure = std::current_exception();
    return OTF2_CALLBACK_INTERRUPT;
  }
}

/// Returns the callback for an operation that is only counted.
template <class... Fields>
OTF2_CallbackCode count_one_sided(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* self,
                                  OTF2_AttributeList*, Fields...) {
  static_cast<Reading*>(self)->events.one_sided();
  return OTF2_CALLBACK_SUCCESS;
}

using Callbacks = std::unique_ptr<OTF2_EvtReaderCallbacks, void (*)(OTF2_EvtReaderCallbacks*)>;

Callbacks make_callbacks() {
  using Comm = OTF2_CommRef;
  using Op = OTF2_CollectiveOp;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  Callbacks made(OTF2_EvtReaderCallbacks_New(), OTF2_EvtReaderCallbacks_Delete);
  OTF2_EvtReaderCallbacks* all = made.get();
  OTF2_EvtReaderCallbacks_SetEnterCallback(all, call<&RankEvents::enter, OTF2_RegionRef>);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(all, call<&RankEvents::leave, OTF2_RegionRef>);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(all, call<&RankEvents::send, U32, Comm, U32, U64>);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(all, call<&RankEvents::start_send, U32, Comm, U32, U64, U64>);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(all, call<&RankEvents::finish_send, U64>);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(all, call<&RankEvents::receive, U32, Comm, U32, U64>);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(all, call<&RankEvents::start, U64>);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(all,
                                              call<&RankEvents::finish_receive, U32, Comm, U32, U64, U64>);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(all, call<&RankEvents::cancel, U64>);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(all,
                                                      call<&RankEvents::collective, Op, Comm, U32, U64, U64>);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(all, call<&RankEvents::start, U64>);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
      all, call<&RankEvents::finish_collective, Op, Comm, U32, U64, U64, U64>);
  OTF2_EvtReaderCallbacks_SetRmaPutCallback(all, count_one_sided<OTF2_RmaWinRef, U32, U64, U64>);
  OTF2_EvtReaderCallbacks_SetRmaGetCallback(all, count_one_sided<OTF2_RmaWinRef, U32, U64, U64>);
  OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(
      all, count_one_sided<OTF2_RmaWinRef, U32, OTF2_RmaAtomicType, U64, U64, U64>);
  return made;
}

using Reader = std::unique_ptr<OTF2_Reader, OTF2_ErrorCode (*)(OTF2_Reader*)>;

/// Reads the local definitions, by which OTF2 maps a location's numbers to global ones.
void read_local_definitions(OTF2_Reader* reader, const std::vector<OTF2_LocationRef>& locations,
                            const std::string& name) {
  if (OTF2_Reader_OpenDefFiles(reader) != OTF2_SUCCESS) return;  // they are optional
  for (const OTF2_LocationRef location : locations) {
    OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader, location);
    if (definitions == nullptr) continue;
    std::uint64_t count = 0;
    check_otf2(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &count), name);
    check_otf2(OTF2_Reader_CloseDefReader(reader, definitions), name);
  }
  check_otf2(OTF2_Reader_CloseDefFiles(reader), name);
}

void read_events(OTF2_Reader* reader, OpenArchive& archive) {
  const std::string& name = archive.trace.name;
  const Callbacks callbacks = make_callbacks();
  check_otf2(OTF2_Reader_OpenEvtFiles(reader), name);
  const auto& locations = archive.definitions.locations();
  for (std::uint32_t rank = 0; rank < locations.size(); ++rank) {
    OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, locations[rank]);
    if (events == nullptr)
      throw UserError(fmt::format("{}: the events of rank {} cannot be read", name, rank));
    Reading reading{RankEvents(archive, rank), nullptr};
    check_otf2(OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks.get(), &reading), name);
    std::uint64_t count = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalEvents(reader, events, &count);
    if (reading.failure) std::rethrow_exception(reading.failure);
    check_otf2(code, fmt::format("{}: rank {}", name, rank));
    check_otf2(OTF2_Reader_CloseEvtReader(reader, events), name);
    reading.events.end();
  }
  check_otf2(OTF2_Reader_CloseEvtFiles(reader), name);
}

/// Numbers all communicators; the first one with all ranks gets the world's number.
void take_communicators(OpenArchive& archive) {
  auto& taken = archive.trace.communicators;
  const auto& all = archive.definitions.communicators();
  const auto size = static_cast<std::uint32_t>(archive.trace.ranks.size());
  taken.resize(1);
  taken[0].resize(size);
  std::iota(taken[0].begin(), taken[0].end(), 0u);
  bool world = false;
  for (const Otf2Definitions::Communicator& each : all) {
    std::uint32_t number = 0;
    if (!each.alone && (world || each.members != taken[0])) {
      number = static_cast<std::uint32_t>(taken.size());
      taken.push_back(each.members);
    } else if (!each.alone) {
      world = true;
    }
    archive.communicators[each.reference] = {&each, number};
  }
}

void report_left_out(const OpenArchive& archive, std::vector<std::string>& lines) {
  if (archive.one_sided != 0)
    lines.push_back(fmt::format("{} one-sided operations are not replayed", archive.one_sided));
  if (archive.odd_collectives != 0)
    lines.push_back(
        fmt::format("{} parts of collectives on intercommunicators, windows or files are not replayed",
                    archive.odd_collectives));
  if (archive.never_matched != 0)
    lines.push_back(
        fmt::format("{} operations were begun and, in the archive, not ended: they are not waited for",
                    archive.never_matched));
}

}  // namespace

Trace read_otf2(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const std::string anchor =
      fs::is_directory(path, ignored) ? (fs::path(path) / "traces.otf2").string() : path;
  if (!fs::is_regular_file(anchor, ignored)) throw UserError(fmt::format("{}: no such OTF2 archive", anchor));
  OTF2_Error_RegisterCallback(silent_otf2, nullptr);
  const Reader reader(OTF2_Reader_Open(anchor.c_str()), OTF2_Reader_Close);
  if (!reader) throw UserError(fmt::format("{}: not an OTF2 archive", anchor));
  check_otf2(OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()), anchor);
  const Otf2Definitions definitions(reader.get(), anchor);
  for (const OTF2_LocationRef location : definitions.locations())
    check_otf2(OTF2_Reader_SelectLocation(reader.get(), location), anchor);
  Trace trace;
  trace.name = anchor;
  trace.ranks.resize(definitions.locations().size());
  read_local_definitions(reader.get(), definitions.locations(), anchor);
  // Communicators first: collectives are stored by communicator.
  OpenArchive archive{definitions, trace, {}, 0, 0, 0, {}};
  take_communicators(archive);
  archive.collectives.emplace(trace, definitions.is_score_p());
  read_events(reader.get(), archive);
  archive.collectives->finish();
  report_left_out(archive, trace.left_out);
  return trace;
}

}  // namespace psim
