// SPDX-License-Identifier: Apache-2.0
// The simplest network: every message takes the same time for any size. Runs the MPI library and programs
// without the simulator, for tests of the library alone.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "netsim/message/host.h"

namespace psim::net::testing {

class ConstantLatencyHost final : public Host {
 public:
  ConstantLatencyHost(std::uint32_t ranks, std::uint32_t ranks_of_node, Picoseconds latency,
                      std::size_t stack);
  /// Runs `body(rank)` on each rank to its end. Returns false at a deadlock, which it reports on standard
  /// error.
  bool run(Library& library, const std::function<void(std::uint32_t)>& body);
  std::uint64_t messages() const { return messages_; }

  Picoseconds now() const override { return now_; }
  RankId current() const override { return RankId{current_}; }
  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(fibers_.size()); }
  NodeId node_of(RankId rank) const override { return NodeId{index(rank) / ranks_of_node_}; }
  bool local(RankId) const override { return true; }
  void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
            std::uint64_t bytes) override;
  void send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                     std::uint64_t bytes) override;
  void send_out_of_band(const Envelope& envelope, const std::byte* data, std::uint64_t bytes,
                        Picoseconds delay) override;
  void block() override;
  void sleep(Picoseconds time) override;
  void wake(RankId rank, Picoseconds delay) override;
  void after(RankId rank, Picoseconds delay, std::uint64_t token) override;
  [[noreturn]] void abort_job(int status, std::string_view why) override;

 private:
  struct Flight {
    Picoseconds time;
    Envelope envelope;
    const std::byte* data;
    std::uint64_t bytes;
    bool departs;  ///< the sender is notified
  };
  struct Later {
    Picoseconds time;
    std::uint64_t sequence;
    std::uint32_t rank;
    bool timer;
    std::uint64_t token;
    bool operator<(const Later& other) const {
      return time != other.time ? time > other.time : sequence > other.sequence;
    }
  };
  void send(const Envelope& envelope, const std::byte* data, std::uint64_t bytes, bool departs);
  void resume(std::uint32_t rank);
  bool step();

  std::uint32_t ranks_of_node_;
  Picoseconds latency_, now_{0};
  std::size_t stack_;
  std::uint32_t current_ = 0, running_ = 0;
  std::uint64_t messages_ = 0, sequence_ = 0;
  Library* library_ = nullptr;
  std::vector<boost::context::fiber> fibers_;
  boost::context::fiber scheduler_;
  std::deque<Flight> flights_;
  std::priority_queue<Later> later_;
  std::deque<std::uint32_t> ready_;
};

}  // namespace psim::net::testing
