// SPDX-License-Identifier: Apache-2.0
// The timeline of messages of queues: the parts of each, from the store to the doorbell to the load that sees
// its completion, and the hops of its packets. Each part ends where the next begins, so the parts sum exactly
// to the latency. Times are ps since the start; 0 means that a step has not happened.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace psim::cosim {

enum class MessageStep : std::uint8_t {
  Rang,         ///< the store to the doorbell commits
  Arrived,      ///< it is in the interface
  Begun,        ///< the engine begins with the descriptor
  Fetched,      ///< the descriptor is read
  Slot,         ///< where the message ends: a slot is free, and it is its turn
  SlotWritten,  ///< header and data are in the slot
  Completed,    ///< the completion entry is in memory
  Seen,         ///< the first load that sees this entry commits
  Done,         ///< of a message that ends at the peer: the completion entry of the sender is in memory
  DoneSeen      ///< the first load that sees this entry commits
};
inline constexpr std::size_t kMessageSteps = static_cast<std::size_t>(MessageStep::DoneSeen) + 1;

enum class PacketStep : std::uint8_t {
  Begun,    ///< the sending engine begins with it
  Read,     ///< its data are read
  Room,     ///< it is its turn, and the interface's buffer has room for it
  Ready,    ///< its first byte may leave for the channel
  Born,     ///< its first byte leaves
  Arrived,  ///< its last byte is in the other interface
  Taken,    ///< the receiving engine begins with it
  Written   ///< its data are in memory; those for a slot wait for the whole message
};
inline constexpr std::size_t kPacketSteps = static_cast<std::size_t>(PacketStep::Written) + 1;

/// An instruction of a program that has committed.
struct TimedPlace {
  std::uint64_t ps = 0;     ///< begin of the cycle in which it commits (W); 0: it has not
  std::uint64_t cycle = 0;  ///< W
  std::uint64_t pc = 0;
  std::string source = {};       ///< "in f at a.c:12", or empty
  std::string call = {};         ///< the function of the message library that the program is in, or empty
  std::string call_source = {};  ///< where the program calls it
};

/// A packet at one router.
struct RouterHop {
  std::uint32_t router = 0, port = 0;  ///< port: output
  std::int64_t to_router = -1;         ///< -1: to the node
  std::uint64_t arrival = 0;           ///< its head can request the output
  std::uint64_t departure = 0;         ///< its head is granted the output
  std::uint64_t length = 0;            ///< of its bytes on the output
};

/// One packet of the interfaces.
struct MessagePacket {
  enum class Leg : std::uint8_t { There, Reply, Answer };
  Leg leg = Leg::There;
  std::uint64_t offset = 0;  ///< of its data in those of the message
  std::array<std::uint64_t, kPacketSteps> steps{};
  std::vector<RouterHop> hops = {};

  std::uint64_t at(PacketStep step) const { return steps[static_cast<std::size_t>(step)]; }
};

struct MessagePart {
  std::string name;
  std::uint64_t begin = 0, end = 0;
  enum class Where : std::uint8_t { Core, Interface, Router } where = Where::Core;
  std::uint32_t number = 0;  ///< of the rank with the core or interface, or of the router
};

/// The header that the MPI library gives to its messages.
struct MessageLabel {
  bool known = false;
  std::string kind = {};  ///< "eager", "request to send" …
  std::uint32_t context = 0;
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;  ///< of the user's data
};

struct TracedMessage {
  std::uint32_t from = 0, to = 0;  ///< ranks; `from` has submitted the descriptor
  std::uint64_t number = 0;        ///< of its descriptor there, from 0
  std::string operation = {};      ///< send, put, get, fetch_add, swap, compare_swap
  std::uint64_t bytes = 0;
  std::uint32_t status = 0;  ///< of the completion of a wrong descriptor
  MessageLabel label = {};
  std::array<std::uint64_t, kMessageSteps> steps{};
  TimedPlace doorbell = {}, poll = {}, done_poll = {};  ///< of the steps Rang, Seen, DoneSeen
  std::vector<MessagePart> parts = {};
  std::vector<MessagePacket> packets = {};

  std::uint64_t at(MessageStep step) const { return steps[static_cast<std::size_t>(step)]; }
  std::uint64_t begin() const { return doorbell.ps; }
  std::uint64_t end() const { return parts.empty() ? doorbell.ps : parts.back().end; }
  std::string name() const { return std::to_string(from) + "." + std::to_string(number); }
};

/// The messages of a run in the order of their doorbells; those of one instant by rank.
struct MessageTimeline {
  std::uint64_t period = 0;  ///< ps of a cycle of the cores
  std::uint32_t nodes = 0, ranks_per_node = 1;
  std::vector<TracedMessage> messages;
  std::uint64_t left_out = 0;  ///< chosen messages beyond the number to keep
};

}  // namespace psim::cosim
