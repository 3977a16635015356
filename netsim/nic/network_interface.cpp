// SPDX-License-Identifier: Apache-2.0
#include "netsim/nic/network_interface.h"

#include <algorithm>

#include "netsim/fabric/fabric_service.h"
#include "netsim/nic/back_pressure.h"
#include "netsim/nic/dcqcn.h"
#include "netsim/statistics/watch.h"

namespace psim::net {
namespace {

constexpr std::uint8_t kWake = 0xff;  // an Injected event's vc: the channel is free; no credits returned

/// Returns the destination's key in DeliveryOrder: each queue has an order of its own. There are fewer than
/// 2^24 nodes.
std::uint32_t order_key(const Message& message) {
  return message.node | static_cast<std::uint32_t>(message.bulk) << 31;
}

}  // namespace

NetworkInterfaces::NetworkInterfaces(const NetworkConfig& config, const Graph& graph, const Routing& routing,
                                     Engine& engine, Fabric& fabric, Receiver& receiver, LinkSleep* sleep)
    : graph_(graph),
      routing_(routing),
      engine_(engine),
      fabric_(fabric),
      receiver_(receiver),
      sleep_(sleep),
      payload_(config.nic.payload.count),
      header_(config.nic.header.count),
      link_(config.link.bandwidth),
      channel_(config.nic.bandwidth),
      dma_(config.nic.dma_bandwidth.count != 0 ? config.nic.dma_bandwidth : BytesPerSecond{1}),
      copy_(config.node.copy_bandwidth),
      dma_limits_(config.nic.dma_bandwidth.count != 0),
      packet_interval_(ps(config.nic.packet_interval)),
      send_interval_(ps(config.nic.send_interval)),
      receive_interval_(ps(config.nic.receive_interval)),
      injection_rate_(config.nic.injection_rate.count != 0 ? config.nic.injection_rate
                                                           : config.nic.bandwidth),
      paced_(config.nic.packet_interval.count() != 0 || config.nic.injection_rate.count != 0 ||
             send_interval_ != 0 || fabric.errors() != nullptr || config.nic.stripe.count != 0 ||
             config.nic.rails == NicRails::Spread || config.congestion.control != CongestionControl::None),
      checks_(dma_limits_ || config.nic.dma_startup.count() != 0 || send_interval_ != 0 ||
              config.congestion.control != CongestionControl::None),
      checks_arrival_(dma_limits_ || receive_interval_ != 0),
      by_destination_(config.nic.port_choice == PortChoice::Destination),
      stripe_(config.nic.stripe.count),
      spread_(config.nic.rails == NicRails::Spread),
      names_rail_(stripe_ != 0 || spread_),
      dma_startup_(ps(config.nic.dma_startup)),
      delay_(ps(config.nic.delay)),
      memory_latency_(ps(config.node.memory_latency)),
      to_request_(delay_ + ps(config.router.routing)),
      vcs_(config.router.virtual_channels),
      ports_a_node_(graph.node_ports),
      in_order_((routing.in_order() && !config.nic.interleave && graph.node_ports == 1) ||
                config.model == NetworkModel::Analytic),
      ideal_(config.model == NetworkModel::Analytic && config.analytic.ideal),
      several_(engine.partition().processes() > 1),
      remote_(engine.partition().processes()),
      ports_(std::size_t{graph.nodes()} * ports_a_node_),
      message_times_(send_interval_ != 0 || receive_interval_ != 0 ? ports_.size() : 0),
      credits_(ports_.size() * vcs_, static_cast<std::uint32_t>(config.router.buffer.count)),
      nodes_(graph.nodes()),
      further_engines_(config.nic.dma_engines - 1),
      engines_(std::size_t{graph.nodes()} * 2 * further_engines_),
      interleave_(config.nic.interleave),
      loopback_(config.nic.loopback),
      any_channel_(config.router.vc_choice == VcChoice::Free),
      by_marks_(config.congestion.control == CongestionControl::Dcqcn),
      first_node_(graph.routers() + 1) {
  if (config.model == NetworkModel::Analytic)
    analytic_ = std::make_unique<AnalyticNetwork>(config, graph, routing);
  if (config.congestion.control != CongestionControl::None) {
    if (config.congestion.control == CongestionControl::Dcqcn)
      congestion_ = std::make_unique<Dcqcn>(config.congestion, config.nic.bandwidth);
    else
      congestion_ = std::make_unique<BackPressure>(config.congestion, config.nic.bandwidth, ports_a_node_);
    NetworkConfig empty = config;
    empty.analytic = {};
    notice_times_ = std::make_unique<AnalyticNetwork>(empty, graph, routing);
  }
  if (config.nic.port_choice == PortChoice::Near) near_ = std::make_unique<NearPorts>(config, graph, routing);
  if (config.nic.placement == PacketPlacement::Ordered)
    packet_order_ = std::make_unique<PacketOrder>(graph.nodes());
  notes_packets_ = congestion_ || packet_order_;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) ++first_node_[graph.node_router[node] + 1];
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    first_node_[router + 1] += first_node_[router];
}

