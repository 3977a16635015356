// SPDX-License-Identifier: Apache-2.0
// The times before which interfaces cannot send or complete: DMA engines, pacing, rates of messages, errors
// of the link to the router.
#include <algorithm>

#include "netsim/fabric/fabric.h"
#include "netsim/nic/network_interface.h"

namespace psim::net {

std::uint64_t NetworkInterfaces::engine(std::uint64_t& one, std::uint64_t* others, std::uint64_t from,
                                        std::uint64_t time) {
  std::uint64_t* first = &one;
  for (std::uint32_t i = 0; i < further_engines_; ++i)
    if (others[i] < *first) first = &others[i];
  return *first = std::max(*first, from) + time;
}

bool NetworkInterfaces::ready(std::uint32_t index, Queue& queue, std::uint64_t& again) {
  if (congestion_ && !choose_flow(index / ports_a_node_, queue, again)) return false;
  const Message& message = pool_[queue.head];
  const std::uint64_t data = std::min(payload_, message.wire_bytes - message.injected);
  std::uint64_t from = 0;
  if (counts_dma() && !message.control) {
    // The engine reads one packet ahead of the packet that waits for the channel.
    if (queue.ready == 0) {
      const std::uint32_t node = index / ports_a_node_;
      const std::uint64_t time =
          (message.injected == 0 ? dma_startup_ : 0) + (dma_limits_ ? dma_.part(message.injected, data) : 0);
      dma_time_.read += time;
      queue.ready = engine(nodes_[node].read_until,
                           engines_.data() + std::size_t{node} * 2 * further_engines_, message.queued, time);
    }
    from = queue.ready;
  }
  if (send_interval_ != 0 && message.serialised == 0) from = std::max(from, message_times_[index].start);
  if (from <= engine_.now()) return true;
  again = std::min(again, from);
  return false;
}

std::uint64_t NetworkInterfaces::pace(std::uint32_t index, const Message& message, Packet& packet,
                                      std::uint64_t& late) {
  const Port& port = ports_[index];
  const std::uint64_t now = engine_.now();
  if (const LinkErrors* errors = fabric_.errors(); errors != nullptr && packet.node() != message.node) {
    const std::uint64_t copies =
        errors->bad_copies(LinkErrors::kFromNodes + index, port.sent.packets, packet.bytes);
    late = errors->delay(copies, packet.lag, LinkErrors::kOfNode);
    counts_.node_retries += copies;
    counts_.node_retry_ps += late;
  }
  if (const bool first = message.serialised == packet.bytes; first && send_interval_ != 0) {
    const std::uint64_t free = std::max(message.queued, port.busy_until);
    std::uint64_t& start = message_times_[index].start;
    if (start > free) {
      ++counts_.send_waits;
      counts_.send_wait_ps += start - free;
    }
    start = now + send_interval_;
  }
  if (congestion_) congestion_->sent(FlowRates::flow(packet.node(), message.node), now, packet.bytes);
  if (names_rail_) {
    std::uint32_t rail = message.whole != Message::kNone ? index % ports_a_node_ + 1 : 0;
    if (spread_) rail = routing_.rail(NodeId{message.node});
    packet.message |= rail << Packet::kMessageBits;
  }
  return std::max({packet.lag + late, packet_interval_, injection_rate_.time(packet.bytes)});
}

std::uint64_t NetworkInterfaces::in_memory(const Event& event, Message& message, std::uint64_t data,
                                           bool whole) {
  std::uint64_t done = event.time;
  if (dma_limits_ && !message.control) {
    const std::uint64_t time = dma_.part(message.arrived - data, data);
    dma_time_.write += time;
    const std::uint64_t written =
        engine(nodes_[message.node].write_until,
               engines_.data() + (std::size_t{message.node} * 2 + 1) * further_engines_, event.time, time);
    done = message.written = std::max(message.written, written);
  }
  if (!whole || receive_interval_ == 0) return done;
  std::uint64_t& complete = message_times_[port_index(event)].complete;
  if (complete > done) {
    ++counts_.receive_waits;
    counts_.receive_wait_ps += complete - done;
    done = complete;
  }
  complete = done + receive_interval_;
  return done;
}

/// Makes the first message of a flow that may send now the first of the queue, among the first kFlows.
bool NetworkInterfaces::choose_flow(std::uint32_t node, Queue& queue, std::uint64_t& again) {
  constexpr int kFlows = 64;
  std::uint32_t before = Message::kNone;
  std::uint32_t number = queue.head;
  for (int i = 0; i < kFlows && number != Message::kNone; ++i) {
    const std::uint64_t next = congestion_->next(FlowRates::flow(node, pool_[number].node));
    if (next <= engine_.now()) {
      if (before == Message::kNone) return true;
      pool_[before].next = pool_[number].next;
      if (queue.tail == number) queue.tail = before;
      pool_[number].next = queue.head;
      queue.head = number;
      queue.ready = 0;
      return true;
    }
    again = std::min(again, next);
    before = number;
    number = pool_[number].next;
  }
  return false;
}

/// Sends the notice that the packet causes. Its event has the flow in 48 bits of the data, the number of
/// flows above it, and the wait in the port, in steps of kWaitStep.
void NetworkInterfaces::note_arrival(const Event& event, const Packet& packet, std::uint32_t node,
                                     bool marked) {
  if (!marked && (by_marks_ || packet.node() == node)) return;
  counts_.marked += marked;
  const std::uint64_t empty = notice_times_->latency(packet.node(), node) + channel_.time(packet.bytes);
  const std::uint64_t took = event.time - packet.born;
  const auto notice = congestion_->arrived(FlowRates::flow(packet.node(), node), event.time,
                                           {.port = port_index(event),
                                            .bytes = packet.bytes,
                                            .marked = marked,
                                            .wait = took > empty ? took - empty : 0});
  if (!notice) return;
  ++counts_.notices;
  auto& sent = engine_.schedule(event.time + notice_times_->latency(node, packet.node()),
                                graph_.node_router[packet.node()], EventKind::Completed);
  sent.port = static_cast<std::uint16_t>(std::min<std::uint64_t>(notice->wait / kWaitStep, 0xffff));
  sent.vc = kNotice;
  sent.data = std::uint64_t{notice->flows} << 2 * Packet::kNodeBits |
              std::uint64_t{packet.node()} << Packet::kNodeBits | node;
}

void NetworkInterfaces::take_notice(const Event& event) {
  constexpr std::uint64_t kNode = (std::uint64_t{1} << Packet::kNodeBits) - 1;
  congestion_->take(FlowRates::flow(static_cast<std::uint32_t>(event.data >> Packet::kNodeBits & kNode),
                                    static_cast<std::uint32_t>(event.data & kNode)),
                    event.time,
                    {.flows = static_cast<std::uint32_t>(event.data >> 2 * Packet::kNodeBits),
                     .wait = event.port * kWaitStep});
}

void NetworkInterfaces::place_in_order(const Event& event, std::uint32_t number, std::uint32_t packet) {
  const std::uint32_t node = pool_[number].node;
  if (!packet_order_->take(node, number, packet, payload_, event.time, counts_)) return;
  for (bool more = true; more;) {
    const Message& message = pool_[number];
    const bool last = message.arrived + payload_ >= message.wire_bytes;
    if (last)
      packet_order_->finish(number);  // before its delivery, after which another message may have its number
    more = !last && packet_order_->next(node, number, payload_, event.time, counts_);
    place(event, number);
  }
}

}  // namespace psim::net
