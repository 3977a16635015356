// SPDX-License-Identifier: Apache-2.0
// The library's interface to the simulator, and the state shared by all ranks of the host process.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "mpi/call_counts.h"
#include "mpi/collective/collective_times.h"
#include "mpi/collective/selection.h"
#include "mpi/object/handle.h"
#include "mpi/object/pool.h"
#include "mpi/rank.h"
#include "mpi/request.h"
#include "mpi/scc_node.h"
#include "netsim/message/host.h"
#include "netsim/message/message_kind.h"
#include "netsim/message/mpi_config.h"

namespace psim::net::mpi {

/// A message that arrived before its receive. `data` is owned.
struct Unexpected {
  std::uint32_t next = 0;
  Envelope envelope;
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};

class Rdma;

class Mpi final : public Library {
 public:
  Mpi(Host& host, const MpiConfig& config);
  ~Mpi() override;

  void prefetch(RankId rank) const override {
    const auto* const first = reinterpret_cast<const std::byte*>(&ranks[index(rank)]);
    for (std::size_t line = 0; line < 3; ++line) __builtin_prefetch(first + line * 64);
  }
  void arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) override;
  void departed(const Envelope& envelope) override;
  void timer(RankId rank, std::uint64_t token) override;
  void threads(RankId rank) override;
  bool started(RankId rank) const override { return ranks[index(rank)].initialized; }
  bool finished(RankId rank) const override { return ranks[index(rank)].finalized; }
  void describe(RankId rank, bool polls, char* text, std::size_t size) const override;
  void warnings(const Warn& warn) const override;
  void serve(RankId first) override;
  const rdma::Counts* rdma_counts() const override;
  std::vector<MpiCounts> mpi_counts() const override;
  void describe_call(const Rank& rank, const PendingCall& call, char* text, std::size_t size) const;

  Host& host;
  MpiConfig config;  ///< `carry` is the value of the job that is served
  std::vector<Host::World> worlds;
  Selection selection;
  Selection built_in{""};               ///< without rules of the user
  CollectiveTimes times;                ///< of the collectives with the algorithm table
  std::vector<CallCounts> call_counts;  ///< by job, in the order of `worlds`
  std::vector<Rank> ranks;
  bool in_callback = false;
  bool any_threads = false;    ///< a rank has started threads
  std::uint32_t starting = 0;  ///< ranks of this host process that have not called MPI_Init
  Rank* serving = nullptr;     ///< the rank whose user function a callback runs
  Pool<Request, 12> requests;
  Pool<Unexpected, 12> unexpected;
  Pool<Communicator, 8> communicators;
  std::map<std::uint32_t, SccNode> scc;  ///< boards of the ranks between SCC_Init and SCC_Finalize

  /// Returns the RDMA engine, made by the first call.
  Rdma& rdma();

  /// Returns the host address of the `bytes` bytes that `rank` addresses as `address`.
  std::byte* memory(std::uint32_t rank, const void* address, std::uint64_t bytes) const {
    return host.memory(RankId{rank}, const_cast<void*>(address), bytes);
  }
  /// Returns the host address of `count` elements of a type at `address`; the elements may begin before it.
  std::byte* memory(std::uint32_t rank, const void* address, const Datatype& type, std::uint64_t count) const;

 private:
  /// Handle messages of windows and of the RDMA engine.
  void one_sided_arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes);
  void one_sided_departed(const Envelope& envelope);

  std::unique_ptr<Rdma> rdma_;
};

/// Marks that the caller is the simulator, not a rank.
class Callback {
 public:
  explicit Callback(Mpi& mpi) : mpi_(mpi) { mpi_.in_callback = true; }
  ~Callback() { mpi_.in_callback = false; }
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;

 private:
  Mpi& mpi_;
};

/// The library in use; set while a program runs.
extern Mpi* library;

/// Returns the rank whose code is running.
inline Rank& self() {
  return library->serving ? *library->serving : library->ranks[index(library->host.current())];
}
inline Rank& self(const char* function) {
  Rank& me = self();
  me.pending.function = function;
  return me;
}

/// Stops the running rank until Rank::waiting is 0 or, while it probes, a message arrives.
void block(Rank& me);
/// Stops the running one of several threads until done() holds. Other threads run meanwhile, so Rank::waiting
/// has no meaning then.
void block_thread(Rank& me, bool (*done)(void*), void* argument);
template <class Done>
void block(Rank& me, Done done) {
  if (!me.threaded) [[likely]]
    return block(me);
  block_thread(
      me, [](void* condition) -> bool { return (*static_cast<Done*>(condition))(); }, &done);
}
/// Does the work that was deferred until the rank is inside a call.
void progress(Rank& me);
/// Returns true if the rank's operations may advance now: it is inside an MPI call, or progress needs none.
inline bool may_advance(const Rank& rank) {
  return rank.blocked || !library->in_callback || library->config.progress == Progress::Async;
}
/// Resumes a blocked rank that has nothing left to wait for.
void wake(Rank& rank);
/// Returns memory of std::malloc() for `bytes` of data. Ends the job with a message if there is none.
std::byte* memory_for(std::uint64_t bytes);

}  // namespace psim::net::mpi
