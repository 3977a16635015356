// SPDX-License-Identifier: Apache-2.0
// Remote direct memory access as paper 000 (NSIM-ACE) section 3.1 has it, and beyond it copies between two
// other ranks and atomic operations. What happens at a node is done by its interface when a packet arrives;
// no rank there is resumed.
//
// A copy: unless the rank that asks has the data, a control packet goes to the node that has; DMA and packets
// bring the data, DMA puts them into memory; unless that is the asker's, a control packet tells it. So a put
// ends when the control packet is back, a get when its data are in memory. An atomic operation: a control
// packet with its operands; the old value comes back through DMA as data.
//
// Control packets are made and taken by the interface: Host::send_control. What arrives first is served
// first. The bytes of a copy are read when its data message is handed to the interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "netsim/message/host.h"
#include "netsim/message/rdma_config.h"
#include "netsim/message/rdma_counts.h"
#include "netsim/rdma/order.h"

namespace psim::net::rdma {

/// Data that came for a rank which did not ask for them.
struct Arrival {
  std::uint32_t source = 0;  ///< rank of the world that had the data
  std::uint32_t destination = 0;
  std::uint64_t bytes = 0;
  bool addressed = false;
};

/// What a node does at the client's bidding, and answers.
struct Answer {
  std::uint64_t bytes = 0;      ///< of data for the asker's memory; 0: a control packet says that it is done
  std::vector<std::byte> data;  ///< empty where none are carried
};

/// What the engine asks of the library it serves.
class Client {
 public:
  virtual ~Client() = default;
  /// Whether copies of so many bytes really move them.
  virtual bool carries(std::uint64_t bytes) const = 0;
  /// Where `rank`, of this host process, has these bytes, as it calls it (see Host::memory). Ends the job if
  /// it has not.
  virtual std::byte* find(std::uint32_t rank, std::uint64_t address, std::uint64_t bytes) = 0;
  /// In the phase of deliveries: data came by somebody else's doing.
  virtual void came(const Arrival& arrival) = 0;
  /// In the phase of deliveries: operation `handle` of `rank` is over.
  virtual void over(std::uint32_t rank, Handle handle) = 0;
  /// In the phase of deliveries: the payload of an Action::Perform is at its destination, where this does it.
  virtual Answer perform(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) = 0;
  /// The answer is back; the operation is over. `envelope.bytes` as Answer::bytes.
  virtual void answered(std::uint32_t token, const Envelope& envelope, const std::byte* data,
                        std::uint64_t bytes) = 0;
};

class Engine {
 public:
  /// Messages of the engine have `kind` in their envelopes.
  Engine(Host& host, const RdmaConfig& config, Client& client, std::uint8_t kind);

  /// Starts an operation of the running rank, or of the one that a callback is for, now or when `order`
  /// allows.
  Handle start(std::uint32_t rank, const Operation& operation, Order order);
  /// Starts an Action::Perform, whose source is where it is done, with what the client there needs to know.
  /// operation.bytes of it count as data that cross the network.
  Handle perform(std::uint32_t rank, Operation operation, std::vector<std::byte> payload);
  /// What was done here so far. The client adds what it registers.
  const Counts& counts() const { return counts_; }
  Counts& counts() { return counts_; }
  /// The operations of a rank.
  const OperationOrder& of(std::uint32_t rank) { return order(rank); }
  /// Forgets all of a rank, which must be over.
  void reset(std::uint32_t rank) { orders_[rank].reset(); }
  /// The program on `rank` acknowledges the oldest put that rank `source` has under way to it.
  void acknowledge(std::uint32_t rank, std::uint32_t source);

  void arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes);
  void departed(const Envelope& envelope);

 private:
  enum class Kind : std::uint8_t { Request, Data, Done, Old, Acknowledgement, Perform, Answer };

  OperationOrder& order(std::uint32_t rank);
  Envelope envelope(Kind kind, std::uint32_t from, std::uint32_t to, std::uint32_t asker,
                    std::uint32_t handle);
  void count(std::uint32_t rank, const Operation& operation);
  void send_control(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data = nullptr,
                    std::uint64_t bytes = 0);
  void send_in_place(const Envelope& envelope, const std::byte* data, std::uint64_t bytes);
  void begin(std::uint32_t rank, Handle handle);
  void begin(std::uint32_t rank, const std::vector<Handle>& handles);
  void send_data(std::uint32_t asker, std::uint32_t handle, const Operation& operation);
  void requested(const Envelope& envelope, const std::byte* data);
  void data_came(const Envelope& envelope, const std::byte* data, std::uint64_t bytes);
  void finish(std::uint32_t rank, std::uint32_t low);
  std::uint32_t keep(std::vector<std::byte> payload);
  void drop(std::uint32_t payload);
  void send_payload(Envelope envelope, bool by_control, std::uint32_t payload);

  Host& host_;
  const RdmaConfig& config_;
  Client& client_;
  std::uint8_t kind_;
  Counts counts_;
  std::vector<std::vector<std::byte>> payloads_{1};  ///< until they have left; 0: none
  std::vector<std::uint32_t> free_payloads_;
  std::vector<std::unique_ptr<OperationOrder>> orders_;  ///< by rank; null: it has not asked for anything
};

}  // namespace psim::net::rdma
