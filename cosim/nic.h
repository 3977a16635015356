// SPDX-License-Identifier: Apache-2.0
// Models: the network interface of a node: put and get between the memories of two ranks, with no processor
// at the other end. Each rank of the node has registers and queues of its own; the engines serve all.
// Parameters: NicConfig.
//
// Input:  in_registers, writes of 8 bytes, from any number of cores: cosim/nic_registers.h.
//         in_packets, whole messages, arrived.
// Output: out_dma, to the node's memory, with physical addresses (cosim/address_spaces.h).
//         out_packets, whole messages; the address is the destination node.
// All TLM-2.0, b_transport. Messages between ranks of the node do not leave it.
//
// Puts and gets by registers; queues of operations and messages in guest memory: cosim/nic_queues.h.
//
// There are two engines. Each does one thing at a time, first come first served:
//   sending    reads the data of a put, or of a reply to a get, by DMA; the message leaves `setup` after the
//              last byte was read
//   receiving  writes the data by DMA, then the flag, then answers: a put by Done, a get by Reply (sent by
//              the sending engine)
// A message started by registers is read whole before it is sent, and received whole before it is written.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <systemc>
#include <utility>
#include <vector>

#include "cosim/message_timeline.h"
#include "cosim/nic_config.h"
#include "cosim/nic_message.h"
#include "cosim/nic_queues.h"
#include "cosim/nic_registers.h"
#include "cosim/operation_log.h"
#include "cosim/present.h"

namespace psim::cosim {

/// The channel of an interface to its router.
struct NicChannel {
  std::uint64_t packet_bytes = 0;                          ///< of a packet, without the network's header
  std::function<std::uint64_t(std::uint64_t bytes)> time;  ///< ps of these bytes with their packets' headers
};

/// The ranks of a node, and all; numbered node by node.
struct NicRanks {
  std::uint32_t node = 0;
  std::uint32_t of_node = 1;  ///< ranks of each node
  std::uint32_t all = 1;
  std::uint32_t cores = 1;        ///< of each rank
  bool loopback_channel = false;  ///< messages inside the node take the time of the channel

  std::uint32_t first() const { return node * of_node; }
  /// Returns "node 3", or "node 3, rank 13" where nodes have several ranks.
  std::string name(std::uint32_t rank) const;
};

class Nic : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<Nic> in_registers{"in_registers"};
  tlm_utils::simple_initiator_socket<Nic> out_dma{"out_dma"};
  tlm_utils::simple_initiator_socket<Nic> out_packets{"out_packets"};
  tlm_utils::simple_target_socket<Nic> in_packets{"in_packets"};

  /// Called when the flag at `address` of rank `local` of this node, for which the program of `operation`
  /// waits, has been written.
  using FlagListener =
      std::function<void(std::uint32_t local, std::uint64_t address, std::uint64_t operation)>;
  /// Called when a flag or a completion has been written, for which the program of rank `local` may wait.
  using EventListener = std::function<void(std::uint32_t local)>;

  /// Returns "PC 0x10ab8, in f at a.c:12" for an instruction of the program of rank `local`.
  using PcText = std::function<std::string(std::uint32_t local, std::uint64_t pc)>;

  /// Writes of core n to in_registers, in the order of binding, are those of rank n / ranks.cores. A
  /// program's mistake goes to `failure` as a UserError.
  Nic(sc_core::sc_module_name name, const NicRanks& ranks, const NicConfig& config, NicChannel channel,
      OperationLog& log, Failure& failure, FlagListener listener, EventListener event, PcText pc_text);

  /// Makes `count` receive the number of packets of each message that leaves or arrives. Call it before the
  /// simulation.
  void count_packets(std::function<void(std::uint64_t)> count) { count_ = std::move(count); }
  /// Makes `count` receive the bytes of data that leave rank `local` for another node, or arrive from there,
  /// without headers. Call it before the simulation.
  void count_data(std::function<void(std::uint32_t local, bool sent, std::uint64_t bytes)> count) {
    count_data_ = std::move(count);
  }
  /// Notes the steps of messages of queues in `trace`, which outlives this.
  void attach(MessageTrace& trace);
  /// Reports descriptors and completions of queues to `paths`, which outlives this.
  void attach(NodePaths& paths);
  /// Returns the queues of rank `local` of this node.
  NicQueues& queues(std::uint32_t local) { return contexts_[local]->queues; }
  const NicQueues& queues(std::uint32_t local) const { return contexts_[local]->queues; }

