// SPDX-License-Identifier: Apache-2.0
// Remote direct memory access as in paper 000 (NSIM-ACE) section 3.1, with copies between two other ranks and
// atomic operations in addition. A node's interface acts when a packet arrives; no rank there is resumed.
//
// A copy: unless the requester has the data, a control packet goes to the node that has them. DMA reads the
// data, packets carry them, and DMA writes them to memory. Unless this is the requester's memory, a control
// packet notifies the requester. So a put ends when the control packet is back, a get when its data are in
// memory. An atomic operation: a control packet carries its operands; the old value returns through DMA as
// data.
//
// Interfaces send and receive control packets themselves: Host::send_control. Requests are served in the
// order of arrival. The bytes of a copy are read when its data message is handed to the interface.
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

/// Data that arrived at a rank without its request.
struct Arrival {
  std::uint32_t source = 0;  ///< rank of the world that had the data
  std::uint32_t destination = 0;
  std::uint64_t bytes = 0;
  bool addressed = false;
};

/// A node's reply to an Action::Perform.
struct Answer {
  std::uint64_t bytes = 0;      ///< of data for the requester's memory; 0: a control packet reports the end
  std::vector<std::byte> data;  ///< empty if none are carried
};

/// The services of the library that uses the engine.
class Client {
 public:
  virtual ~Client() = default;
  /// Returns whether copies of `bytes` bytes really move them.
  virtual bool carries(std::uint64_t bytes) const = 0;
  /// Returns the rank's own address of these bytes (see Host::memory); `rank` is of this host process. Ends
  /// the job if the rank does not have them.
  virtual std::byte* find(std::uint32_t rank, std::uint64_t address, std::uint64_t bytes) = 0;
  /// Called in the phase of deliveries when data arrived that the rank did not request.
  virtual void arrived(const Arrival& arrival) = 0;
  /// Called in the phase of deliveries when operation `handle` of `rank` has completed.
  virtual void completed(std::uint32_t rank, Handle handle) = 0;
  /// Carries out an Action::Perform whose payload has arrived at its destination, in the phase of deliveries.
  virtual Answer perform(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) = 0;
  /// Called when the reply has arrived and the operation has completed. `envelope.bytes` as Answer::bytes.
  virtual void replied(std::uint32_t token, const Envelope& envelope, const std::byte* data,
                       std::uint64_t bytes) = 0;
};

class Engine {
 public:
  /// `kind` marks the engine's messages in their envelopes.
  Engine(Host& host, const RdmaConfig& config, Client& client, std::uint8_t kind);

  /// Starts an operation of the running rank, or of the callback's rank, now or when `order` allows.
  Handle start(std::uint32_t rank, const Operation& operation, Order order);
  /// Starts an Action::Perform at operation.source, with the payload for the client there. operation.bytes of
  /// it count as data that cross the network.
  Handle perform(std::uint32_t rank, Operation operation, std::vector<std::byte> payload);
  /// Returns the counts of this process so far. The client adds its registrations.
  const Counts& counts() const { return counts_; }
  Counts& counts() { return counts_; }
  /// Returns the operations of a rank.
  const OperationOrder& of(std::uint32_t rank) { return order(rank); }
  /// Drops the state of a rank whose operations have all completed.
  void reset(std::uint32_t rank) { orders_[rank].reset(); }
  /// Acknowledges, for the program on `rank`, the oldest put of rank `source` to it that is under way.
  void acknowledge(std::uint32_t rank, std::uint32_t source);

  void arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes);
  void departed(const Envelope& envelope);

 private:
  enum class Kind : std::uint8_t { Request, Data, Done, Old, Acknowledgement, Perform, Answer };

  OperationOrder& order(std::uint32_t rank);
  Envelope envelope(Kind kind, std::uint32_t from, std::uint32_t to, std::uint32_t initiator,
                    std::uint32_t handle);
  void count(std::uint32_t rank, const Operation& operation);
  void send_control(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data = nullptr,
                    std::uint64_t bytes = 0);
  void send_in_place(const Envelope& envelope, const std::byte* data, std::uint64_t bytes);
  void begin(std::uint32_t rank, Handle handle);
  void begin(std::uint32_t rank, const std::vector<Handle>& handles);
  void send_data(std::uint32_t initiator, std::uint32_t handle, const Operation& operation);
  void requested(const Envelope& envelope, const std::byte* data);
  void data_arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes);
  void finish(std::uint32_t rank, std::uint32_t low);
  std::uint32_t keep(std::vector<std::byte> payload);
  void drop(std::uint32_t payload);
  void send_payload(Envelope envelope, bool by_control, std::uint32_t payload);

  Host& host_;
  const RdmaConfig& config_;
  Client& client_;
  std::uint8_t kind_;
  Counts counts_;
  std::vector<std::vector<std::byte>> payloads_{1};  ///< kept until they have left; number 0: none
  std::vector<std::uint32_t> free_payloads_;
  std::vector<std::unique_ptr<OperationOrder>> orders_;  ///< by rank; null: no operations yet
};

}  // namespace psim::net::rdma
