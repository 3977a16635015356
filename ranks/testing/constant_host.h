// SPDX-License-Identifier: Apache-2.0
// A minimal host of ranks: every message takes the same time. For tests of ranks and of message libraries;
// events have Host's order.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "netsim/message/host.h"
#include "ranks/processes.h"

namespace psim::net::testing {

/// The outcome of a run.
struct ConstantRun {
  Picoseconds time{0};  ///< when the last rank ended
  std::string output;   ///< of all ranks, both streams, by (time, rank)
  std::vector<int> statuses;
  std::string warnings;  ///< Library::warnings(), one per line: "rank 1 ended with requests …: 2"
  std::string failure;   ///< "rank 3: SIGSEGV …", "aborted with 7: why", "deadlock: …", or empty
};

class ConstantHost final : public Host, private Output {
 public:
  /// Makes a host whose messages take 1 us. `mpi` is for the library; that of rank_library.h ignores it.
  ConstantHost(const ProcessesConfig& config, const MpiConfig& mpi);

  ConstantRun run();
  Processes& processes() { return processes_; }

  Picoseconds now() const override { return now_; }
  RankId current() const override { return RankId{processes_.running()}; }
  std::uint32_t ranks() const override { return count_; }
  NodeId node_of(RankId rank) const override { return NodeId{index(rank)}; }
  bool local(RankId) const override { return true; }
  void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
            std::uint64_t bytes) override;
  void send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                     std::uint64_t bytes) override;
  void send_out_of_band(const Envelope& envelope, const std::byte* data, std::uint64_t bytes,
                        Picoseconds delay) override;
  void block() override { processes_.suspend(); }
  void sleep(Picoseconds time) override;
  ThreadTurns* threads() override { return processes_.threads(); }
  void start_threads() override { library_->threads(current()); }
  void wake(RankId rank, Picoseconds delay) override;
  void after(RankId rank, Picoseconds delay, std::uint64_t token) override;
  std::byte* memory(RankId rank, void* address, std::uint64_t bytes) const override;
  void enter(RankId rank) override { processes_.enter(index(rank)); }
  [[noreturn]] void abort_job(int status, std::string_view why) override;

 private:
  struct Message {
    Envelope envelope;
    std::vector<std::byte> copy;
    const std::byte* in_place = nullptr;
    std::uint64_t bytes = 0;
    bool timer = false;
    std::uint64_t token = 0;
  };
  void write(std::uint32_t rank, Stream stream, std::string_view text) override;
  void post(Picoseconds time, Message message);
  void deliver(const Message& message);
  void resume(std::uint32_t rank, ConstantRun& result);

  std::uint32_t count_;
  Picoseconds now_{0};
  Processes processes_;
  OutputOrder output_;
  Library* library_ = nullptr;
  std::multimap<Picoseconds, Message> messages_;
  std::set<std::pair<Picoseconds, std::uint32_t>> ready_;
  std::uint32_t running_ranks_;
  std::string aborted_;
};

}  // namespace psim::net::testing
