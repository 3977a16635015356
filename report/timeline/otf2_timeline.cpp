// SPDX-License-Identifier: Apache-2.0
// An OTF2 archive. Each rank is a location, counted over all jobs and named by its job, on its node. Each
// function is a region; messages have MPI's point-to-point and collective records. Time is in ticks of a
// picosecond. The archive is written under a temporary name and renamed.
#include <fcntl.h>
#include <fmt/format.h>
#include <otf2/otf2.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "base/abandoned.h"
#include "base/error.h"
#include "base/result_document.h"
#include "netsim/message/envelope.h"
#include "ranks/replay/otf2_definitions.h"
#include "report/timeline/otf2_functions.h"
#include "report/timeline/timeline_file.h"

namespace psim {
namespace {

using net::CallNote;
using net::LogEvent;
using NoteKind = CallNote::Kind;
namespace fs = std::filesystem;

void check(OTF2_ErrorCode code) {
  if (code != OTF2_SUCCESS)
    throw UserError(fmt::format("--timeline: OTF2 says: {}", OTF2_Error_GetDescription(code)));
}

/// Operations that begin in one call and end in another, which have requests of their own in the archive.
class Apart {
 public:
  void add(const LogEvent& event) {
    if (event.kind == LogEvent::Kind::Enter) ++call_;
    if (event.kind != LogEvent::Kind::Note) return;
    const CallNote& note = event.note;
    if (note.kind == NoteKind::Send) begin(sends_, note.serial);
    if (note.kind == NoteKind::SendDone) end(sends_, note.serial);
    if (note.kind == NoteKind::Post) begin(receives_, note.number);
    if (note.kind == NoteKind::Receive) end(receives_, note.number);
  }
  // A receive that never ends was posted apart; a send that no call ended completed at once.
  bool send(std::uint32_t serial) const { return apart(sends_, serial, false); }
  bool receive(std::uint32_t number) const { return number != 0 && apart(receives_, number, true); }

 private:
  struct Span {
    std::uint64_t begin = 0, end = 0;  ///< calls
  };
  using Spans = std::vector<Span>;
  static Span& at(Spans& spans, std::uint32_t number) {
    if (spans.size() <= number) spans.resize(number + 1);
    return spans[number];
  }
  void begin(Spans& spans, std::uint32_t number) { at(spans, number).begin = call_; }
  void end(Spans& spans, std::uint32_t number) { at(spans, number).end = call_; }
  static bool apart(const Spans& spans, std::uint32_t number, bool open) {
    if (number >= spans.size() || spans[number].begin == 0) return false;
    return spans[number].end == 0 ? open : spans[number].end != spans[number].begin;
  }