void NetworkInterfaces::send(std::uint32_t node, std::uint32_t number) {
  ++messages_;
  flow_.add(1, engine_.now(), 1);
  Message& message = pool_[number];
  message.source = node;
  message.queued = engine_.now();
  if (ideal_) [[unlikely]] {
    message.arrived = message.wire_bytes;
    if (message.in_place) complete_at(engine_.now(), number, true);
    return complete_at(engine_.now(), number, false);
  }
  if (message.node == node && (!loopback_ || analytic_)) return send_inside(node, number);
  if (analytic_) return send_analytic(node, number);
  message.address = routing_.address(NodeId{message.node});
  message.bulk = message.in_place;
  if (!in_order_) {
    message.order = order_.next(node, order_key(message));
    if (stripe_ != 0 && message.wire_bytes > stripe_) return send_striped(node, number);
  }
  if (const std::uint32_t router = graph_.node_router[message.node]; !engine_.is_here(router))
    remote_.announce(engine_.partition().owner(router), number, message);
  queue_at(node * ports_a_node_ + (ports_a_node_ == 1 ? 0 : next_port(node, message)), number);
}

/// Appends a message to a queue of a port.
void NetworkInterfaces::queue_at(std::uint32_t index, std::uint32_t number) {
  const Message& message = pool_[number];
  ++queued_;
  if (sleep_ != nullptr) wake_link(index, message.owner);
  Queue& queue = ports_[index].queues[message.bulk];
  if (queue.empty()) {
    queue.head = queue.tail = number;
    inject(index);
  } else {
    pool_[queue.tail].next = number;
    queue.tail = number;
  }
}

/// Sends a message through the node's memory: one copy at a time.
void NetworkInterfaces::send_inside(std::uint32_t node, std::uint32_t number) {
  Message& message = pool_[number];
  Node& at = nodes_[node];
  at.copy_until = std::max(at.copy_until, engine_.now()) + copy_.time(message.wire_bytes);
  message.arrived = message.wire_bytes;
  if (message.in_place) complete_at(at.copy_until, number, true);
  complete_at(at.copy_until + memory_latency_, number, false);
}

/// Sends a message over the analytic network. Its buffer is free once its bytes have left.
void NetworkInterfaces::send_analytic(std::uint32_t node, std::uint32_t number) {
  Message& message = pool_[number];
  const std::uint64_t now = engine_.now(), left = now + analytic_->transfer(message.wire_bytes);
  std::uint64_t arrival = left + analytic_->latency(node, message.node);
  if (message.in_place) {
    complete_at(left, number, true);
  } else {
    const Envelope& envelope = message.envelope;
    arrival = analytic_->order().after_earlier(
        std::uint64_t{index(envelope.source)} << 32 | index(envelope.destination), now, arrival);
  }
  const std::uint32_t router = graph_.node_router[message.node];
  const bool here = engine_.is_here(router);
  if (!here) remote_.announce(engine_.partition().owner(router), number, message);
  auto& event = engine_.schedule(arrival, router, EventKind::Completed);
  event.port = !here;
  event.vc = 0;
  event.data = number;
}

void NetworkInterfaces::complete_at(std::uint64_t time, std::uint32_t number, bool at_source) {
  auto& event = engine_.schedule(time, engine_.router(), EventKind::Completed);
  event.port = 0;
  event.vc = at_source;
  event.data = number;
}

/// Called when a message is about to queue: a sleeping channel is busy until it is awake.
void NetworkInterfaces::wake_link(std::uint32_t index, std::uint8_t owner) {
  Port& port = ports_[index];
  const std::uint64_t now = engine_.now();
  if (port.busy_until >= now || !port.empty()) return;
  const std::size_t direction = sleep_->of_node(index / ports_a_node_, index % ports_a_node_);
  port.busy_until = sleep_->request(direction, port.busy_until, now, owner);
}

void NetworkInterfaces::settle() {
  for (std::uint32_t router = engine_.first_router(); router < engine_.end_router(); ++router)
    for (std::uint32_t index = first_node_[router] * ports_a_node_;
         index < first_node_[router + 1] * ports_a_node_; ++index)
      sleep_->settle(sleep_->of_node(index / ports_a_node_, index % ports_a_node_),
                     ports_[index].empty() ? ports_[index].busy_until : LinkSleep::kBusy);
}

