// SPDX-License-Identifier: Apache-2.0
// The network interfaces of nodes. They cut messages into packets as the channel to the router accepts them.
// A message is delivered when its last byte is in the destination's memory.
//
// A packet leaves when the DMA engine has read it, the channel is free and the router's buffer has room. A
// message of no bytes is one packet. A packet of no bytes (no header either) counts as one byte.
//
// Messages take a node's ports in turn, and each uses one port. Data of rendezvous take turns of their own,
// so that the requests between them do not make them skip ports. With nic.port_choice = destination, all
// messages to a node take the same port; with near, those from which the route is shortest. With nic.stripe,
// a long message is sent in parts, one on each port; each part is a message of its own, and the whole is
// delivered with the last of them. With several ports, messages of one node to another may overtake each
// other and are put in order at the destination. Ports at several switches (nic.rails) are at one router here
// (RailGraph).
//
// nic.send_interval holds messages back at their port. nic.receive_interval holds back the completion of
// messages at the port where their last packet arrives.
//
// With congestion.control, a queue sends the first of its messages whose flow may send; flows are in order.
//
// Messages inside a node go through its memory, or with nic.loopback through a port and straight back.
//
// Messages sent in place (the data of a rendezvous) have queues of their own; both queues of a port take
// turns, packet by packet. So no reply waits until a long message has left, and each queue stays in order.
//
// With network.model = analytic, messages between nodes take the time of a formula, without packets, DMA
// engines and ports.
//
// On an ideal network (AnalyticConfig::ideal) all messages arrive at the instant at which they are sent.
//
// Interfaces send and receive control packets of remote direct memory access themselves, without DMA engines.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "netsim/analytic/analytic_network.h"
#include "netsim/engine/engine.h"
#include "netsim/fabric/fabric.h"
#include "netsim/nic/delivery_order.h"
#include "netsim/nic/flow_rates.h"
#include "netsim/nic/interface_counts.h"
#include "netsim/nic/message_pool.h"
#include "netsim/nic/near_ports.h"
#include "netsim/nic/packet_order.h"
#include "netsim/nic/remote_messages.h"
#include "netsim/statistics/latency_histogram.h"
#include "netsim/statistics/time_bins.h"

namespace psim::net {

/// The receiver of notifications of the interfaces.
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// Called when the whole message is in memory. Its record is freed after the call.
  virtual void delivered(Message& message) = 0;
  /// Called when the sender's memory has been read; only for messages that were sent in place.
  virtual void departed(Message& message) = 0;
  virtual void timer(std::uint64_t token, std::uint32_t rank) = 0;
  /// Prefetches the state that delivered() needs for a message with this envelope.
  virtual void prefetch(const Envelope&) const {}
};

/// Packets received by all nodes.
struct PacketCount {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;         ///< headers included
  std::uint64_t latency_sum = 0;   ///< ps, from start of injection to the tail's arrival
  std::uint64_t latency_most = 0;  ///< ps
  LatencyHistogram latency;
};

/// Busy time of the DMA engines of all nodes, ps.
struct DmaTime {
  std::uint64_t read = 0;   ///< reading memory, for sends
  std::uint64_t write = 0;  ///< writing memory, for receives

  void add(const DmaTime& other) { read += other.read, write += other.write; }
};

class NetworkInterfaces {
 public:
  NetworkInterfaces(const NetworkConfig& config, const Graph& graph, const Routing& routing, Engine& engine,
                    Fabric& fabric, Receiver& receiver, LinkSleep* sleep);

  MessagePool& pool() { return pool_; }
  /// Messages from and to other host processes.
  RemoteMessages& remote() { return remote_; }
  /// Hands over a message of `node` (on the router being served) whose envelope, wire_bytes, data and node
  /// are set.
  void send(std::uint32_t node, std::uint32_t number);

  // Prefetch the state that these events need; prefetch_message follows prefetch_injected.
  void prefetch_injected(const Event& event) const {
    const std::size_t port = port_index(event);
    prefetch_line(&ports_[port]);
    prefetch_line(&credits_[port * vcs_]);
    if (dma_limits_) prefetch_line(&nodes_[port / ports_a_node_]);
  }
  void prefetch_ejected(const Event& event) const {
    fabric_.prefetch_packet(event);
    if (!several_ && !names_rail_) pool_.prefetch(Fabric::message_of(event));
  }
  /// Prefetches the receiver's state if the packet may be the last of its message; follows prefetch_ejected.
  void prefetch_receiver(const Event& event) {
    if (several_ || names_rail_) return;
    const Message& message = pool_[Fabric::message_of(event)];
    if (message.arrived + payload_ >= message.wire_bytes) receiver_.prefetch(message.envelope);
  }
  void prefetch_message(const Event& event) const {
    const Port& port = ports_[port_index(event)];
    const Queue& next = port.queues[port.queues[port.turn].empty() ? port.turn ^ 1 : port.turn];
    if (!next.empty()) pool_.prefetch(next.head);
  }

