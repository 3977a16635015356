// SPDX-License-Identifier: Apache-2.0
// Models: the network interface of a node: put and get between the memories of two nodes, with no processor
// at the other end. Parameters: NicConfig.
//
// Input:  in_registers, writes of 8 bytes from any number of cores: cosim/nic_registers.h.   in_packets,
// whole messages, arrived. Output: out_dma, to the node's memory.   out_packets, whole messages; the address
// is the destination node. All TLM-2.0, b_transport.
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
#include <string>
#include <systemc>
#include <vector>

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

class Nic : public sc_core::sc_module, private QueueInterface {
 public:
  tlm_utils::multi_passthrough_target_socket<Nic> in_registers{"in_registers"};
  tlm_utils::simple_initiator_socket<Nic> out_dma{"out_dma"};
  tlm_utils::simple_initiator_socket<Nic> out_packets{"out_packets"};
  tlm_utils::simple_target_socket<Nic> in_packets{"in_packets"};

  /// Called when the flag at `address` here, for which the program of `operation` waits, has been written.
  using FlagListener = std::function<void(std::uint64_t address, std::uint64_t operation)>;
  /// Called when a flag or a completion has been written here, for which a program may wait.
  using EventListener = std::function<void()>;

  /// Makes interface `node` of `nodes`. A program's mistake goes to `failure` as a UserError.
  Nic(sc_core::sc_module_name name, std::uint32_t node, std::uint32_t nodes, const NicConfig& config,
      NicChannel channel, OperationLog& log, Failure& failure, FlagListener listener, EventListener event);

  NicQueues& queues() { return queues_; }
  const NicQueues& queues() const { return queues_; }

 private:
  /// A message to send; its data, if any, are read from `from` first.
  struct Outgoing {
    NicMessage message;
    std::uint32_t to = 0;
    std::uint64_t from = 0;
  };
  using Bytes = NicQueues::Bytes;

  // QueueInterface
  QueueInterface::Reading begin_read(std::uint64_t address, std::span<std::byte> bytes) override;
  void wait_until(std::uint64_t time) override;
  std::uint64_t now() const override { return present_ps(); }
  bool write(std::uint64_t address, std::span<const std::byte> bytes) override;
  void transmit(std::uint32_t to, Bytes packet) override;
  void post(std::function<void()> job) override;
  void report(std::string_view text) override;
  void signal() override { event_(); }

  void write_register(int core, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void ring(std::uint64_t kind);
  void take_packets(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void sending();
  void send(const Outgoing& job);
  void receiving();
  void receive(const Bytes& arrived);
  void write_flag(std::uint64_t address, std::uint64_t value);
  bool access(bool read, std::uint64_t address, std::byte* data, std::uint64_t bytes);
  void dma(bool read, std::uint64_t address, std::byte* data, std::uint64_t bytes);
  void post_message(Outgoing job);
  std::uint64_t& reg(NicRegister name) { return registers_[static_cast<std::uint64_t>(name) / 8]; }

  const std::uint32_t node_, nodes_;
  const sc_core::sc_time setup_;
  const NicChannel channel_;
  OperationLog& log_;
  Failure& failure_;
  FlagListener listener_;
  EventListener event_;
  std::array<std::uint64_t, 8> registers_{};
  NicQueues queues_;
  std::uint64_t channel_free_ = 0;  ///< ps: all packets of queues will have left
  std::deque<std::function<void()>> outgoing_;
  std::deque<Bytes> incoming_;
  sc_core::sc_event outgoing_more_, incoming_more_;
};

}  // namespace psim::cosim