void NetworkInterfaces::wake(std::uint32_t index, std::uint64_t time) {
  if (ports_[index].waking) return;
  ports_[index].waking = true;
  auto& event = engine_.schedule(time, engine_.router(), EventKind::Injected);
  const std::uint32_t node = index / ports_a_node_;
  event.port = static_cast<std::uint16_t>(graph_.node_port[node] + index % ports_a_node_);
  event.vc = kWake;
}

/// Returns the virtual channel of a message: the same for all packets to a node, so that they stay in order.
std::uint8_t NetworkInterfaces::channel_for(const Message& message) const {
  return static_cast<std::uint8_t>(message.node % vcs_);
}

/// Returns the virtual channel of a port's buffer with most room, or vcs_ if none has room for the packet.
std::uint8_t NetworkInterfaces::channel_with_room(std::uint32_t port, std::uint64_t bytes) const {
  const std::uint32_t* const credits = &credits_[std::size_t{port} * vcs_];
  const auto* const most = std::max_element(credits, credits + vcs_);
  return static_cast<std::uint8_t>(*most < bytes ? vcs_ : most - credits);
}

void NetworkInterfaces::inject(std::uint32_t index) {
  Port& port = ports_[index];
  if (port.empty()) return;
  if (port.busy_until > engine_.now()) return wake(index, port.busy_until);
  constexpr std::uint64_t kNever = ~std::uint64_t{0};
  std::uint64_t again = kNever;
  for (int tries = 0; tries < 2; ++tries) {
    Queue& queue = port.queues[port.turn];
    port.turn ^= 1;
    if (queue.empty() || !inject_from(index, queue, again)) continue;
    if (!port.empty()) wake(index, port.busy_until);
    return;
  }
  if (again != kNever) wake(index, again);  // else the arrival of credits calls inject()
}

bool NetworkInterfaces::inject_from(std::uint32_t index, Queue& queue, std::uint64_t& again) {
  const std::uint64_t now = engine_.now();
  if (checks_ && !ready(index, queue, again)) return false;
  const std::uint32_t node = index / ports_a_node_;
  const std::uint32_t number = queue.head;
  Message& message = pool_[number];
  const std::uint64_t data = std::min(payload_, message.wire_bytes - message.injected);
  const std::uint64_t bytes = std::max<std::uint64_t>(1, data + header_);
  std::uint8_t vc = channel_for(message);
  std::uint32_t* room = &credits_[std::size_t{index} * vcs_ + vc];
  const bool inside = message.node == node;
  if (!inside) {
    if (*room < bytes) {
      if (!any_channel_) return false;
      vc = channel_with_room(index, bytes);
      if (vc == vcs_) return false;
      room = &credits_[std::size_t{index} * vcs_ + vc];
    }
    *room -= static_cast<std::uint32_t>(bytes);
  }
  queue.ready = 0;

  std::uint64_t length = channel_.part(message.serialised, bytes), head = now;
  const std::uint64_t serial = link_.part(message.serialised, bytes);
  message.serialised += bytes;
  message.injected += data;
  const bool last = message.injected == message.wire_bytes;
  if (sleep_ != nullptr && sleep_->between_chunks()) {
    const LinkSleep::Waits waits = sleep_->pass(sleep_->of_node(node, index % ports_a_node_),
                                                ports_[index].busy_until, now, bytes, message.owner);
    length += waits.all;
    head += waits.first;
  }
  Packet packet{.born = now,
                .address = message.address,
                .via = 0,
                .source = Packet::source_of(node, message.owner),
                .message = number,
                .bytes = static_cast<std::uint32_t>(bytes),
                .serial = static_cast<std::uint32_t>(serial),
                .lag = static_cast<std::uint32_t>(length),
                .route = {}};
  std::uint64_t late = 0;
  ports_[index].busy_until = now + (paced_ ? pace(index, message, packet, late) : length);
  packet.lag -= static_cast<std::uint32_t>(head - now);
  if (sleep_ != nullptr && sleep_->counts_owners())
    sleep_->take(sleep_->of_node(node, index % ports_a_node_), now, message.owner);
  Port& from = ports_[index];
  ++from.sent.packets;
  from.sent.bytes += bytes;
  from.sent.busy += length + late;
  if (inside) {
    ++from.looped_packets;
    from.looped_bytes += bytes;
  }
  if (watch_ != nullptr) [[unlikely]] {
    // The packet's turn came when the packet before had left, or when the message was handed over.
    const std::uint64_t since = std::max(from.free_since, message.queued);
    watch_->injected(node, index % ports_a_node_, now, length, bytes, now > since ? now - since : 0);
    from.free_since = now + length;
  }
  const auto port = static_cast<std::uint16_t>(graph_.node_port[node] + index % ports_a_node_);
  if (!inside) {
    const std::uint32_t slot = fabric_.inject(head + late + to_request_, port, vc, packet);
    if (packet_order_) [[unlikely]]
      fabric_.set_number(slot, static_cast<std::uint32_t>((message.injected - data) / payload_));
  }
  if (last) {
    --queued_;
    queue.head = message.next;
    message.next = Message::kNone;
    if (message.in_place) complete_at(now + length, number, true);
  } else if (interleave_ && message.bulk && message.next != Message::kNone) {
    queue.head = message.next;
    message.next = Message::kNone;
    pool_[queue.tail].next = number;
    queue.tail = number;
  }
  if (inside) {  // after the event of its departure
    auto& event = engine_.schedule(now + length, engine_.router(), EventKind::Ejected);
    event.port = port;
    event.data = fabric_.hold(packet);
  }
  return true;
}