  /// Reports to LinkSleep since when the channels of this process's nodes are idle.
  void settle();

  [[gnu::hot]] void injected(const Event& event);
  [[gnu::hot]] void ejected(const Event& event);
  void completed(const Event& event);

  /// Reports the traffic of chosen nodes to `watch`, which must outlive this.
  void attach(Watch& watch) { watch_ = &watch; }
  /// Returns the traffic of one node's channel to its router.
  const ChannelCount& sent(std::uint32_t node, std::uint32_t port) const {
    return ports_[std::size_t{node} * ports_a_node_ + port].sent;
  }
  /// Returns the packets and bytes that came straight back to the node by that port; `busy` is 0.
  ChannelCount looped(std::uint32_t node, std::uint32_t port) const {
    const Port& at = ports_[std::size_t{node} * ports_a_node_ + port];
    return {.busy = 0, .packets = at.looped_packets, .bytes = at.looped_bytes};
  }
  /// Writes the counts of nodes `first` … `end` - 1; reads them on the process that sums up.
  void write(Parcel& parcel, std::uint32_t first, std::uint32_t end) const;
  void read(Parcel& parcel, std::uint32_t first, std::uint32_t end);

  /// Returns whether options are on that counts() counts.
  bool counts_options() const {
    if (congestion_ || packet_order_) return true;

    return !message_times_.empty() || stripe_ != 0 || fabric_.errors() != nullptr;
  }
  const InterfaceCounts& counts() const { return counts_; }
  InterfaceCounts& counts() { return counts_; }
  /// Adds the counts of another process.
  void add(const PacketCount& received, std::uint64_t messages, const DmaTime& dma);
  /// Returns packets received (series 0) and messages sent (1) over time.
  const TimeBins& flow() const { return flow_; }
  TimeBins& flow() { return flow_; }
  const PacketCount& received() const { return received_; }
  const DmaTime& dma() const { return dma_time_; }
  /// Returns whether DMA takes any time.
  bool counts_dma() const { return dma_limits_ || dma_startup_ != 0; }
  std::uint64_t messages() const { return messages_; }
  /// Returns whether messages take no time.
  bool ideal() const { return ideal_; }
  std::uint64_t backlog() const { return queued_; }  ///< messages not wholly given to routers

 private:
  void take_notice(const Event& event);
  struct Queue {              ///< messages of a port, first in first out
    std::uint64_t ready = 0;  ///< when the DMA engine has read the next packet; 0: not started
    std::uint32_t head = Message::kNone;
    std::uint32_t tail = Message::kNone;
    bool empty() const { return head == Message::kNone; }
  };
  struct Port {  ///< a node's channel to its router
    std::uint64_t busy_until = 0;
    std::uint64_t free_since = 0;  ///< when the last packet had left
    ChannelCount sent;
    std::uint64_t looped_packets = 0, looped_bytes = 0;  ///< came straight back
    Queue queues[2];                                     ///< by Message::bulk
    std::uint8_t turn = 0;                               ///< the queue with the next turn
    bool waking = false;
    bool empty() const { return queues[0].empty() && queues[1].empty(); }
  };
  struct MessageTimes {          ///< of a port with limits of messages
    std::uint64_t start = 0;     ///< when the next message may start
    std::uint64_t complete = 0;  ///< when the next message may be complete
  };
  struct Node {
    std::uint64_t read_until = 0;   ///< by the DMA engine that reads memory
    std::uint64_t write_until = 0;  ///< by the DMA engine that writes memory
    std::uint64_t copy_until = 0;   ///< of the memory path inside the node
    std::uint32_t turn[2]{};        ///< the port that takes the next message, by Message::bulk
  };

  static constexpr std::uint64_t kWaitStep = 1 << 14;  ///< ps; of the wait in a notice
  static constexpr std::uint8_t kNotice = 2;  ///< a Completed event's vc: a notice, in `data` and `port`

