// SPDX-License-Identifier: Apache-2.0
// The library's host on a cycle-level node: this process is one rank, and messages go through the node's
// network interface. Messages are handled only while the rank is inside a call of the library that waits or
// tests. Time is that of the node's core. Compiled for sparc64 only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "mpi/node/interface.h"
#include "mpi/node/node_threads.h"
#include "mpi/scc_board.h"
#include "netsim/message/host.h"

namespace psim::net::mpi::node {

class NodeHost final : public Host, public SccBoard, public SharedRank {
 public:
  /// Reads the rank's number and the number of ranks, and of those of a node, from the environment. Without
  /// them this process is the only rank. `sizes_only`: the program's messages carry no data, but cross the
  /// network with their sizes.
  explicit NodeHost(bool sizes_only);
  void attach(Library& library) { library_ = &library; }

  Picoseconds now() const override;
  RankId current() const override { return RankId{rank_}; }
  std::uint32_t ranks() const override { return ranks_; }
  NodeId node_of(RankId rank) const override { return NodeId{index(rank) / node_ranks_}; }
  bool shares_memory(RankId rank) const override { return local(rank); }
  bool admits_any_thread() const override { return true; }
  void grant_multiple() override;
  ThreadTurns* threads() override { return threads_ ? &*threads_ : nullptr; }
  bool local(RankId rank) const override { return index(rank) == rank_; }

  void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
            std::uint64_t bytes) override;
  void send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                     std::uint64_t bytes) override;
  void send_out_of_band(const Envelope& envelope, const std::byte* data, std::uint64_t bytes,
                        Picoseconds delay) override;
  void expect(const Envelope& clear_to_send, std::byte* place, std::uint64_t bytes) override;
  void block() override;
  void sleep(Picoseconds time) override;
  std::uint64_t poll(Picoseconds cost, const PollCall& call) override;
  void wake(RankId rank, Picoseconds delay) override;
  void after(RankId rank, Picoseconds delay, std::uint64_t token) override;
  [[noreturn]] void abort_job(int status, std::string_view why) override;

  // SccBoard
  void set_flag(std::uint32_t group) override { interface_.set_barrier_flag(group); }
  Picoseconds await_clear() override;

  // SharedRank
  bool serve() override;
  std::uint64_t next_timer() const override;
  const Interface* interface() const override { return ranks_ > 1 ? &interface_ : nullptr; }

 private:
  /// Data that the interface reads.
  struct Flight {
    Envelope envelope;
    std::byte* copy = nullptr;  ///< owned; without data: memory of their size
    bool in_place = false;      ///< the library waits for departed()
  };
  /// A message to the rank itself.
  struct Own {
    Envelope envelope;
    std::byte* data;  ///< owned
    std::uint64_t bytes;
    bool in_place;
  };
  struct Timer {
    std::uint64_t time;
    std::uint64_t token;  ///< kWake: wakes the rank
  };
  /// A message whose parts are arriving from one rank.
  struct Parts {
    std::byte* data = nullptr;
    std::uint64_t got = 0;
  };
  struct Header;

  void send_parts(Flight* flight, const std::byte* data, std::uint64_t bytes, std::uint64_t carried);
  void deliver(const std::byte* slot, std::uint64_t bytes);
  void departed(Flight* flight);
  bool serve_own();
  bool serve_timers();
  void add_timer(std::uint64_t cycles, std::uint64_t token);
  std::uint64_t cycles_of(Picoseconds time) const;
  [[noreturn]] void report_stuck();

  Interface interface_;
  Library* library_ = nullptr;
  const bool sizes_only_;
  std::uint32_t rank_ = 0, ranks_ = 1, node_ranks_ = 1;
  std::int64_t period_ = 500;  ///< ps of a cycle; of a core alone, the default's
  bool woken_ = false;
  std::optional<Picoseconds> cleared_;  ///< when the S-flag was cleared
  bool expected_ = false;               ///< the next message is a clear-to-send for data at place_
  std::uint64_t place_ = 0;
  std::optional<NodeThreads> threads_;  ///< with MPI_THREAD_MULTIPLE
  std::deque<Own> own_;
  std::vector<Timer> timers_;
  std::map<std::uint32_t, Parts> parts_;          ///< by source
  std::map<std::uint32_t, std::byte*> unplaced_;  ///< data of a rendezvous, by receive; owned
  /// The address at the peer for the data of send `request`, while its clear-to-send is handled; 0: nowhere.
  std::uint64_t wanted_at_ = 0;
  std::uint32_t wanted_ = 0;
};

}  // namespace psim::net::mpi::node
