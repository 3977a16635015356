// SPDX-License-Identifier: Apache-2.0
// Puts the steps of traced messages together: packets and hops in their order, and the parts of each message.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "cosim/message_header.h"
#include "cosim/message_trace.h"
#include "guest/elf/debug_info.h"
#include "netsim/message/message_kind.h"

namespace psim::cosim {
namespace {

using Leg = MessagePacket::Leg;
using Where = MessagePart::Where;

std::string_view operation_name(std::uint32_t opcode) {
  constexpr std::string_view kNames[] = {"send", "put", "get", "fetch_add", "swap", "compare_swap"};
  return opcode - 1 < std::size(kNames) ? kNames[opcode - 1] : "unknown";
}

/// Returns true for functions through which calls of other languages enter the library.
bool is_wrapper(std::string_view function) {
  return function.starts_with("mpi_") || function.starts_with("MPI_") || function.starts_with("PMPI_");
}

/// Names addresses, and remembers them: many messages come from the same places.
class PlaceNames {
 public:
  explicit PlaceNames(const isa::SourceMap* sources) : sources_(sources) {}
  TimedPlace place(const CommittedAt& at, std::uint64_t period) {
    TimedPlace place{.ps = at.cycle * period, .cycle = at.cycle, .pc = at.pc};
    place.source = locate(at.pc).text();
    place.call = at.call.function;
    for (const std::uint64_t caller : at.call.callers) {
      if (is_wrapper(locate(caller).function)) continue;
      place.call_source = locate(caller).text();
      break;
    }
    return place;
  }

 private:
  const isa::SourceLocation& locate(std::uint64_t pc) {
    const auto [found, added] = known_.try_emplace(pc);
    if (added && sources_ != nullptr) found->second = sources_->locate(pc);
    return found->second;
  }

  const isa::SourceMap* sources_;
  std::map<std::uint64_t, isa::SourceLocation> known_;
};

/// Appends the parts of a message, each from the end of the one before.
class PartList {
 public:
  explicit PartList(TracedMessage& message) : message_(message), at_(message.begin()) {}
  /// Adds a part up to `end`; 0: it has not happened. Parts of no length are left out.
  void add(std::string_view name, std::uint64_t end, Where where, std::uint32_t number) {
    if (end == 0 || end == at_) return;
    if (end < at_)
      throw std::logic_error(
          fmt::format("message {}: its part \"{}{}\" ends at {} ps, before it begins at {} ps",
                      message_.name(), prefix, name, end, at_));
    message_.parts.push_back({fmt::format("{}{}", prefix, name), at_, end, where, number});
    at_ = end;
  }
  std::string_view prefix = "";  ///< of names

