// SPDX-License-Identifier: Apache-2.0
#include "report/messages/message_slices.h"

#include <fmt/format.h>

#include <algorithm>

namespace psim {
namespace {

using cosim::MessagePacket;
using cosim::MessageStep;
using cosim::PacketStep;
using Where = cosim::MessagePart::Where;

/// Collects slices; those of no length, or of steps that have not happened, are left out.
class SliceList {
 public:
  void add(const MessageComponent& component, std::uint64_t begin, std::uint64_t end, std::string name,
           bool waits = false) {
    if (begin == 0 || end <= begin) return;
    slices.push_back({component, begin, end, name + suffix, waits, on_way});
  }
  std::vector<MessageSlice> slices;
  std::string suffix;  ///< of names: the packet, where there are several
  bool on_way = true;
};

/// Returns true if the packet is the one of its leg that the receiving engine takes last.
bool completes(const cosim::TracedMessage& message, const MessagePacket& packet) {
  return std::ranges::none_of(message.packets, [&](const MessagePacket& other) {
    return other.leg == packet.leg && other.at(PacketStep::Taken) > packet.at(PacketStep::Taken);
  });
}

void add_packet(SliceList& list, const cosim::TracedMessage& message, const MessagePacket& packet) {
  const bool there = packet.leg == MessagePacket::Leg::There;
  const MessageComponent source{Where::Interface, there ? message.from : message.to},
      target{Where::Interface, there ? message.to : message.from};
  const auto at = [&](PacketStep step) { return packet.at(step); };
  const std::uint64_t read = std::max(at(PacketStep::Read), at(PacketStep::Begun));
  list.suffix = packet.leg == MessagePacket::Leg::Answer  ? " (answer)"
                : packet.leg == MessagePacket::Leg::Reply ? " (reply)"
                                                          : "";
  if (message.packets.size() > 1 && packet.leg != MessagePacket::Leg::Answer)
    list.suffix += fmt::format(", byte {}", packet.offset);
  list.on_way = completes(message, packet);
  list.add(source, at(PacketStep::Begun), read, "dma read");
  list.add(source, read, at(PacketStep::Room), "buffer", true);
  list.add(source, at(PacketStep::Room), at(PacketStep::Ready), "setup");
  list.add(source, at(PacketStep::Ready), at(PacketStep::Born), "channel", true);
  std::uint64_t left = std::max(at(PacketStep::Born), at(PacketStep::Ready));
  for (const cosim::RouterHop& hop : packet.hops) {
    const MessageComponent router{Where::Router, hop.router};
    list.add(router, left, hop.arrival, "arrives");
    list.add(router, hop.arrival, hop.departure, "waits", true);
    list.add(router, hop.departure, hop.departure + hop.length, "passes");
    left = hop.departure;
  }
  list.add(target, left, at(PacketStep::Arrived), packet.hops.empty() ? "inside the node" : "arrives");
  list.add(target, at(PacketStep::Arrived), at(PacketStep::Taken), "receive queue", true);
  list.add(target, at(PacketStep::Taken), at(PacketStep::Written), "dma write");
  list.suffix.clear();
  list.on_way = true;
}

}  // namespace

std::string component_name(const MessageComponent& component) {
  if (component.where == Where::Router) return fmt::format("router {}", component.number);
  return fmt::format("rank {}: {}", component.number, component.where == Where::Core ? "core" : "interface");
}

std::vector<MessageSlice> slices_of(const cosim::TracedMessage& message) {
  SliceList list;
  const bool to_slot = message.at(MessageStep::Slot) != 0;
  const std::uint32_t end = to_slot ? message.to : message.from;
  const MessageComponent core{Where::Core, message.from}, interface { Where::Interface, message.from };
  list.add(core, message.at(MessageStep::Rang), message.at(MessageStep::Arrived), "store to doorbell");
  list.add(interface, message.at(MessageStep::Arrived), message.at(MessageStep::Begun), "queue", true);
  list.add(interface, message.at(MessageStep::Begun), message.at(MessageStep::Fetched), "descriptor");
  for (const MessagePacket& packet : message.packets) add_packet(list, message, packet);
  const MessageComponent last{Where::Interface, end};
  list.add(last, message.at(MessageStep::Slot), message.at(MessageStep::SlotWritten), "slot");
  if (to_slot)
    list.add(last, message.at(MessageStep::SlotWritten), message.at(MessageStep::Completed), "completion");
  list.add({Where::Core, end}, message.at(MessageStep::Completed), message.at(MessageStep::Seen), "poll",
           true);
  list.on_way = false;
  list.add(core, message.at(MessageStep::Done), message.at(MessageStep::DoneSeen), "poll of the sender",
           true);
  return std::move(list.slices);
}

std::string title_of(const cosim::TracedMessage& message) {
  std::string text = fmt::format("{}: {} of {} bytes, rank {} to {}", message.name(), message.operation,
                                 message.bytes, message.from, message.to);
  if (message.label.known)
    text += fmt::format(" ({}, tag {}, {} bytes of the user)", message.label.kind, message.label.tag,
                        message.label.bytes);
  return text;
}

std::string place_text(const cosim::TimedPlace& place) {
  std::string text = fmt::format("cycle {}, PC {:#x}", place.cycle, place.pc);
  if (!place.source.empty()) text += " " + place.source;
  if (!place.call.empty()) text += ", in " + place.call;
  if (!place.call_source.empty()) text += ", called " + place.call_source;
  return text;
}

}  // namespace psim
