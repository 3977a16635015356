// SPDX-License-Identifier: Apache-2.0
// Traces chosen messages of queues on their whole way: doorbells and polls in the cores, packets in
// interfaces and at every router. The steps of a message may occur in several host processes; each notes its
// own, and finish() puts them together (cosim/message_assembly.cpp).
//
// A traced message is marked in the header of its packets (QueuePacket::traced). Memory is bounded by the
// number of messages to keep, of each rank, and by their packets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cosim/message_choice.h"
#include "cosim/message_timeline.h"
#include "cosim/queue_format.h"
#include "cosim/queue_interface.h"
#include "cosim/queue_observer.h"
#include "guest/elf/debug_info.h"
#include "netsim/fabric/hop_log.h"
#include "netsim/parallel/host_processes.h"
#include "netsim/topology/graphs/graph.h"

namespace psim::cosim {

class MessageTrace final : public net::HopLog, private QueueObserver::Listener {
 public:
  /// `period`: of a cycle of the cores, ps.
  MessageTrace(const MessageChoice& choice, std::uint32_t ranks, std::uint64_t period)
      : choice_(choice), period_(period), observers_(ranks), chosen_(ranks) {}

  /// Calls `listener` with rank, core of the rank and cycle when the instruction at an end of this message is
  /// fetched, and traces the message. Call it before the simulation.
  using EndListener = std::function<void(std::uint32_t rank, std::uint32_t core, std::uint64_t cycle)>;
  void watch_ends(std::uint32_t rank, std::uint64_t number, EndListener listener) {
    watched_ = message_id(rank, number);
    end_listener_ = std::move(listener);
  }
  /// Returns the observer of a rank of this host process, which lives as long as this.
  QueueObserver& observer(std::uint32_t rank, isa::Process& process);

  // For interfaces. Times are ps.
  void doorbell_arrived(std::uint32_t rank, std::uint64_t tail, std::uint64_t now) {
    observers_[rank]->doorbell_arrived(tail, now);
  }
  /// Returns true if the message of this descriptor is traced. The engine begun with it at `begun`, and has
  /// read the descriptor `now`.
  bool begin(std::uint32_t rank, std::uint64_t number, const queue::Descriptor& descriptor,
             queue::Status status, std::uint64_t begun, std::uint64_t now);
  /// Notes a step of a packet, if its message is traced.
  void note(const QueuePacket& packet, PacketStep step, std::uint64_t time) {
    if (packet.traced != 0) add(key_of(packet), static_cast<std::uint8_t>(step), time);
  }
  /// Notes a step of a message; 0: none.
  void note(std::uint64_t message, MessageStep step, std::uint64_t time) {
    if (message != 0) notes_.push_back({message, time, 0, static_cast<std::uint8_t>(step), false, {}});
  }
  /// Notes that the completion entry of a message is at `address` of the memory of `rank`.
  void completed(std::uint32_t rank, std::uint64_t message, std::uint64_t address, std::uint64_t now);
  /// Returns the number of a message that is traced, or 0.
  static std::uint64_t message_of(const QueuePacket& packet) {
    return packet.traced == 0 ? 0 : std::uint64_t{packet.source} << kRankShift | packet.operation;
  }

  // For the bridge to the network. A network message of `bytes` begins, as number `record` of `source`.
  void entered(std::uint32_t source, std::uint32_t record, const std::byte* bytes, std::uint64_t size);
  /// Exchange the records of traced packets, once per window, before write().
  void begin_exchange();
  void write(net::Parcel& parcel) const { parcel.put_all(announced_); }
  void read(net::Parcel& parcel);
  void hop(const net::Hop& hop) override;

  /// Returns the messages, after the run; in process 0 those of all processes. `sources` names addresses.
  MessageTimeline finish(net::HostProcesses& processes, const net::Graph& graph,
                         const isa::SourceMap* sources);

 private:
  friend class MessageAssembly;
  struct Opening {
    std::uint64_t message;
    std::uint64_t number;
    std::uint32_t opcode, flags, peer, status;
    std::uint64_t bytes;
    std::array<unsigned char, queue::kHeaderBytes> header;
  };
  struct PacketKey {
    std::uint64_t message, offset;
    MessagePacket::Leg leg;
  };
  struct Note {
    std::uint64_t message, time, offset;
    std::uint8_t step;  ///< PacketStep or MessageStep
    bool of_packet;
    MessagePacket::Leg leg;
  };
  struct Commit {
    std::uint64_t message;
    MessageStep step;
    CommittedAt at;
  };
  struct TracedHop {
    PacketKey packet;
    net::Hop hop;
  };
  struct Flight {
    std::uint64_t record;
    PacketKey packet;  ///< message 0: the record is that of another message now
  };

  static PacketKey key_of(const QueuePacket& packet);
  void add(const PacketKey& key, std::uint8_t step, std::uint64_t time) {
    notes_.push_back({key.message, time, key.offset, step, true, key.leg});
  }
  void seen(std::uint64_t message, MessageStep completed, const CommittedAt& load) override;
  void fetched(std::uint64_t message, std::uint32_t rank, std::uint32_t core, std::uint64_t cycle) override {
    if (message == watched_) end_listener_(rank, core, cycle);
  }
  void fly(const Flight& flight);
  void write_all(net::Parcel& parcel) const;
  void read_all(net::Parcel& parcel);

  const MessageChoice choice_;
  const std::uint64_t period_;
  std::uint64_t watched_ = 0;  ///< message of watch_ends(); 0: none
  EndListener end_listener_;
  std::vector<std::unique_ptr<QueueObserver>> observers_;  ///< by rank; null: of another process
  std::vector<std::uint64_t> chosen_;                      ///< by rank
  std::vector<Opening> openings_;
  std::vector<Note> notes_;
  std::vector<Commit> commits_;
  std::vector<TracedHop> hops_;
  std::unordered_set<std::uint64_t> ends_at_peer_;       ///< messages with a completion here, too
  std::unordered_map<std::uint64_t, PacketKey> flying_;  ///< by source and record
  std::vector<Flight> fresh_, announced_;
};

}  // namespace psim::cosim
