// SPDX-License-Identifier: Apache-2.0
// The library as the simulator sees it, and the state shared by all ranks of the host process.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "mpi/attach.h"
#include "mpi/collective/selection.h"
#include "mpi/handle.h"
#include "mpi/pool.h"
#include "mpi/rank.h"
#include "mpi/request.h"
#include "netsim/message/host.h"
#include "netsim/message/mpi_config.h"

namespace psim::net::mpi {

/// The library's use of Envelope::kind.
enum class MessageKind : std::uint8_t {
  Eager,          ///< with its data
  RequestToSend,  ///< a long or synchronous message asks
  ClearToSend,    ///< the receiver has matched it
  Data,           ///< of a rendezvous
  CancelSend,     ///< give a message back, if it is still unmatched
  CancelReply,    ///< flags: whether it was
  Window,         ///< who may reach whose window: WindowMessage
  Rdma            ///< of the engine of remote direct memory access, one-sided operations too
};

/// A message that came before its receive. `data` is owned.
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

  void arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) override;
  void departed(const Envelope& envelope) override;
  void timer(RankId rank, std::uint64_t token) override;
  void threads(RankId rank) override;
  bool started(RankId rank) const override { return ranks[index(rank)].initialized; }
  bool finished(RankId rank) const override { return ranks[index(rank)].finalized; }
  void describe(RankId rank, char* text, std::size_t size) const override;
  void warnings(const Warn& warn) const override;
  void serve(RankId first) override;
  const rdma::Counts* rdma_counts() const override;
  void describe_call(const Rank& rank, const PendingCall& call, char* text, std::size_t size) const;

  Host& host;
  MpiConfig config;  ///< `carry`: of the job that is served
  std::vector<Host::World> worlds;
  Selection selection;
  std::vector<Rank> ranks;
  bool in_callback = false;
  bool any_threads = false;    ///< a rank has started threads
  std::uint32_t starting = 0;  ///< ranks of this host process that have not called MPI_Init
  Rank* serving = nullptr;     ///< the rank whose user function a callback runs
  Pool<Request, 12> requests;
  Pool<Unexpected, 12> unexpected;
  Pool<Communicator, 8> communicators;

  /// Made when it is first asked for.
  Rdma& rdma();

  /// Where `rank` has the `bytes` bytes that it calls `address`.
  std::byte* memory(std::uint32_t rank, const void* address, std::uint64_t bytes) const {
    return host.memory(RankId{rank}, const_cast<void*>(address), bytes);
  }
  /// The same of `count` elements of a type at `address`, which may begin before it.
  std::byte* memory(std::uint32_t rank, const void* address, const Datatype& type, std::uint64_t count) const;

 private:
  std::unique_ptr<Rdma> rdma_;
};

/// Marks that the simulator, not a rank, is the caller.
class Callback {
 public:
  explicit Callback(Mpi& mpi) : mpi_(mpi) { mpi_.in_callback = true; }
  ~Callback() { mpi_.in_callback = false; }
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;

 private:
  Mpi& mpi_;
};

/// Set while a program runs.
extern Mpi* library;

/// The rank whose code is running.
inline Rank& self() {
  return library->serving ? *library->serving : library->ranks[index(library->host.current())];
}
inline Rank& self(const char* function) {
  Rank& me = self();
  me.pending.function = function;
  return me;
}

/// Stops the running rank until Rank::waiting is 0 (or, while probing, something arrives).
void block(Rank& me);
/// The same for the running one of several threads, for something to happen that done() says. Others run
/// meanwhile: Rank::waiting and what leads to it mean nothing then.
void block_thread(Rank& me, bool (*done)(void*), void* argument);
template <class Done>
void block(Rank& me, Done done) {
  if (!me.threaded) [[likely]]
    return block(me);
  block_thread(
      me, [](void* condition) -> bool { return (*static_cast<Done*>(condition))(); }, &done);
}
/// Does what was deferred until the rank is inside a call.
void progress(Rank& me);
/// Whether the rank's operations may advance now: it is inside an MPI call, or progress needs none.
inline bool may_advance(const Rank& rank) {
  return rank.blocked || !library->in_callback || library->config.progress == Progress::Async;
}
/// If the blocked rank waits no longer, resumes it.
void wake(Rank& rank);

}  // namespace psim::net::mpi