  // A port has the number node · ports_a_node_ + number in the node.
  void inject(std::uint32_t port);
  /// Gives the router a packet of this queue if possible now, and returns whether it did. Lowers `again` to
  /// the time of the next attempt.
  [[gnu::hot]] bool inject_from(std::uint32_t port, Queue& queue, std::uint64_t& again);
  /// Returns whether the interface can send a packet of this queue, of its first message. With congestion
  /// control it makes another message the first. Lowers `again` to the time of the next attempt.
  bool ready(std::uint32_t port, Queue& queue, std::uint64_t& again);
  bool choose_flow(std::uint32_t node, Queue& queue, std::uint64_t& again);
  /// Notes the arrival of the packet of an Ejected at `node`, for congestion control.
  void note_arrival(const Event& event, const Packet& packet, std::uint32_t node, bool marked);
  /// Handles the packet of an Ejected, of message `number`.
  void place(const Event& event, std::uint32_t number);
  void place_in_order(const Event& event, std::uint32_t number, std::uint32_t packet);
  /// Returns the time from the start of a packet, which a paced port sends now, until its next may start.
  /// Adds its delay by errors of the link to `late`, and the port to the message's number if it is a part.
  std::uint64_t pace(std::uint32_t port, const Message& message, Packet& packet, std::uint64_t& late);
  /// Returns when the packet of an Ejected is in memory, and its message complete if it is the last one.
  std::uint64_t in_memory(const Event& event, Message& message, std::uint64_t data, bool whole);
  void queue_at(std::uint32_t port, std::uint32_t number);
  void send_striped(std::uint32_t node, std::uint32_t number);
  void finish_part(std::uint32_t number);
  /// Occupies the node's DMA engine that is free first, from `from` on for `time` ps; returns the end.
  /// `others`: the further engines of the same direction.
  std::uint64_t engine(std::uint64_t& one, std::uint64_t* others, std::uint64_t from, std::uint64_t time);
  void wake(std::uint32_t port, std::uint64_t time);
  void wake_link(std::uint32_t port, std::uint8_t owner);
  void finish(std::uint32_t number);
  void report(std::uint32_t number);
  void complete_at(std::uint64_t time, std::uint32_t number, bool at_source);
  /// Returns the port of an event. Ports of nodes follow those to routers, in the order of the nodes.
  std::size_t port_index(const Event& event) const {
    const std::uint32_t first = first_node_[event.router];
    return std::size_t{first} * ports_a_node_ + event.port - graph_.node_port[first];
  }
  std::uint8_t channel_for(const Message& message) const;
  std::uint8_t channel_with_room(std::uint32_t port, std::uint64_t bytes) const;
  void send_inside(std::uint32_t node, std::uint32_t number);
  void send_analytic(std::uint32_t node, std::uint32_t number);
  std::uint32_t next_port(std::uint32_t node, Message& message);

  const Graph& graph_;
  const Routing& routing_;
  Engine& engine_;
  Fabric& fabric_;
  Receiver& receiver_;
  LinkSleep* sleep_;        ///< null: links never sleep
  Watch* watch_ = nullptr;  ///< null: none
  std::uint64_t payload_, header_;
  Rate link_, channel_, dma_, copy_;
  bool dma_limits_;
  std::uint64_t packet_interval_, send_interval_, receive_interval_;
  Rate injection_rate_;
  bool paced_;
  bool checks_;          ///< ready() has something to check
  bool checks_arrival_;  ///< in_memory() may be later than the arrival
  bool by_destination_;  ///< PortChoice::Destination
  std::uint64_t stripe_;
  bool spread_;      ///< NicRails::Spread
  bool names_rail_;  ///< packets may have a Packet::rail()
  std::uint64_t dma_startup_, delay_, memory_latency_;
  std::uint64_t to_request_;  ///< from injection to the head's request at the router
  std::uint32_t vcs_;
  std::uint32_t ports_a_node_;

  bool in_order_;
  DeliveryOrder order_;
  std::unique_ptr<FlowRates> congestion_;          ///< null: none
  std::unique_ptr<AnalyticNetwork> notice_times_;  ///< of notices of congestion
  bool notes_packets_ = false;                     ///< ejected() has to look at marks or numbers
  std::unique_ptr<NearPorts> near_;                ///< null: no PortChoice::Near
  std::unique_ptr<PacketOrder> packet_order_;      ///< null: PacketPlacement::Any
  bool ideal_;
  std::unique_ptr<AnalyticNetwork> analytic_;  ///< null: messages are cut into packets
  MessagePool pool_;
  bool several_;  ///< several host processes
  RemoteMessages remote_;
  HugeVector<Port> ports_;                   ///< by node and port
  std::vector<MessageTimes> message_times_;  ///< by node and port; empty: no limits
  HugeVector<std::uint32_t> credits_;        ///< by node, port and VC, bytes
  HugeVector<Node> nodes_;
  std::uint32_t further_engines_;       ///< of a node and direction, beyond the first
  std::vector<std::uint64_t> engines_;  ///< by node: until when the further ones read, then write
  bool interleave_, loopback_;
  bool any_channel_;                       ///< VcChoice::Free
  bool by_marks_;                          ///< only marked packets cause notices
  std::vector<std::uint32_t> first_node_;  ///< by router
  PacketCount received_;
  DmaTime dma_time_;
  InterfaceCounts counts_;
  TimeBins flow_{2};
  std::uint64_t messages_ = 0;
  std::uint64_t queued_ = 0;
};

}  // namespace psim::net