void NetworkInterfaces::injected(const Event& event) {
  const auto index = static_cast<std::uint32_t>(port_index(event));
  if (event.vc == kWake)
    ports_[index].waking = false;
  else
    credits_[std::size_t{index} * vcs_ + event.vc] += static_cast<std::uint32_t>(event.data);
  inject(index);
}

void NetworkInterfaces::ejected(const Event& event) {
  const std::uint32_t order = notes_packets_ ? fabric_.number(event) : 0;
  const bool marked = notes_packets_ && fabric_.take_mark(event);
  const Packet packet = fabric_.release(event);
  if (sleep_ != nullptr && sleep_->by_port()) {
    const auto index = static_cast<std::uint32_t>(port_index(event));
    wake_link(index, packet.owner());
    sleep_->carry_reverse(sleep_->of_node(index / ports_a_node_, index % ports_a_node_), event.time,
                          event.time, packet.owner());
  }
  ++received_.packets;
  flow_.add(0, event.time, 1);
  received_.bytes += packet.bytes;
  const std::uint64_t latency = event.time - packet.born;
  received_.latency_sum += latency;
  received_.latency.add(latency);
  received_.latency_most = std::max(received_.latency_most, latency);
  if (watch_ != nullptr) [[unlikely]]
    watch_->received(static_cast<std::uint32_t>(port_index(event)) / ports_a_node_, event.time, packet.bytes,
                     latency);
  std::uint32_t number = packet.message;
  if (names_rail_) number &= (1u << Packet::kMessageBits) - 1;
  if (several_) {
    const std::uint32_t home = graph_.node_router[packet.node()];
    if (!engine_.is_here(home)) number = remote_.here(engine_.partition().owner(home), number);
  }
  if (notes_packets_) [[unlikely]] {
    if (congestion_) note_arrival(event, packet, pool_[number].node, marked);
    if (packet_order_ && packet.node() != pool_[number].node) return place_in_order(event, number, order);
  }
  place(event, number);
}

void NetworkInterfaces::place(const Event& event, std::uint32_t number) {
  Message& message = pool_[number];
  const std::uint64_t data = std::min(payload_, message.wire_bytes - message.arrived);
  message.arrived += data;
  const bool whole = message.arrived == message.wire_bytes;
  if (checks_arrival_) {
    const std::uint64_t done = in_memory(event, message, data, whole);
    if (whole && done > event.time) return complete_at(done, number, false);
  }
  if (whole) finish(number);
}

void NetworkInterfaces::finish(std::uint32_t number) {
  const Message& message = pool_[number];
  if (message.whole != Message::kNone) return finish_part(number);
  if (in_order_ || (message.source == message.node && !loopback_)) return report(number);
  order_.whole(message.source, order_key(message), message.order, number,
               [this](std::uint32_t due) { report(due); });
}

void NetworkInterfaces::report(std::uint32_t number) {
  Message& message = pool_[number];
  receiver_.delivered(message);
  if (message.home != Message::kNone) remote_.delivered(message.home, message.home_number);
  pool_.free(number);
}

void NetworkInterfaces::completed(const Event& event) {
  if (event.vc == kNotice) return take_notice(event);
  auto number = static_cast<std::uint32_t>(event.data);
  if (event.port != 0) number = remote_.here(engine_.partition().owner(event.source), number);
  if (event.vc == 0) return finish(number);
  Message& message = pool_[number];
  if (message.whole == Message::kNone) return receiver_.departed(message);
  Message& whole = pool_[message.whole];
  whole.injected += message.wire_bytes;
  if (whole.injected == whole.wire_bytes) receiver_.departed(whole);
}

}  // namespace psim::net