  std::uint64_t call_ = 0;
  Spans sends_, receives_;
};

class Archive {
 public:
  Archive(const fs::path& folder, const std::string& name)
      : archive_(OTF2_Archive_Open(folder.c_str(), name.c_str(), OTF2_FILEMODE_WRITE, 256 * 1024,
                                   4 * 1024 * 1024, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)) {
    if (archive_ == nullptr) throw UserError(fmt::format("--timeline {}: OTF2 cannot write there", name));
    static const OTF2_FlushCallbacks flush{
        [](void*, OTF2_FileType, OTF2_LocationRef, void*, bool) -> OTF2_FlushType { return OTF2_FLUSH; },
        [](void*, OTF2_FileType, OTF2_LocationRef) -> OTF2_TimeStamp { return 0; }};
    check(OTF2_Archive_SetFlushCallbacks(archive_, &flush, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    check(OTF2_Archive_SetCreator(archive_, fmt::format("psim {}", version()).c_str()));
  }
  ~Archive() {
    if (archive_ != nullptr) OTF2_Archive_Close(archive_);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  void write(const net::Timeline& timeline, const TimelineOf& of) {
    functions_ = timeline.functions();
    int number = 0;
    for (const auto& [context, communicator] : timeline.communicators()) numbers_[context] = number++;
    std::vector<std::uint64_t> events(of.ranks());
    check(OTF2_Archive_OpenEvtFiles(archive_));
    for (const std::uint32_t rank : timeline.observed()) events[rank] = write_rank(timeline, rank);
    // Readers require the file of every location.
    for (std::uint32_t rank = 0; rank < of.ranks(); ++rank)
      if (events[rank] == 0)
        check(OTF2_Archive_CloseEvtWriter(archive_, OTF2_Archive_GetEvtWriter(archive_, rank)));
    check(OTF2_Archive_CloseEvtFiles(archive_));
    check(OTF2_Archive_OpenDefFiles(archive_));
    for (std::uint32_t rank = 0; rank < of.ranks(); ++rank)
      check(OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, rank)));
    check(OTF2_Archive_CloseDefFiles(archive_));
    define(timeline, of, events);
    check(OTF2_Archive_Close(std::exchange(archive_, nullptr)));
  }

 private:
  std::uint64_t write_rank(const net::Timeline& timeline, std::uint32_t rank) {
    OTF2_EvtWriter* out = OTF2_Archive_GetEvtWriter(archive_, rank);
    Apart apart;
    timeline.events(rank, [&](const LogEvent& event) { apart.add(event); });
    std::map<std::uint32_t, std::uint32_t> started;  // pending collectives: the function that began each
    std::uint32_t function = 0;
    timeline.events(rank, [&](const LogEvent& event) {
      if (event.kind == LogEvent::Kind::Enter) {
        function = event.function;
        check(OTF2_EvtWriter_Enter(out, nullptr, event.time, function));
      } else if (event.kind == LogEvent::Kind::Leave) {
        check(OTF2_EvtWriter_Leave(out, nullptr, event.time, function));
      } else if (event.note.kind == NoteKind::CollectiveBegin || event.note.kind == NoteKind::CollectiveEnd) {
        write_collective(out, event.time, event.note, function, started);
      } else {
        write_message(out, event.time, event.note, apart);
      }
    });
    std::uint64_t count = 0;
    check(OTF2_EvtWriter_GetNumberOfEvents(out, &count));
    check(OTF2_Archive_CloseEvtWriter(archive_, out));
    return count;
  }

  static std::uint64_t send_id(std::uint32_t serial) { return std::uint64_t{serial} * 2; }
  static std::uint64_t other_id(std::uint32_t number) { return std::uint64_t{number} * 2 + 1; }
  OTF2_CommRef comm(std::uint32_t context) const { return static_cast<OTF2_CommRef>(numbers_.at(context)); }

  void write_message(OTF2_EvtWriter* out, std::uint64_t time, const CallNote& note,
                     const Apart& apart) const {
    const auto tag = static_cast<std::uint32_t>(note.tag);
    switch (note.kind) {
      case NoteKind::Send:
        check(apart.send(note.serial)
                  ? OTF2_EvtWriter_MpiIsend(out, nullptr, time, note.peer_rank, comm(note.context), tag,
                                            note.bytes, send_id(note.serial))
                  : OTF2_EvtWriter_MpiSend(out, nullptr, time, note.peer_rank, comm(note.context), tag,
                                           note.bytes));
        break;
      case NoteKind::SendDone:
        if (apart.send(note.serial))
          check(OTF2_EvtWriter_MpiIsendComplete(out, nullptr, time, send_id(note.serial)));
        break;
      case NoteKind::Post:
        if (apart.receive(note.number))
          check(OTF2_EvtWriter_MpiIrecvRequest(out, nullptr, time, other_id(note.number)));
        break;
      case NoteKind::Receive:
        check(apart.receive(note.number)
                  ? OTF2_EvtWriter_MpiIrecv(out, nullptr, time, note.peer_rank, comm(note.context), tag,
                                            note.bytes, other_id(note.number))
                  : OTF2_EvtWriter_MpiRecv(out, nullptr, time, note.peer_rank, comm(note.context), tag,
                                           note.bytes));
        break;
      case NoteKind::Cancelled:
        if (apart.receive(note.number))
          check(OTF2_EvtWriter_MpiRequestCancelled(out, nullptr, time, other_id(note.number)));
        break;
      default:
        break;
    }
  }

  /// Writes a collective. OTF2 has no names for collectives over neighbours, which have regions only.
  void write_collective(OTF2_EvtWriter* out, std::uint64_t time, const CallNote& note, std::uint32_t function,
                        std::map<std::uint32_t, std::uint32_t>& started) const {
    if (note.kind == NoteKind::CollectiveBegin) {
      started[note.number] = function;
      if (!otf2_operation(functions_[function])) return;
      check(note.number == 0
                ? OTF2_EvtWriter_MpiCollectiveBegin(out, nullptr, time)
                : OTF2_EvtWriter_NonBlockingCollectiveRequest(out, nullptr, time, other_id(note.number)));
      return;
    }
    const auto began = started.find(note.number);
    if (began == started.end()) return;  // before the observed time
    const auto op = otf2_operation(functions_[began->second]);
    started.erase(began);
    if (!op) return;
    const std::uint32_t root = note.peer == CallNote::kNoRoot ? OTF2_UNDEFINED_UINT32 : note.peer;
    check(note.number == 0 ? OTF2_EvtWriter_MpiCollectiveEnd(out, nullptr, time, *op, comm(note.context),
                                                             root, note.bytes, note.received)
                           : OTF2_EvtWriter_NonBlockingCollectiveComplete(
                                 out, nullptr, time, *op, comm(note.context), root, note.bytes, note.received,
                                 other_id(note.number)));
  }

  OTF2_StringRef text(const std::string& value) {
    const auto [found, fresh] = texts_.try_emplace(value, static_cast<OTF2_StringRef>(texts_.size()));
    if (fresh) check(OTF2_GlobalDefWriter_WriteString(defs_, found->second, value.c_str()));
    return found->second;
  }

  void define(const net::Timeline& timeline, const TimelineOf& of, const std::vector<std::uint64_t>& events) {
    defs_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    check(OTF2_GlobalDefWriter_WriteClockProperties(defs_, 1'000'000'000'000, 0, timeline.end() + 1,
                                                    OTF2_UNDEFINED_TIMESTAMP));
    const OTF2_StringRef none = text(""), node = text("node");
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(defs_, 0, text(of.program), text("machine"),
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    std::map<std::uint32_t, OTF2_SystemTreeNodeRef> node_definitions;  // of nodes with ranks, numbered from 1
    for (const std::uint32_t number : std::set(of.nodes.begin(), of.nodes.end())) {
      const auto definition = static_cast<OTF2_SystemTreeNodeRef>(node_definitions.size() + 1);
      node_definitions[number] = definition;
      check(OTF2_GlobalDefWriter_WriteSystemTreeNode(defs_, definition, text(fmt::format("node {}", number)),
                                                     node, 0));
    }
    for (std::uint32_t rank = 0; rank < of.ranks(); ++rank) {
      const TimelineOf::Job& job = of.jobs[of.job_of(rank)];
      const OTF2_StringRef name =
          text(fmt::format("{}MPI Rank {}", job.name.empty() ? "" : job.name + ": ", rank - job.first));
      check(OTF2_GlobalDefWriter_WriteLocationGroup(defs_, rank, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                    node_definitions.at(of.nodes[rank]),
                                                    OTF2_UNDEFINED_LOCATION_GROUP));
      check(OTF2_GlobalDefWriter_WriteLocation(defs_, rank, name, OTF2_LOCATION_TYPE_CPU_THREAD, events[rank],
                                               rank));
    }
    for (std::uint32_t i = 0; i < functions_.size(); ++i) {
      const OTF2_StringRef name = text(functions_[i]);
      const bool mpi = functions_[i].starts_with("MPI_");
      check(OTF2_GlobalDefWriter_WriteRegion(defs_, i, name, name, none, otf2_role(functions_[i]),
                                             mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                             OTF2_REGION_FLAG_NONE, none, 0, 0));
    }
    std::vector<std::uint64_t> all(of.ranks());
    for (std::uint32_t rank = 0; rank < of.ranks(); ++rank) all[rank] = rank;
    group(OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
    for (const auto& [context, communicator] : timeline.communicators())
      define(comm(context), context, of, communicator);
  }

  /// Returns a new group. Readers require consecutive numbers of groups.
  OTF2_GroupRef group(OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
    check(OTF2_GlobalDefWriter_WriteGroup(defs_, groups_, text(""), type, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(members.size()),
                                          members.data()));
    return groups_++;
  }

  void define(OTF2_CommRef number, std::uint32_t context, const TimelineOf& of,
              const net::Timeline::Communicator& communicator) {
    const std::uint32_t leader = communicator.members[0];
    const TimelineOf::Job& job = of.jobs[of.job_of(leader)];
    const OTF2_GroupRef one =
        group(OTF2_GROUP_TYPE_COMM_GROUP, {communicator.members.begin(), communicator.members.end()});
    const std::string name =
        (job.name.empty() ? "" : job.name + ": ") +
        (context == net::world_context(job.first)  ? "MPI_COMM_WORLD"
         : communicator.members.size() == 1        ? fmt::format("rank {} alone", leader - job.first)
         : communicator.members.size() < job.ranks ? fmt::format("communicator {}", context)
                                                   : fmt::format("all ranks, {}", context));
    if (communicator.remote.empty()) {
      check(OTF2_GlobalDefWriter_WriteComm(defs_, number, text(name), one, OTF2_UNDEFINED_COMM,
                                           OTF2_COMM_FLAG_NONE));
    } else {
      const OTF2_GroupRef other =
          group(OTF2_GROUP_TYPE_COMM_GROUP, {communicator.remote.begin(), communicator.remote.end()});
      check(OTF2_GlobalDefWriter_WriteInterComm(defs_, number, text(name), one, other, OTF2_UNDEFINED_COMM,
                                                OTF2_COMM_FLAG_NONE));
    }
  }

  OTF2_Archive* archive_;
  OTF2_GlobalDefWriter* defs_ = nullptr;
  OTF2_GroupRef groups_ = 0;
  std::vector<std::string> functions_;
  std::map<std::uint32_t, int> numbers_;  ///< of communicators, by context
  std::map<std::string, OTF2_StringRef> texts_;
};

/// A folder with traces.otf2, traces.def and the events in traces/, named as by other writers. It is written
/// under another name once the ranks have ended, and then renamed.
class Otf2Timeline final : public TimelineFile {
 public:
  explicit Otf2Timeline(const std::string& path) : path_(destination(path)) {
    check_replaceable();
    if (!TemporaryFolder::make(parent(), kTemporary))
      fail(fmt::format("cannot be created: {}", std::strerror(errno)));
  }

  void write(const net::Timeline& timeline, const TimelineOf& of) override {
    auto temporary = TemporaryFolder::make(parent(), kTemporary);
    if (!temporary) fail(fmt::format("cannot be created: {}", std::strerror(errno)));
    {
      Archive archive(temporary->path(), "traces");
      archive.write(timeline, of);
    }
    fs::permissions(temporary->path(), fs::perms{0755});
    check_replaceable();  // checked again: the run may have been long
    if (::renameat2(AT_FDCWD, temporary->path().c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0)
      return;  // `temporary` removes the replaced folder
    // Nothing exists there, or the file system cannot exchange.
    std::error_code error;
    const auto old = TemporaryFolder::make(parent(), kTemporary);
    if (old && fs::exists(path_, error)) fs::rename(path_, fs::path(old->path()) / "replaced", error);
    if (!error) fs::rename(temporary->path(), path_, error);
    if (error) fail(error.message());
    temporary->release();
  }

 private:
  static constexpr const char* kTemporary = ".psim-otf2-";

  /// Returns the target of the links in `path`; the links stay.
  static fs::path destination(const std::string& path) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(path, error);
    return error || real.empty() ? fs::path(path) : real;
  }
  std::string parent() const { return path_.has_parent_path() ? path_.parent_path().string() : "."; }

  /// Checks that a folder to be replaced holds an archive of psim's and nothing else.
  void check_replaceable() const {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path_, error);
    if (status.type() == fs::file_type::not_found) return;
    if (status.type() != fs::file_type::directory)
      fail("exists and is not an OTF2 archive; it is not replaced");
    const auto others = [&](const fs::path& folder, const auto& known) {
      for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (!known(entry))
          fail(fmt::format("contains {}, which is not part of an OTF2 archive; it is not replaced",
                           entry.path().lexically_relative(path_).string()));
    };
    others(path_, [](const fs::directory_entry& entry) {
      const std::string name = entry.path().filename();
      if (name == "traces") return entry.symlink_status().type() == fs::file_type::directory;
      return (name == "traces.otf2" || name == "traces.def") &&
             entry.symlink_status().type() == fs::file_type::regular;
    });
    if (fs::exists(path_ / "traces", error))
      others(path_ / "traces", [](const fs::directory_entry& entry) {
        const std::string extension = entry.path().extension();
        return entry.symlink_status().type() == fs::file_type::regular &&
               (extension == ".evt" || extension == ".def");
      });
    if (error) fail(error.message());
    if (!fs::exists(path_ / "traces.otf2", error))
      fail("exists and is not an OTF2 archive; it is not replaced");
    if (!written_by_psim()) fail("is an OTF2 archive that psim did not write; it is not replaced");
  }

  bool written_by_psim() const {
    OTF2_Error_RegisterCallback(silent_otf2, nullptr);
    const std::unique_ptr<OTF2_Reader, OTF2_ErrorCode (*)(OTF2_Reader*)> reader(
        OTF2_Reader_Open((path_ / "traces.otf2").c_str()), OTF2_Reader_Close);
    char* creator = nullptr;
    if (!reader || OTF2_Reader_GetCreator(reader.get(), &creator) != OTF2_SUCCESS || creator == nullptr)
      return false;
    const bool ours = std::string_view(creator).starts_with("psim ");
    std::free(creator);
    return ours;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw UserError(fmt::format("--timeline {}: {}", path_.string(), why));
  }

  fs::path path_;
};

}  // namespace

std::unique_ptr<TimelineFile> make_otf2_timeline(const std::string& path) {
  return std::make_unique<Otf2Timeline>(path);
}

}  // namespace psim