 private:
  TracedMessage& message_;
  std::uint64_t at_;
};

/// Returns the packet that completes a leg of the message, or null if none has come.
const MessagePacket* last_of(const TracedMessage& message, Leg leg) {
  const MessagePacket* last = nullptr;
  for (const MessagePacket& packet : message.packets)
    if (packet.leg == leg && packet.at(PacketStep::Taken) != 0 &&
        (last == nullptr || packet.at(PacketStep::Taken) > last->at(PacketStep::Taken)))
      last = &packet;
  return last;
}

void add_leg(PartList& parts, const TracedMessage& message, Leg leg) {
  const MessagePacket* const packet = last_of(message, leg);
  if (packet == nullptr) return;
  const bool there = leg == Leg::There;
  const std::uint32_t from = there ? message.from : message.to, to = there ? message.to : message.from;
  const auto add = [&](std::string_view name, PacketStep step, std::uint32_t rank) {
    parts.add(name, packet->at(step), Where::Interface, rank);
  };
  parts.prefix = there ? "" : leg == Leg::Reply ? "reply: " : "answer: ";
  add(there ? "packets before" : "queue", PacketStep::Begun, from);
  add("dma read", PacketStep::Read, from);
  add("buffer", PacketStep::Room, from);
  add("setup", PacketStep::Ready, from);
  add("channel", PacketStep::Born, from);
  for (const RouterHop& hop : packet->hops) {
    parts.add(fmt::format("to router {}", hop.router), hop.arrival, Where::Router, hop.router);
    parts.add(fmt::format("wait in router {}", hop.router), hop.departure, Where::Router, hop.router);
  }
  add(packet->hops.empty() ? "inside the node" : "to the interface", PacketStep::Arrived, to);
  add("receive queue", PacketStep::Taken, to);
  add("dma write", PacketStep::Written, to);
  parts.prefix = "";
}

void make_parts(TracedMessage& message) {
  PartList parts(message);
  const auto add = [&](std::string_view name, MessageStep step, Where where, std::uint32_t rank) {
    parts.add(name, message.at(step), where, rank);
  };
  add("store to doorbell", MessageStep::Arrived, Where::Core, message.from);
  add("queue", MessageStep::Begun, Where::Interface, message.from);
  add("descriptor", MessageStep::Fetched, Where::Interface, message.from);
  const bool to_slot = message.at(MessageStep::Slot) != 0;
  add_leg(parts, message, Leg::There);
  add_leg(parts, message, Leg::Reply);
  // A put that notifies both ends is followed to the peer's.
  if (!to_slot) add_leg(parts, message, Leg::Answer);
  const std::uint32_t end = to_slot ? message.to : message.from;
  add("slot", MessageStep::Slot, Where::Interface, end);
  add("dma write", MessageStep::SlotWritten, Where::Interface, end);
  add("completion", MessageStep::Completed, Where::Interface, end);
  add("poll", MessageStep::Seen, Where::Core, end);
}

}  // namespace

class MessageAssembly {
 public:
  MessageAssembly(MessageTrace& trace, const net::Graph& graph, const isa::SourceMap* sources)
      : trace_(trace), graph_(graph), names_(sources) {}
  MessageTimeline timeline();

 private:
  void open();
  void take_steps();
  void add_hops();
  MessagePacket& packet(TracedMessage& message, Leg leg, std::uint64_t offset);
  /// Returns the message, or null if it has no descriptor (left out).
  TracedMessage* find(std::uint64_t message) {
    const auto found = index_.find(message);
    return found == index_.end() ? nullptr : &result_.messages[found->second];
  }

