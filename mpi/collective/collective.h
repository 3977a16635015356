// SPDX-License-Identifier: Apache-2.0
// A collective operation under way on one rank: a coroutine over point-to-point messages, resumed where they
// arrive. Blocking and non-blocking forms are the same coroutine; the former waits for it. A rank's stack is
// switched once per collective, not once per message.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/units.h"
#include "mpi/collective/function.h"
#include "mpi/communicator.h"
#include "mpi/datatype/datatype.h"
#include "mpi/rank.h"

namespace psim::net::mpi {

struct Collective;

/// Memory of coroutine frames, kept by size.
void* take_frame(std::size_t size);
void give_frame(void* frame, std::size_t size);

/// What algorithms return: runs when awaited; the root of a collective is started by start().
class Task {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;
  struct Final {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle done) const noexcept;
    void await_resume() const noexcept {}
  };
  struct promise_type {
    std::coroutine_handle<> after = std::noop_coroutine();
    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {}; }
    void return_void() {}
    [[noreturn]] void unhandled_exception() { throw; }  // the host's, when it ends the job
    void* operator new(std::size_t size) { return take_frame(size); }
    void operator delete(void* frame, std::size_t size) { give_frame(frame, size); }
  };

  Task() = default;
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
    handle_.promise().after = caller;
    return handle_;
  }
  void await_resume() const noexcept {}
  void start() { handle_.resume(); }
  bool done() const { return handle_.done(); }

 private:
  explicit Task(Handle handle) : handle_(handle) {}
  Handle handle_;
};

inline std::coroutine_handle<> Task::Final::await_suspend(Handle done) const noexcept {
  return done.promise().after;
}

/// Suspends until every message of the collective so far is over, and the processor through with it.
struct AllDone {
  Collective& collective;
  bool await_ready() const noexcept;
  void await_suspend(std::coroutine_handle<> caller) const noexcept;
  void await_resume() const noexcept {}
};

/// The ranks that algorithms talk to: those of one side of an intercommunicator, or all of an
/// intracommunicator. Copied freely.
struct Channel {
  Collective* collective = nullptr;
  const Group* peers = nullptr;
  std::uint32_t context = 0;
  std::int32_t tag = 0;
  int me = 0;    ///< the rank messages of this one come from
  int size = 0;  ///< of peers

  /// User data: `data` is as this rank calls it; travels if the run carries so much.
  void send(int to, const void* data, std::uint64_t bytes) const;
  void recv(int from, void* data, std::uint64_t bytes) const;
  /// Elements of a type, which may have holes.
  void send_typed(int to, const void* data, std::uint64_t count, Datatype& type) const;
  void recv_typed(int from, void* data, std::uint64_t count, Datatype& type) const;
  /// The library's own data, carried in every run.
  void send_always(int to, const void* data, std::uint64_t bytes) const { send_as(to, data, bytes, bytes); }
  /// … as if it were so many bytes on the network.
  void send_as(int to, const void* data, std::uint64_t bytes, std::uint64_t wire_bytes) const;
  /// User data over the hardware's own network: there `delay` later.
  void send_out_of_band(int to, const void* data, std::uint64_t bytes, Picoseconds delay) const;
  void recv_beside(int from, void* data, std::uint64_t bytes) const;
  AllDone done() const { return {*collective}; }
};

/// A message of a collective whose processor is not through with sending it.
struct Outgoing {
  Channel channel;
  int to = 0;
  bool own = false;  ///< the library's own data: carried in every run
  const std::byte* data = nullptr;
  std::uint64_t bytes = 0, wire_bytes = 0;
  std::byte* packed = nullptr;  ///< owned: what is sent, if not `data` itself
  Picoseconds leaves{0};
};

/// The processor's time for the messages of a collective, one after the other: mpi.send_overhead before each
/// leaves, mpi.recv_overhead once each has come, as MPI_Send and MPI_Recv charge them.
struct Processor {
  Picoseconds busy_until{0};
  std::deque<Outgoing> outgoing;  ///< in the order of `leaves`
  bool timer = false;             ///< a timer is on its way, for no later than it is needed
  ~Processor();
};

struct Collective {
  Rank* rank = nullptr;
  Ref<Shared> shared;  ///< stays until the end, even if the user frees the communicator
  Channel local;       ///< own group
  Channel remote;      ///< the other group of an intercommunicator
  bool inter = false;
  bool offloaded = false;  ///< goes on whether or not its rank is in a call
  bool counted = true;     ///< in Communicator::calls
  Function function = Function::Library;
  std::uint32_t alike = 0;  ///< what all ranks must give alike: disagreement.h
  std::uint32_t pending = 0;
  std::uint32_t request = 0;
  std::int32_t error = 0;
  std::int32_t root = MPI_ANY_SOURCE;  ///< MPI_ANY_SOURCE: has none
  std::uint64_t given = 0;             ///< bytes of the user's data that this rank contributes
  std::uint64_t got = 0;               ///< bytes of the result that it is told
  std::coroutine_handle<> waiting;
  std::unique_ptr<std::string> note;     ///< what is said of `error`
  std::unique_ptr<Processor> processor;  ///< null: messages cost it no time
  Task task;
};

/// If the messages that are waited for are over, goes on.
void look_again(Collective& collective);
/// A request of the collective is over; `charged` if it received what costs the processor time.
void message_done(Collective& collective, int error, bool charged);
/// The processor is through with a message.
void overhead_paid(Collective& collective);
/// Goes on after the messages waited for; ends the collective if nothing is left.
void resume(Collective& collective);

/// A collective of `comm`, not yet running; `task` is to be set, then start().
Collective* new_collective(Rank& me, Communicator& comm, Function function = Function::Library);
/// The next one of its function has the number of this one: not all ranks of `comm` take part in it.
void uncount(Collective& collective, Communicator& comm);
/// Takes back a collective of `comm` that was never started.
void abandon(Collective* collective, Communicator& comm);
/// Runs until the first wait. Returns the handle of its request.
MPI_Request start(Collective& collective);
/// Starts and waits; fails with the collective's error.
void run(Rank& me, Collective& collective);

}  // namespace psim::net::mpi