 private:
  /// A message to send; its data, if any, are read from `from` of rank `local` first.
  struct Outgoing {
    NicMessage message;
    std::uint32_t local = 0;
    std::uint64_t from = 0;
  };
  using Bytes = NicQueues::Bytes;

  /// The registers and queues of one rank.
  struct Context final : QueueInterface {
    Context(Nic& interface, std::uint32_t number, std::uint32_t dma_reads);
    Reading begin_read(std::uint64_t address, std::span<std::byte> bytes) override;
    void wait_until(std::uint64_t time) override;
    std::uint64_t now() const override { return present_ps(); }
    bool write(std::uint64_t address, std::span<const std::byte> bytes) override;
    void transmit(std::uint32_t to, Bytes packet) override {
      if (!nic.inside(to)) nic.count_data_(local, true, data_bytes(packet));
      nic.transmit(to, std::move(packet));
    }
    void post(std::function<void()> job) override { nic.post(std::move(job)); }
    void report(std::string_view text) override;
    std::string place(const StoreOrigin& origin) const override;
    void signal() override { nic.event_(local); }
    std::uint64_t& reg(NicRegister name) { return registers[static_cast<std::uint64_t>(name) / 8]; }

    Nic& nic;
    const std::uint32_t local;  ///< among the ranks of the node
    const std::uint32_t rank;
    std::array<std::uint64_t, 8> registers{};
    NicQueues queues;
  };

  void transmit(std::uint32_t to, Bytes packet);
  void post(std::function<void()> job);
  void write_register(int core, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void ring(Context& context, std::uint64_t kind);
  void set_barrier_flag(const Context& context, std::uint64_t group);
  void take_packets(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  template <class Item, class Handle>
  void serve_in_turn(std::deque<Item>& items, sc_core::sc_event& more, Handle handle);
  void sending();
  void send(const Outgoing& job);
  void receiving();
  void receive(const Bytes& arrived);
  void note(const Bytes& packet, PacketStep step, std::uint64_t time) const;
  void arrive(Bytes arrived);
  void deliver_inside(Bytes packet, std::uint64_t at);
  void looping();
  void write_flag(std::uint32_t local, std::uint64_t address, std::uint64_t value);
  std::pair<bool, sc_core::sc_time> begin_access(bool read, std::uint32_t local, std::uint64_t address,
                                                 std::byte* data, std::uint64_t bytes);
  bool access(bool read, std::uint32_t local, std::uint64_t address, std::byte* data, std::uint64_t bytes);
  void dma(bool read, std::uint32_t local, std::uint64_t address, std::byte* data, std::uint64_t bytes);
  void post_message(Outgoing job);
  bool inside(std::uint32_t rank) const { return rank / ranks_.of_node == ranks_.node; }
  void count(std::uint64_t bytes) const {
    if (count_) count_((bytes + channel_.packet_bytes - 1) / channel_.packet_bytes);
  }

  const NicRanks ranks_;
  const sc_core::sc_time setup_;
  const NicChannel channel_;
  OperationLog& log_;
  Failure& failure_;
  FlagListener listener_;
  EventListener event_;
  PcText pc_text_;
  std::function<void(std::uint64_t)> count_;
  std::function<void(std::uint32_t, bool, std::uint64_t)> count_data_;
  MessageTrace* trace_ = nullptr;                   ///< null: no message is traced
  std::vector<std::unique_ptr<Context>> contexts_;  ///< by rank of this node
  std::uint64_t channel_free_ = 0;                  ///< ps: all packets of queues will have left
  std::deque<std::function<void()>> outgoing_;
  std::deque<Bytes> incoming_;
  /// A message between two ranks of this node, and the time at which it has come back, ps.
  struct Looped {
    std::uint64_t at;
    Bytes bytes;
  };
  std::deque<Looped> looped_;
  sc_core::sc_event outgoing_more_, incoming_more_, looped_more_;
};

}  // namespace psim::cosim
