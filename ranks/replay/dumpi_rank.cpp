// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/dumpi_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <variant>

#include "base/error.h"

namespace psim::net::replay {
namespace {

constexpr std::uint64_t kPsEachNanosecond = 1000;
constexpr std::int64_t kAnySource = -1, kNullRequest = 1;

/// Multiplies. A product beyond any message stays beyond it.
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  return b != 0 && a > kMost / b ? kMost : a * b;
}

/// Returns whether a function waits for no other rank, so that its time is computing.
bool is_local(std::string_view function) {
  static constexpr std::string_view kBeginnings[] = {
      "MPI_Address",     "MPI_Attr_",    "MPI_Buffer_attach", "MPI_Cart",
      "MPI_Comm_c",      "MPI_Comm_del", "MPI_Comm_free",     "MPI_Comm_g",
      "MPI_Comm_r",      "MPI_Comm_s",   "MPI_Comm_test",     "MPI_Dims_create",
      "MPI_Errhandler_", "MPI_Error_",   "MPI_Finalized",     "MPI_Get_",
      "MPI_Graph",       "MPI_Group_",   "MPI_Info_",         "MPI_Initialized",
      "MPI_Is_thread_",  "MPI_Keyval_",  "MPI_Op_",           "MPI_Pack",
      "MPI_Pcontrol",    "MPI_Query_",   "MPI_Status_",       "MPI_Test_cancelled",
      "MPI_Topo_test",   "MPI_Type_",    "MPI_Unpack",        "MPI_Wtime",
      "MPI_Wtick"};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [function](std::string_view each) { return function.starts_with(each); });
}

}  // namespace

struct DumpiRank::Function {
  std::string_view name;
  std::variant<void (DumpiRank::*)(const DumpiCall&), Collective> meaning;
};