  MessageTrace& trace_;
  const net::Graph& graph_;
  PlaceNames names_;
  MessageTimeline result_;
  std::unordered_map<std::uint64_t, std::size_t> index_;  ///< by message
};

void MessageAssembly::open() {
  for (const MessageTrace::Opening& opening : trace_.openings_) {
    index_.emplace(opening.message, result_.messages.size());
    TracedMessage& message = result_.messages.emplace_back();
    message.from = static_cast<std::uint32_t>(opening.message >> kRankShift);
    message.to = opening.peer;
    message.number = opening.number;
    message.operation = operation_name(opening.opcode);
    message.bytes = opening.bytes;
    message.status = opening.status;
  }
}

MessagePacket& MessageAssembly::packet(TracedMessage& message, Leg leg, std::uint64_t offset) {
  std::vector<MessagePacket>& packets = message.packets;
  const auto found = std::ranges::lower_bound(
      packets, std::pair(leg, offset), {}, [](const MessagePacket& p) { return std::pair(p.leg, p.offset); });
  if (found != packets.end() && found->leg == leg && found->offset == offset) return *found;
  return *packets.insert(found, {.leg = leg, .offset = offset});
}

void MessageAssembly::take_steps() {
  for (const MessageTrace::Note& note : trace_.notes_) {
    TracedMessage* const message = find(note.message);
    if (message == nullptr) continue;
    if (note.of_packet)
      packet(*message, note.leg, note.offset).steps[note.step] = note.time;
    else
      message->steps[note.step] = note.time;
  }
  for (const MessageTrace::Commit& commit : trace_.commits_) {
    TracedMessage* const message = find(commit.message);
    if (message == nullptr) continue;
    TimedPlace& place = commit.step == MessageStep::Rang   ? message->doorbell
                        : commit.step == MessageStep::Seen ? message->poll
                                                           : message->done_poll;
    place = names_.place(commit.at, trace_.period_);
    message->steps[static_cast<std::size_t>(commit.step)] = place.ps;
  }
}

/// Adds the hops to their packets. A packet of the interfaces may cross in several packets of the network:
/// the one that leaves the last counts.
void MessageAssembly::add_hops() {
  using TracedHop = MessageTrace::TracedHop;
  std::ranges::stable_sort(trace_.hops_, {}, [](const TracedHop& hop) {
    return std::tuple(hop.packet.message, hop.packet.leg, hop.packet.offset, hop.hop.born, hop.hop.departure);
  });
  for (const auto& [key, hop] : trace_.hops_) {
    TracedMessage* const message = find(key.message);
    if (message == nullptr) continue;
    MessagePacket& at = packet(*message, key.leg, key.offset);
    std::uint64_t& born = at.steps[static_cast<std::size_t>(PacketStep::Born)];
    if (born != hop.born) born = hop.born, at.hops.clear();
    const std::uint32_t to = graph_.channel(hop.router, hop.port).to_router;
    at.hops.push_back({.router = hop.router,
                       .port = hop.port,
                       .to_router = to == net::Channel::kNowhere ? -1 : static_cast<std::int64_t>(to),
                       .arrival = hop.arrival,
                       .departure = hop.departure,
                       .length = hop.length});
  }
}

MessageTimeline MessageAssembly::timeline() {
  result_.period = trace_.period_;
  open();
  take_steps();
  add_hops();
  for (std::size_t i = 0; i < result_.messages.size(); ++i) {
    TracedMessage& message = result_.messages[i];
    make_parts(message);
    const MessageTrace::Opening& opening = trace_.openings_[i];
    if (message.doorbell.call.empty() || !has_header(opening.opcode, opening.flags)) continue;
    const MessageHeader header = header_of(opening.header.data());
    message.label = {true, std::string(net::mpi::message_kind_name(header.kind)), header.context, header.tag,
                     header.bytes};
  }
  std::ranges::stable_sort(result_.messages, {}, [](const TracedMessage& message) {
    return std::tuple(message.doorbell.ps, message.from, message.number);
  });
  std::uint64_t chosen = 0;
  for (const std::uint64_t of_rank : trace_.chosen_) chosen += of_rank;
  if (result_.messages.size() > trace_.choice_.most) result_.messages.resize(trace_.choice_.most);
  result_.left_out = chosen - result_.messages.size();
  return std::move(result_);
}

void MessageTrace::write_all(net::Parcel& parcel) const {
  parcel.put_all(openings_);
  parcel.put_all(notes_);
  parcel.put_all(hops_);
  parcel.put_all(chosen_);
  parcel.put(std::uint64_t{commits_.size()});
  for (const Commit& commit : commits_) {
    parcel.put(commit.message);
    parcel.put(commit.step);
    parcel.put(commit.at.cycle);
    parcel.put(commit.at.pc);
    parcel.put_text(commit.at.call.function);
    parcel.put_all(commit.at.call.callers);
  }
}

void MessageTrace::read_all(net::Parcel& parcel) {
  parcel.take_each<Opening>([this](const Opening& opening) { openings_.push_back(opening); });
  parcel.take_each<Note>([this](const Note& note) { notes_.push_back(note); });
  parcel.take_each<TracedHop>([this](const TracedHop& hop) { hops_.push_back(hop); });
  const auto chosen = parcel.take_all<std::uint64_t>();
  for (std::size_t rank = 0; rank < chosen.size(); ++rank) chosen_[rank] += chosen[rank];
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    Commit& commit = commits_.emplace_back();
    commit.message = parcel.take<std::uint64_t>();
    commit.step = parcel.take<MessageStep>();
    commit.at.cycle = parcel.take<std::uint64_t>();
    commit.at.pc = parcel.take<std::uint64_t>();
    commit.at.call = {parcel.take_text(), parcel.take_all<std::uint64_t>()};
  }
}

MessageTimeline MessageTrace::finish(net::HostProcesses& processes, const net::Graph& graph,
                                     const isa::SourceMap* sources) {
  processes.gather([this](net::Parcel& parcel) { write_all(parcel); },
                   [this](net::Parcel& parcel) { read_all(parcel); });
  if (!processes.first()) return {};
  return MessageAssembly(*this, graph, sources).timeline();
}

}  // namespace psim::cosim
