// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/recorder/recorder.h"

#define OTF2_MPI_USE_PMPI
#include <otf2/OTF2_MPI_Collectives.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>

namespace psim::recorder {
namespace {

constexpr std::uint64_t kTicksASecond = 1'000'000'000;
constexpr std::uint64_t kEventBuffer = 1 << 20, kDefinitionBuffer = 4 << 20;
constexpr OTF2_CommRef kWorld = 0, kSelf = 1, kFirst = 2;

constexpr const char* kNames[] = {
#define PSIM_NAME(name) "MPI_" #name,
    PSIM_RECORDED(PSIM_NAME)
#undef PSIM_NAME
};

std::vector<std::uint64_t> world_ranks(MPI_Group group) {
  int size = 0;
  MPI_Group world;
  PMPI_Group_size(group, &size);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> mine(static_cast<std::size_t>(size)), in_world(mine.size());
  std::iota(mine.begin(), mine.end(), 0);
  PMPI_Group_translate_ranks(group, size, mine.data(), world, in_world.data());
  PMPI_Group_free(&world);
  PMPI_Group_free(&group);
  return {in_world.begin(), in_world.end()};
}

std::vector<std::uint64_t> members_of(MPI_Comm comm) {
  MPI_Group group;
  PMPI_Comm_group(comm, &group);
  return world_ranks(group);
}

std::vector<std::uint64_t> others_of(MPI_Comm comm) {
  MPI_Group group;
  PMPI_Comm_remote_group(comm, &group);
  return world_ranks(group);
}

}  // namespace

Recorder& Recorder::get() {
  static Recorder one;
  return one;
}

void Recorder::check(OTF2_ErrorCode code) const {
  if (code == OTF2_SUCCESS) return;
  std::fprintf(stderr, "psim-otf2: %s: OTF2 reports: %s\n", folder_.c_str(), OTF2_Error_GetDescription(code));
  PMPI_Abort(MPI_COMM_WORLD, 1);
}

std::uint64_t Recorder::now() const {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kTicksASecond + static_cast<std::uint64_t>(time.tv_nsec);
}

void Recorder::begin() {
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  const char* folder = std::getenv("PSIM_OTF2");
  folder_ = folder == nullptr ? "otf2" : folder;
  archive_ = OTF2_Archive_Open(folder_.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventBuffer,
                               kDefinitionBuffer, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (archive_ == nullptr) check(OTF2_ERROR_FILE_INTERACTION);
  static const OTF2_FlushCallbacks flush{
      [](void*, OTF2_FileType, OTF2_LocationRef, void*, bool) -> OTF2_FlushType { return OTF2_FLUSH; },
      nullptr};
  check(OTF2_Archive_SetFlushCallbacks(archive_, &flush, nullptr));
  check(OTF2_MPI_Archive_SetCollectiveCallbacks(archive_, MPI_COMM_WORLD, MPI_COMM_NULL));
  check(OTF2_Archive_SetCreator(archive_, "psim-otf2"));
  check(OTF2_Archive_OpenEvtFiles(archive_));
  events_ = OTF2_Archive_GetEvtWriter(archive_, static_cast<OTF2_LocationRef>(rank_));
  comms_[MPI_COMM_WORLD] = kWorld;
  comms_[MPI_COMM_SELF] = kSelf;
  PMPI_Barrier(MPI_COMM_WORLD);
  begun_ = now();
  recording_ = true;
}

void Recorder::enter(Function function) {
  ++depth_;
  if (listens()) check(OTF2_EvtWriter_Enter(events_, nullptr, now(), static_cast<OTF2_RegionRef>(function)));
}

void Recorder::leave(Function function) {
  if (listens()) check(OTF2_EvtWriter_Leave(events_, nullptr, now(), static_cast<OTF2_RegionRef>(function)));
  --depth_;
}

bool Recorder::reference(MPI_Comm comm, OTF2_CommRef& result) {
  const auto found = comms_.find(comm);
  if (found == comms_.end()) {
    ++unknown_;
    return false;
  }
  result = found->second;
  return true;
}

void Recorder::sent(const Message& message) {
  OTF2_CommRef comm;
  if (!listens() || message.peer == MPI_PROC_NULL || !reference(message.comm, comm)) return;
  check(OTF2_EvtWriter_MpiSend(events_, nullptr, now(), static_cast<std::uint32_t>(message.peer), comm,
                               static_cast<std::uint32_t>(message.tag), message.bytes));
}

void Recorder::received(const Message& message) {
  OTF2_CommRef comm;
  if (!listens() || message.peer == MPI_PROC_NULL || !reference(message.comm, comm)) return;
  check(OTF2_EvtWriter_MpiRecv(events_, nullptr, now(), static_cast<std::uint32_t>(message.peer), comm,
                               static_cast<std::uint32_t>(message.tag), message.bytes));
}

void Recorder::collective_begins() {
  if (listens()) check(OTF2_EvtWriter_MpiCollectiveBegin(events_, nullptr, now()));
}

void Recorder::collective_ends(const CollectiveSizes& sizes) {
  OTF2_CommRef comm;
  if (!listens() || !reference(sizes.comm, comm)) return;
  check(OTF2_EvtWriter_MpiCollectiveEnd(
      events_, nullptr, now(), sizes.op, comm,
      sizes.root < 0 ? OTF2_UNDEFINED_UINT32 : static_cast<std::uint32_t>(sizes.root), sizes.given,
      sizes.got));
}

void Recorder::started_send(MPI_Request request, const Message& message) {
  OTF2_CommRef comm;
  if (!listens() || message.peer == MPI_PROC_NULL || !reference(message.comm, comm)) return;
  const std::uint64_t number = operations_++;
  requests_.emplace(request, Request{Request::Kind::Send, number, false, true, message});
  check(OTF2_EvtWriter_MpiIsend(events_, nullptr, now(), static_cast<std::uint32_t>(message.peer), comm,
                                static_cast<std::uint32_t>(message.tag), message.bytes, number));
}

void Recorder::started_receive(MPI_Request request, MPI_Comm comm) {
  OTF2_CommRef known;
  if (!listens() || !reference(comm, known)) return;
  const std::uint64_t number = operations_++;
  requests_.emplace(request, Request{Request::Kind::Receive, number, false, true, {.comm = comm}});
  check(OTF2_EvtWriter_MpiIrecvRequest(events_, nullptr, now(), number));
}

void Recorder::started_collective(MPI_Request request, const CollectiveSizes& sizes) {
  OTF2_CommRef known;
  if (!listens() || !reference(sizes.comm, known)) return;
  const std::uint64_t number = operations_++;
  requests_.emplace(request, Request{Request::Kind::Collective, number, false, true, {}, sizes});
  check(OTF2_EvtWriter_NonBlockingCollectiveRequest(events_, nullptr, now(), number));
}

void Recorder::prepared(MPI_Request request, bool send, const Message& message) {
  if (!listens() || message.peer == MPI_PROC_NULL) return;
  requests_.emplace(request,
                    Request{send ? Request::Kind::Send : Request::Kind::Receive, 0, true, false, message});
}

void Recorder::started_prepared(MPI_Request request) {
  const auto found = requests_.find(request);
  if (!listens() || found == requests_.end()) return;
  Request& of = found->second;
  OTF2_CommRef comm;
  if (!reference(of.message.comm, comm)) return;
  of.active = true;
  of.number = operations_++;
  if (of.kind == Request::Kind::Send)
    check(OTF2_EvtWriter_MpiIsend(events_, nullptr, now(), static_cast<std::uint32_t>(of.message.peer), comm,
                                  static_cast<std::uint32_t>(of.message.tag), of.message.bytes, of.number));
  else
    check(OTF2_EvtWriter_MpiIrecvRequest(events_, nullptr, now(), of.number));
}

void Recorder::completed(MPI_Request request, MPI_Status* status) {
  const auto found = requests_.find(request);
  if (!listens() || found == requests_.end() || !found->second.active) return;
  const Request of = found->second;
  if (of.persistent)
    found->second.active = false;
  else
    requests_.erase(found);
  int cancelled = 0, bytes = 0;
  PMPI_Test_cancelled(status, &cancelled);
  if (cancelled) {
    check(OTF2_EvtWriter_MpiRequestCancelled(events_, nullptr, now(), of.number));
    return;
  }
  OTF2_CommRef comm = 0;
  switch (of.kind) {
    case Request::Kind::Send:
      check(OTF2_EvtWriter_MpiIsendComplete(events_, nullptr, now(), of.number));
      break;
    case Request::Kind::Receive:
      PMPI_Get_count(status, MPI_BYTE, &bytes);
      if (status->MPI_SOURCE == MPI_PROC_NULL || !reference(of.message.comm, comm)) {
        check(OTF2_EvtWriter_MpiRequestCancelled(events_, nullptr, now(), of.number));
        break;
      }
      check(OTF2_EvtWriter_MpiIrecv(events_, nullptr, now(), static_cast<std::uint32_t>(status->MPI_SOURCE),
                                    comm, static_cast<std::uint32_t>(status->MPI_TAG),
                                    bytes == MPI_UNDEFINED ? 0 : static_cast<std::uint64_t>(bytes),
                                    of.number));
      break;
    case Request::Kind::Collective:
      if (!reference(of.sizes.comm, comm)) break;
      check(OTF2_EvtWriter_NonBlockingCollectiveComplete(
          events_, nullptr, now(), of.sizes.op, comm,
          of.sizes.root < 0 ? OTF2_UNDEFINED_UINT32 : static_cast<std::uint32_t>(of.sizes.root),
          of.sizes.given, of.sizes.got, of.number));
  }
}

void Recorder::freed(MPI_Request request) {
  // An active request completes at some time; no call waits for it.
  if (const auto found = requests_.find(request); found != requests_.end()) requests_.erase(found);
}

void Recorder::made(MPI_Comm comm) {
  if (!listens() || comm == MPI_COMM_NULL) return;
  int inter = 0, mine = 0;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_rank(comm, &mine);
  // Numbered by its first member: the rank in the world, and a counter of that rank.
  static std::uint32_t numbered = 0;
  std::uint32_t number = 0;
  if (mine == 0)
    number = kFirst + numbered++ * static_cast<std::uint32_t>(ranks_) + static_cast<std::uint32_t>(rank_);
  if (inter == 0) {
    PMPI_Bcast(&number, 1, MPI_UINT32_T, 0, comm);
    if (mine == 0) led_.push_back({number, members_of(comm), {}});
  } else {
    // Each side receives the other's number, and then its own; both take the larger.
    const std::uint32_t own = number;
    std::uint32_t theirs = 0, ours = 0;
    PMPI_Allreduce(&number, &theirs, 1, MPI_UINT32_T, MPI_MAX, comm);
    PMPI_Allreduce(&theirs, &ours, 1, MPI_UINT32_T, MPI_MAX, comm);
    number = std::max(ours, theirs);
    if (mine == 0 && own == number) led_.push_back({number, members_of(comm), others_of(comm)});
  }
  comms_[comm] = number;
}

std::vector<Recorder::Communicator> Recorder::gather_communicators() {
  // Number, sizes of both groups, members.
  std::vector<std::uint64_t> mine;
  for (const Communicator& each : led_) {
    mine.insert(mine.end(), {each.reference, each.members.size(), each.others.size()});
    mine.insert(mine.end(), each.members.begin(), each.members.end());
    mine.insert(mine.end(), each.others.begin(), each.others.end());
  }
  const auto count = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<std::size_t>(ranks_)), offsets(counts.size());
  PMPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
  std::vector<std::uint64_t> all(rank_ == 0 ? static_cast<std::size_t>(offsets.back() + counts.back()) : 0);
  PMPI_Gatherv(mine.data(), count, MPI_UINT64_T, all.data(), counts.data(), offsets.data(), MPI_UINT64_T, 0,
               MPI_COMM_WORLD);
  std::vector<Communicator> result;
  for (auto at = all.begin(); at != all.end();) {
    Communicator one{static_cast<OTF2_CommRef>(at[0]), {}, {}};
    const auto members = at + 3, others = members + static_cast<std::ptrdiff_t>(at[1]);
    const auto end = others + static_cast<std::ptrdiff_t>(at[2]);
    one.members.assign(members, others);
    one.others.assign(others, end);
    result.push_back(std::move(one));
    at = end;
  }
  return result;
}

void Recorder::end() {
  if (!recording_) return;
  recording_ = false;
  std::uint64_t mine = 0, unknown = 0;
  check(OTF2_EvtWriter_GetNumberOfEvents(events_, &mine));
  check(OTF2_Archive_CloseEvtWriter(archive_, events_));
  check(OTF2_Archive_CloseEvtFiles(archive_));
  check(OTF2_Archive_OpenDefFiles(archive_));
  check(OTF2_Archive_CloseDefWriter(
      archive_, OTF2_Archive_GetDefWriter(archive_, static_cast<OTF2_LocationRef>(rank_))));
  check(OTF2_Archive_CloseDefFiles(archive_));
  std::vector<std::uint64_t> events(static_cast<std::size_t>(ranks_));
  PMPI_Gather(&mine, 1, MPI_UINT64_T, events.data(), 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  PMPI_Reduce(&unknown_, &unknown, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  define(events);
  check(OTF2_Archive_Close(archive_));
  if (rank_ == 0 && unknown != 0)
    std::fprintf(stderr,
                 "psim-otf2: %llu operations on communicators made by unsupported functions "
                 "(MPI_Comm_idup, MPI_Comm_accept, …) are left out\n",
                 static_cast<unsigned long long>(unknown));
}

/// Writes the definitions: collective, rank 0 writes.
void Recorder::define(const std::vector<std::uint64_t>& events) {
  const std::uint64_t last = now();
  const std::vector<Communicator> communicators = gather_communicators();
  if (rank_ != 0) return;
  OTF2_GlobalDefWriter* out = OTF2_Archive_GetGlobalDefWriter(archive_);
  OTF2_StringRef strings = 0;
  const auto text = [&](const std::string& value) {
    check(OTF2_GlobalDefWriter_WriteString(out, strings, value.c_str()));
    return strings++;
  };
  // Ranks of other hosts have clocks of their own; only differences on one rank are meaningful.
  check(OTF2_GlobalDefWriter_WriteClockProperties(out, kTicksASecond, begun_, last - begun_ + 1,
                                                  OTF2_UNDEFINED_TIMESTAMP));
  const OTF2_StringRef none = text("");
  check(OTF2_GlobalDefWriter_WriteSystemTreeNode(out, 0, text("machine"), text("machine"),
                                                 OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  for (std::uint32_t rank = 0; rank < events.size(); ++rank) {
    const OTF2_StringRef name = text("MPI Rank " + std::to_string(rank));
    check(OTF2_GlobalDefWriter_WriteLocationGroup(out, rank, name, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                  OTF2_UNDEFINED_LOCATION_GROUP));
    check(OTF2_GlobalDefWriter_WriteLocation(out, rank, name, OTF2_LOCATION_TYPE_CPU_THREAD, events[rank],
                                             rank));
  }
  for (std::uint32_t i = 0; i < std::size(kNames); ++i) {
    const OTF2_StringRef name = text(kNames[i]);
    check(OTF2_GlobalDefWriter_WriteRegion(out, i, name, name, none, OTF2_REGION_ROLE_FUNCTION,
                                           OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, none, 0, 0));
  }
  OTF2_GroupRef groups = 0;
  const auto group = [&](OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
    check(OTF2_GlobalDefWriter_WriteGroup(out, groups, none, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                          static_cast<std::uint32_t>(members.size()), members.data()));
    return groups++;
  };
  std::vector<std::uint64_t> all(events.size());
  std::iota(all.begin(), all.end(), 0u);
  group(OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
  const auto comm = [&](OTF2_CommRef number, const char* name, OTF2_GroupRef of) {
    check(OTF2_GlobalDefWriter_WriteComm(out, number, text(name), of, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE));
  };
  comm(kWorld, "MPI_COMM_WORLD", group(OTF2_GROUP_TYPE_COMM_GROUP, all));
  comm(kSelf, "MPI_COMM_SELF", group(OTF2_GROUP_TYPE_COMM_SELF, {}));
  for (const Communicator& each : communicators) {
    const OTF2_GroupRef members = group(OTF2_GROUP_TYPE_COMM_GROUP, each.members);
    if (each.others.empty())
      comm(each.reference, "", members);
    else
      check(OTF2_GlobalDefWriter_WriteInterComm(out, each.reference, none, members,
                                                group(OTF2_GROUP_TYPE_COMM_GROUP, each.others),
                                                OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
  }
}

}  // namespace psim::recorder