const DumpiRank::Function* DumpiRank::find(std::string_view name) {
  using Rank = DumpiRank;
  static const Function kFunctions[] = {{"MPI_Init", &Rank::nothing},
                                        {"MPI_Init_thread", &Rank::nothing},
                                        {"MPI_Finalize", &Rank::finalize},
                                        {"MPI_Send", &Rank::send},
                                        {"MPI_Ssend", &Rank::send},
                                        {"MPI_Rsend", &Rank::send},
                                        {"MPI_Bsend", &Rank::send_buffered},
                                        {"MPI_Buffer_detach", &Rank::end_buffered},
                                        {"MPI_Recv", &Rank::receive},
                                        {"MPI_Isend", &Rank::start},
                                        {"MPI_Issend", &Rank::start},
                                        {"MPI_Irsend", &Rank::start},
                                        {"MPI_Ibsend", &Rank::start},
                                        {"MPI_Irecv", &Rank::start},
                                        {"MPI_Sendrecv", &Rank::exchange},
                                        {"MPI_Sendrecv_replace", &Rank::exchange},
                                        {"MPI_Send_init", &Rank::make_persistent},
                                        {"MPI_Ssend_init", &Rank::make_persistent},
                                        {"MPI_Rsend_init", &Rank::make_persistent},
                                        {"MPI_Bsend_init", &Rank::make_persistent},
                                        {"MPI_Recv_init", &Rank::make_persistent},
                                        {"MPI_Start", &Rank::start_persistent},
                                        {"MPI_Startall", &Rank::start_persistent},
                                        {"MPI_Wait", &Rank::complete},
                                        {"MPI_Test", &Rank::complete},
                                        {"MPI_Waitall", &Rank::complete},
                                        {"MPI_Testall", &Rank::complete},
                                        {"MPI_Waitany", &Rank::complete},
                                        {"MPI_Testany", &Rank::complete},
                                        {"MPI_Waitsome", &Rank::complete},
                                        {"MPI_Testsome", &Rank::complete},
                                        {"MPI_Cancel", &Rank::cancel},
                                        {"MPI_Request_free", &Rank::free_request},
                                        {"MPI_Probe", &Rank::nothing},  // the receive waits
                                        {"MPI_Iprobe", &Rank::nothing},
                                        {"MPI_Barrier", Collective::Barrier},
                                        {"MPI_Bcast", Collective::Bcast},
                                        {"MPI_Reduce", Collective::Reduce},
                                        {"MPI_Allreduce", Collective::Allreduce},
                                        {"MPI_Scan", Collective::Scan},
                                        {"MPI_Exscan", Collective::Exscan},
                                        {"MPI_Gather", Collective::Gather},
                                        {"MPI_Scatter", Collective::Scatter},
                                        {"MPI_Allgather", Collective::Allgather},
                                        {"MPI_Alltoall", Collective::Alltoall},
                                        {"MPI_Gatherv", Collective::Gatherv},
                                        {"MPI_Scatterv", Collective::Scatterv},
                                        {"MPI_Allgatherv", Collective::Allgatherv},
                                        {"MPI_Alltoallv", Collective::Alltoallv},
                                        {"MPI_Alltoallw", Collective::Alltoallv},
                                        {"MPI_Reduce_scatter", Collective::ReduceScatterv}};
  static const std::unordered_map<std::string_view, const Function*> kByName = [] {
    std::unordered_map<std::string_view, const Function*> all;
    for (const Function& each : kFunctions) all[each.name] = &each;
    return all;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

DumpiRank::DumpiRank(const DumpiFile& file, RankTrace& out, Omissions& omissions)
    : out_(out), omissions_(omissions) {
  DumpiText text(file);
  DumpiCall call;
  while (!finalized_ && text.next(call)) {
    if (sizes_.empty()) sizes_ = text.datatype_sizes();
    follow(call);
  }
  if (sizes_.empty())
    throw UserError(fmt::format("{}: no call of MPI; expected the output of \"dumpi2ascii -SX\"", file.name));
  if (!finalized_)
    throw UserError(fmt::format("{}: the file ends without MPI_Finalize; it is cut off", file.name));
}

void DumpiRank::follow(const DumpiCall& call) {
  const Function* known = find(call.function);
  if (known == nullptr && call.function.starts_with("MPI_Type_")) return datatype(call);
  const bool creates = known == nullptr && handles_.follow(call);
  if (known == nullptr && !creates) {
    if (is_local(call.function)) return;
    const auto [each, is_new] = omissions_.functions.try_emplace(std::string(call.function), 0);
    ++each->second;
    return;
  }
  compute_until(call.enter);
  if (known != nullptr) {
    if (const auto* collective_ = std::get_if<Collective>(&known->meaning))
      collective(call, *collective_);
    else
      (this->*std::get<0>(known->meaning))(call);
  }
  counting_ = true;
  last_ = call.leave;
}

void DumpiRank::compute_until(std::uint64_t time) {
  if (counting_ && time > last_)
    out_.operations.push_back({.amount = (time - last_) * kPsEachNanosecond, .kind = Kind::Compute});
}

// Messages.

DumpiRank::Message DumpiRank::message(const DumpiCall& call, Kind kind, std::string_view count,
                                      std::string_view datatype, std::string_view tag_name) {
  constexpr std::int64_t kMost = 0x7fffffff;
  const bool receives = kind == Kind::Receive;
  const std::int64_t peer = call.number(receives ? "source" : "dest"), tag = call.number(tag_name);
  if (peer < 0 && !(receives && peer == kAnySource)) return {{}, true};
  const std::uint64_t amount = bytes(call, count, datatype);
  if (peer > kMost) throw call.error(fmt::format("rank {}; expected at most {}", peer, kMost));
  if (tag > kMost || (tag < 0 && !receives))
    throw call.error(fmt::format("tag {}; expected 0 to {}", tag, kMost));
  if (amount > Trace::kMostBytes)
    throw call.error(fmt::format("a message of {} bytes; expected at most {}", amount, Trace::kMostBytes));
  return {{.amount = amount,
           .peer = peer < 0 ? kAny : static_cast<std::uint32_t>(peer),
           .tag = tag < 0 ? -1 : static_cast<std::int32_t>(tag),
           .communicator = handles_.communicator(call.number("comm")),
           .kind = kind},
          false};
}

DumpiRank::Pending DumpiRank::begin(const Message& message) {
  if (message.nobody) return {.nobody = true};
  const Pending pending{.index = out_.operations.size(), .request = numbers_.take(out_)};
  out_.operations.push_back(message.operation);
  out_.operations.back().request = pending.request;
  return pending;
}

void DumpiRank::end(const Pending& pending, const DumpiStatus* status) {
  if (pending.nobody) return;
  Operation& begun = out_.operations[pending.index];
  const bool any = begun.kind == Kind::Receive && begun.peer == kAny;
  // A receive from MPI_PROC_NULL looks like one from any source in traces of an MPI library where that is -1.
  const bool cancelled = pending.cancelled && (status == nullptr || status->cancelled),
             nobody = any && status != nullptr && status->source < 0;
  if (cancelled || nobody) {
    begun = {};
  } else {
    if (any && status != nullptr) begun.peer = static_cast<std::uint32_t>(status->source);
    if (begun.kind == Kind::Receive && begun.tag < 0 && status != nullptr && status->tag >= 0)
      begun.tag = static_cast<std::int32_t>(status->tag);
    out_.operations.push_back({.request = pending.request, .kind = Kind::Wait});
  }
  numbers_.give_back(pending.request);
}

void DumpiRank::send(const DumpiCall& call) { end(begin(simple_message(call)), nullptr); }

void DumpiRank::send_buffered(const DumpiCall& call) { buffered_.push_back(begin(simple_message(call))); }

void DumpiRank::receive(const DumpiCall& call) {
  const std::vector<DumpiStatus> status = call.statuses();
  end(begin(simple_message(call)), status.empty() ? nullptr : status.data());
}

void DumpiRank::exchange(const DumpiCall& call) {
  const bool replace = call.has("count");
  const Pending sent = begin(message(call, Kind::Send, replace ? "count" : "sendcount",
                                     replace ? "datatype" : "sendtype", "sendtag"));
  const Pending received = begin(message(call, Kind::Receive, replace ? "count" : "recvcount",
                                         replace ? "datatype" : "recvtype", "recvtag"));
  const std::vector<DumpiStatus> status = call.statuses();
  end(received, status.empty() ? nullptr : status.data());
  end(sent, nullptr);
}

void DumpiRank::end_buffered(const DumpiCall&) {
  for (const Pending& each : buffered_) end(each, nullptr);
  buffered_.clear();
}

void DumpiRank::finalize(const DumpiCall& call) {
  end_buffered(call);
  finalized_ = true;
}

// Requests.

void DumpiRank::start(const DumpiCall& call) {
  begun_[call.number("request")].push_back(begin(simple_message(call)));
}

void DumpiRank::make_persistent(const DumpiCall& call) {
  persistent_[call.number("request")] = simple_message(call);
}

void DumpiRank::start_persistent(const DumpiCall& call) {
  for (const std::int64_t request :
       call.has("requests") ? call.numbers("requests") : std::vector{call.number("request")})
    if (const auto found = persistent_.find(request); found != persistent_.end())
      begun_[request].push_back(begin(found->second));
}

void DumpiRank::complete(const DumpiCall& call) {
  if (call.has("flag") && call.number("flag") == 0) return;
  const std::vector<DumpiStatus> statuses = call.statuses();
  const auto status = [&](std::size_t i) { return i < statuses.size() ? &statuses[i] : nullptr; };
  if (!call.has("requests")) return end_request(call.number("request"), status(0));
  const std::vector<std::int64_t> requests = call.numbers("requests");
  std::vector<std::int64_t> which(requests.size());
  std::iota(which.begin(), which.end(), 0);
  if (call.has("indices")) which = call.numbers("indices");
  if (call.has("index")) which.assign(1, call.number("index"));
  for (std::size_t i = 0; i < which.size(); ++i)
    if (which[i] >= 0 && static_cast<std::size_t>(which[i]) < requests.size())  // else MPI_UNDEFINED
      end_request(requests[static_cast<std::size_t>(which[i])], status(i));
}

void DumpiRank::end_request(std::int64_t handle, const DumpiStatus* status) {
  if (handle <= kNullRequest) return;
  const auto found = begun_.find(handle);
  if (found == begun_.end() || found->second.empty()) {
    omissions_.unknown_requests += !persistent_.contains(handle);
    return;
  }
  end(found->second.front(), status);
  found->second.erase(found->second.begin());
}

void DumpiRank::cancel(const DumpiCall& call) {
  if (const auto found = begun_.find(call.number("request")); found != begun_.end())
    for (Pending& each : found->second) each.cancelled = true;
}

void DumpiRank::free_request(const DumpiCall& call) {
  const std::int64_t request = call.number("request");
  begun_.erase(request);  // nothing waits for what it began
  persistent_.erase(request);
}

// Collectives and sizes.

void DumpiRank::collective(const DumpiCall& call, Collective collective) {
  Part part{out_.operations.size(), collective, 0, 0, 0, {}};
  if (call.has("root"))
    part.root = static_cast<std::uint32_t>(std::clamp<std::int64_t>(call.number("root"), -1, kAny - 1));
  switch (collective) {
    case Collective::Barrier:
      break;
    case Collective::Gather:
    case Collective::Gatherv:
      part.sent = bytes(call, "sendcount", "sendtype");
      break;
    case Collective::Scatter:
    case Collective::Scatterv:
    case Collective::Allgather:  // of one rank, as yet
    case Collective::Alltoall:
      part.received = bytes(call, "recvcount", "recvtype");
      break;
    case Collective::Allgatherv:
      part.shares = list_of_bytes(call, "recvcounts", "recvtype");
      break;
    case Collective::ReduceScatterv:
      part.shares = list_of_bytes(call, "recvcounts", "datatype");
      break;
    case Collective::Alltoallv: {
      const bool types = call.has("sendtypes");
      auto& each = part.shares = list_of_bytes(call, "sendcounts", types ? "sendtypes" : "sendtype");
      if (each.empty())
        each = list_of_bytes(call, "recvcounts", types ? "recvtypes" : "recvtype");  // in place
      part.sent = std::accumulate(each.begin(), each.end(), std::uint64_t{0});
      break;
    }
    default:
      part.sent = part.received = bytes(call, "count", "datatype");
  }
  if (!part.shares.empty() && std::adjacent_find(part.shares.begin(), part.shares.end(),
                                                 std::not_equal_to<>()) == part.shares.end()) {
    if (collective != Collective::Alltoallv) part.sent = part.received = part.shares.front();
    part.shares.clear();
  }
  out_.operations.push_back({.communicator = handles_.communicator(call.number("comm")),
                             .kind = Kind::Collective,
                             .collective = collective});
  parts_.push_back(std::move(part));
}

std::uint64_t DumpiRank::size_of(const DumpiCall& call, std::int64_t datatype) const {
  if (datatype < 0 || static_cast<std::size_t>(datatype) >= sizes_.size())
    throw call.error(fmt::format("datatype {}; the file has the sizes of {}", datatype, sizes_.size()));
  return sizes_[static_cast<std::size_t>(datatype)];
}

std::uint64_t DumpiRank::bytes(const DumpiCall& call, std::string_view count,
                               std::string_view datatype) const {
  const std::int64_t elements = call.number(count);
  if (elements < 0) throw call.error(fmt::format("{} = {}; expected at least 0", count, elements));
  return times(static_cast<std::uint64_t>(elements), size_of(call, call.number(datatype)));
}

std::vector<std::uint64_t> DumpiRank::list_of_bytes(const DumpiCall& call, std::string_view counts,
                                                    std::string_view datatype) const {
  std::vector<std::uint64_t> all;
  std::vector<std::int64_t> types = call.numbers(datatype);
  for (const std::int64_t count : call.numbers(counts)) {
    if (types.empty()) types.push_back(call.number(datatype));
    const std::int64_t type = types[std::min(all.size(), types.size() - 1)];
    all.push_back(times(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0)), size_of(call, type)));
  }
  return all;
}

void DumpiRank::datatype(const DumpiCall& call) {
  if (!call.has("newtype") || !(call.has("oldtype") || call.has("oldtypes"))) return;
  const std::int64_t made = call.number("newtype");
  size_of(call, made);
  std::uint64_t size = 0;
  const std::string_view lengths = call.has("lengths") ? "lengths" : "blocklengths";
  if (call.has(lengths)) {
    for (const std::uint64_t each :
         list_of_bytes(call, lengths, call.has("oldtypes") ? "oldtypes" : "oldtype"))
      size += each;
  } else if (call.has("gsizes")) {
    return;  // a distributed array: its size stands at the end of the file
  } else {
    size = size_of(call, call.number("oldtype"));
    for (const std::string_view factor : {"count", "blocklength"})
      if (call.has(factor))
        size = times(size, static_cast<std::uint64_t>(std::max<std::int64_t>(call.number(factor), 0)));
    if (call.has("subsizes"))
      for (const std::int64_t each : call.numbers("subsizes"))
        size = times(size, static_cast<std::uint64_t>(std::max<std::int64_t>(each, 0)));
  }
  sizes_[static_cast<std::size_t>(made)] = size;
}

}  // namespace psim::net::replay
