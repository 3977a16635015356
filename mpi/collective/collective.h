// SPDX-License-Identifier: Apache-2.0
// A collective operation under way on one rank: a coroutine over point-to-point messages, resumed when they
// arrive. The blocking form waits for the coroutine of the non-blocking form. A rank's stack is switched once
// per collective, not once per message.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "base/units.h"
#include "mpi/collective/function.h"
#include "mpi/communicator.h"
#include "mpi/datatype/datatype.h"
#include "mpi/rank.h"

namespace psim::net::mpi {

struct Collective;
struct Request;
struct Restarting;

/// Allocates the memory of a coroutine frame; freed frames are kept by size.
void* take_frame(std::size_t size);
void give_frame(void* frame, std::size_t size);

/// The coroutine type of algorithms. It runs when awaited; start() runs the outermost one.
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
    [[noreturn]] void unhandled_exception() { throw; }  // thrown by the host to end the job
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

/// Awaits the completion of all messages of the collective so far, including the processor's time for them.
struct AllDone {
  Collective& collective;
  bool await_ready() const noexcept;
  void await_suspend(std::coroutine_handle<> caller) const noexcept;
  void await_resume() const noexcept {}
};

/// The ranks that an algorithm communicates with: one side of an intercommunicator, or all of an
/// intracommunicator. Cheap to copy.
struct Channel {
  Collective* collective = nullptr;
  const Group* peers = nullptr;
  std::uint32_t context = 0;
  std::int32_t tag = 0;
  int me = 0;    ///< rank; messages carry it, plus Group::base, as their source
  int size = 0;  ///< of peers

  /// Sends user data at `data`, an address of this rank. The message carries them if the run carries `bytes`.
  void send(int to, const void* data, std::uint64_t bytes) const;
  void recv(int from, void* data, std::uint64_t bytes) const;
  /// Sends `packed`, user data from std::malloc(), and frees it.
  void send_packed(int to, std::byte* packed, std::uint64_t bytes) const;
  /// Sends elements of a type, which may have holes (buffers.cpp).
  void send_typed(int to, const void* data, std::uint64_t count, Datatype& type) const;
  void recv_typed(int from, void* data, std::uint64_t count, Datatype& type) const;
  /// Sends the library's own data, carried in every run.
  void send_always(int to, const void* data, std::uint64_t bytes) const { send_as(to, data, bytes, bytes); }
  /// Sends them with `wire_bytes` as their size on the network.
  void send_as(int to, const void* data, std::uint64_t bytes, std::uint64_t wire_bytes) const;
  /// Sends user data over the hardware's own network; they arrive after `delay`.
  void send_out_of_band(int to, const void* data, std::uint64_t bytes, Picoseconds delay) const;
  void post_recv(int from, void* data, std::uint64_t bytes) const;
  AllDone done() const { return {*collective}; }
};

/// A message of a collective whose send overhead the processor has not finished.
struct Outgoing {
  Channel channel;
  int to = 0;
  bool own = false;  ///< the library's own data: carried in every run
  const std::byte* data = nullptr;
  std::uint64_t bytes = 0, wire_bytes = 0;
  std::byte* packed = nullptr;  ///< owned: packed data to send, or null to send `data` itself
  Picoseconds leaves{0};
};

/// The processor's time for the messages of a collective, one after the other. As in MPI_Send and MPI_Recv,
/// mpi.send_overhead is charged before each message leaves, mpi.recv_overhead after each arrives.
struct Processor {
  Picoseconds busy_until{0};
  std::deque<Outgoing> outgoing;  ///< in the order of `leaves`
  bool timer = false;             ///< a timer is pending, for the time needed or earlier
  ~Processor();
};

/// Collective::alike of a failed collective: of no other.
constexpr std::uint32_t kFailed = ~std::uint32_t{0};

/// A collective operation under way on one rank.
struct Collective {
  Rank* rank = nullptr;
  Ref<Shared> shared;  ///< kept until the end, even if the user frees the communicator
  Channel local;       ///< own group
  Channel remote;      ///< the other group of an intercommunicator
  bool inter = false;
  bool offloaded = false;  ///< advances whether or not its rank is in a call
  bool counted = true;     ///< counted in Communicator::calls
  Function function = Function::Library;
  std::uint32_t alike = 0;  ///< digest of the arguments that must be equal on all ranks: disagreement.h
  std::uint32_t pending = 0;
  std::uint32_t request = 0;
  std::int32_t error = 0;
  std::int32_t root = MPI_ANY_SOURCE;  ///< MPI_ANY_SOURCE: no root
  std::uint64_t given = 0;             ///< bytes of the user's data that this rank contributes
  std::uint64_t got = 0;               ///< bytes of the result that it receives
  std::coroutine_handle<> waiting;
  std::unique_ptr<std::string> note;     ///< text of `error`
  std::unique_ptr<Processor> processor;  ///< null: messages cost no processor time
  /// Called when a message completes, before its request is released; null in collectives proper.
  void (*on_message)(Collective& collective, const Request& message) = nullptr;
  Task task;
};

/// Resumes the coroutine if the messages that it waits for are complete.
void try_resume(Collective& collective);
/// Continues after the processor's overhead for a message.
void overhead_paid(Collective& collective);

/// Returns a new collective of `comm`, or one of a persistent request. The caller sets `task`, then calls
/// start().
Collective* new_collective(Rank& me, Communicator& comm, Function function = Function::Library,
                           Restarting* again = nullptr);
/// Gives its number back to its function, because not all ranks of `comm` take part in it.
void uncount(Collective& collective, Communicator& comm);
/// Removes a collective of `comm` that was never started.
void abandon(Collective* collective, Communicator& comm);
/// Runs it until its first wait. Returns the handle of its request.
MPI_Request start(Collective& collective);
/// Starts it and waits; fails with the collective's error.
void run(Rank& me, Collective& collective);

}  // namespace psim::net::mpi
