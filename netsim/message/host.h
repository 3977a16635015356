// SPDX-License-Identifier: Apache-2.0
// The interface between a library of target processes (MPI, RDMA) and the simulator. The library sees only
// this header: it is linked into programs, the simulator is not. All calls happen on one host thread.
//
// Order (docs/decisions/0019): at one instant of simulated time a router first moves packets, then delivers
// messages (Library::arrived, departed), then resumes its ranks in rank order. A message that a rank sends at
// an instant leaves in that instant.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "netsim/message/call_observer.h"
#include "netsim/message/envelope.h"
#include "netsim/message/mpi_counts.h"
#include "netsim/message/rdma_counts.h"

namespace psim::net {

/// The condition for which a thread waits in the library.
struct ThreadCondition {
  bool (*holds)(void* argument);
  void* argument;
};

/// The scheduler of a rank's threads: one thread at a time is in the library, until it waits or yields.
class ThreadTurns {
 public:
  /// Called at the beginning and at the end of each call, also of nested ones. The first returns when the
  /// thread may use the library.
  virtual void begin_call() {}
  virtual void end_call() {}
  /// Returns the number of the running thread; 0: the rank's main thread.
  virtual std::uint32_t number() const = 0;
  /// Yields to the threads that can run, and to the threads in run_others(), which check again.
  virtual void yield_thread() = 0;
  /// Called when the running thread waits for an event of the library and found none. Lets other threads run
  /// and returns true when it is time to check again; returns false at once if no thread can run until the
  /// rank is woken. `news`: something may have happened since other threads in here checked. `condition` of
  /// the running thread may be checked on its behalf.
  virtual bool run_others(bool news, const ThreadCondition& condition) = 0;
  /// Returns the time until a thread that waits for a time resumes, > 0; 0: there is none, or it was reported
  /// before and is still pending.
  virtual Picoseconds timer() = 0;
  /// Returns whether no other thread can run until an event of the library or until timer().
  virtual bool runs_alone() const = 0;

 protected:
  ~ThreadTurns() = default;
};

/// An unsuccessful test call as the program made it, to recognise loops of these calls.
struct PollCall {
  std::uint64_t entry = 0;                   ///< the function's first instruction
  std::array<std::uint64_t, 7> saved{};      ///< rbx, rbp, r12, r13, r14, r15, rsp at the entry
  std::array<std::uint64_t, 6> arguments{};  ///< rdi, rsi, rdx, rcx, r8, r9
  std::uint32_t count = 0;                   ///< arguments that the function has
  std::array<const int*, 2> results{};       ///< values that the call writes whatever they were, as its flag
  bool operator==(const PollCall& other) const {
    return entry == other.entry && saved == other.saved && count == other.count &&
           std::equal(arguments.begin(), arguments.begin() + count, other.arguments.begin());
  }
};

/// A part of an aligned word of memory on which a loop of the program depends.
struct WatchedWord {
  std::uint64_t address = 0;
  std::uint64_t value = 0;  ///< of the bits of `mask`
  std::uint64_t mask = 0;
};

/// A mark of PSIM_REGION_BEGIN or PSIM_REGION_END (workloads/include/psim.h) in the program.
struct RegionMark {
  std::string_view name;
  std::span<const long long> arguments;  ///< of a begin
  const char* file = nullptr;            ///< null: see `frames`
  int line = 0;
  std::array<void*, 6> frames{};  ///< without a file: the frames of the call, innermost first
};

/// The services of the simulator.
class Host {
 public:
  virtual ~Host() = default;

  /// Returns the simulated time at the rank or router that is being served.
  virtual Picoseconds now() const = 0;
  /// Returns the rank whose code is running. Undefined inside Library's callbacks.
  virtual RankId current() const = 0;
  /// Returns the number of ranks of all jobs; ranks are numbered one job after the other.
  virtual std::uint32_t ranks() const = 0;
  /// The ranks of a job: its MPI_COMM_WORLD.
  struct World {
    std::uint32_t first = 0, size = 0;
    std::uint64_t carry = ~std::uint64_t{0};  ///< MpiConfig::carry of the job
  };
  /// Returns the worlds in the order of `first`; empty: a single one, of all ranks.
  virtual std::vector<World> worlds() const { return {}; }
  /// Returns the node of a rank. Ranks of one node share a memory (MPI_Win_allocate_shared,
  /// MPI_COMM_TYPE_SHARED).
  virtual NodeId node_of(RankId rank) const = 0;
  /// Returns whether the running rank can access the memory of `rank`, which is on its node.
  virtual bool shares_memory(RankId) const { return true; }
  /// Returns whether any thread of the process may call the library, and not only those of threads().
  virtual bool admits_any_thread() const { return false; }
  /// Called when the library grants MPI_THREAD_MULTIPLE to the running rank. May lead to Library::threads;
  /// the running thread is then in a call of threads().
  virtual void grant_multiple() {}
  /// Returns whether the rank lives in this host process; only then its memory is accessible.
  virtual bool local(RankId rank) const = 0;

  /// Hands a message to the network interface. `wire_bytes` ≥ 0 of data cross the network (the network adds
  /// headers). `data`, if not null, is copied at once (`bytes` of it) and passed to arrived(); the source may
  /// reuse it. Callable from ranks and from callbacks (then as the callback's rank). Messages from one rank
  /// to another (or itself) are reported in the order in which they were handed over, whatever the routes of
  /// their packets: matching relies on it. Messages sent in place have an order of their own.
  virtual void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                    std::uint64_t bytes) = 0;
  /// Sends a message without a copy: `data` stays valid and unchanged until departed() of `envelope.sender`.
  /// In a rendezvous with a destination in this host process the library passes null and copies from buffer
  /// to buffer itself in departed(). departed() comes before arrived(), or at its instant.
  virtual void send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                             std::uint64_t bytes) = 0;

  /// Called before `clear_to_send` of a rendezvous is handed to send(). The rank's `bytes` bytes of data may
  /// be written to `place` before arrived(), which then gets null; null: the library must get the data
  /// itself.
  virtual void expect([[maybe_unused]] const Envelope& clear_to_send, [[maybe_unused]] std::byte* place,
                      [[maybe_unused]] std::uint64_t bytes) {}

  /// Sends a control packet, which network interfaces send and receive without their DMA engines. `data` is
  /// copied at once.
  virtual void send_control(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                            std::uint64_t bytes) {
    send(envelope, wire_bytes, data, bytes);
  }

  /// Sends a message that takes exactly `delay` and crosses no interface and no link, as on a network of its
  /// own. `data` is copied at once. `delay` is at least the lookahead of the network (the least time between
  /// two routers) unless both ranks are of one node.
  virtual void send_out_of_band(const Envelope& envelope, const std::byte* data, std::uint64_t bytes,
                                Picoseconds delay) = 0;

  /// Blocks the running rank until wake(); returns at the time of waking.
  virtual void block() = 0;
  /// Lets the running rank compute (or poll) for `time` ≥ 0. Zero returns at once.
  virtual void sleep(Picoseconds time) = 0;
  /// As sleep(), for the processor's work on a message that is sent, or that has been received.
  virtual void send_overhead(Picoseconds time) { sleep(time); }
  virtual void receive_overhead(Picoseconds time) { sleep(time); }
  /// Charges `cost` for an unsuccessful test `call` of the running rank, whose results are in memory already.
  /// As sleep(cost), but if the program only repeats the call, this returns from the last repetition before
  /// there is news for the rank. Returns the number of calls that have passed.
  virtual std::uint64_t poll(Picoseconds cost, const PollCall& call) {
    static_cast<void>(call);
    sleep(cost);
    return 1;
  }
  /// Blocks the running rank until one of `words` changes.
  virtual void watch(std::span<const WatchedWord> words) { static_cast<void>(words); }
  /// As sleep(), requested by the program itself (MGEN_Comp): counted as computation, not as overhead.
  virtual void compute(Picoseconds time) { sleep(time); }
  /// Returns the time after a reading of the clock that takes `cost`. Several readings may pass as one: the
  /// rank's clock may then be ahead of now(), and the library calls catch_up() before the rank does anything
  /// else.
  virtual Picoseconds read_clock(Picoseconds cost) {
    sleep(cost);
    return now();
  }
  virtual void catch_up() {}
  /// Returns the running rank's threads, once it has started some (Library::threads); else null.
  virtual ThreadTurns* threads() { return nullptr; }
  /// Called when the running rank starts its first thread; leads to Library::threads.
  virtual void start_threads() {}
  /// Resumes a blocked rank after `delay`: with 0 in the rank phase of this instant (from a rank: in its next
  /// round). The rank must be on the router that is being served.
  virtual void wake(RankId rank, Picoseconds delay = Picoseconds{0}) = 0;
  /// Calls Library::timer(rank, token) after `delay` > 0, in the phase of deliveries.
  virtual void after(RankId rank, Picoseconds delay, std::uint64_t token) = 0;

  /// Returns the present location of the `bytes` bytes at `rank`'s `address`. The globals of a rank that does
  /// not run are elsewhere if many ranks share one loaded program; other memory does not move. Call it before
  /// accessing memory of a rank in a callback, or of another rank. Valid until a rank runs or enter() is
  /// called.
  virtual std::byte* memory(RankId, void* address, [[maybe_unused]] std::uint64_t bytes) const {
    return static_cast<std::byte*>(address);
  }
  /// Puts the globals of `rank` in place, so that a callback may access them.
  virtual void enter(RankId) {}
  /// Calls a function of the program (a user's reduction) as `rank`, from a callback. The function must not
  /// wait. Does not return if the function ends the job, also by a crash.
  virtual void call(RankId rank, void (*function)(void* argument), void* argument) {
    enter(rank);
    function(argument);
  }

  /// Returns whether the library reports its calls by enter_call() and leave_call(). Queried once. Nested
  /// calls are not reported; callbacks make no calls.
  virtual bool measures() const { return false; }
  /// Simulated time of the program's computation may pass before this returns. `of_mpi`: it is a call of MPI
  /// that begins, and no mark of a region, or a call that goes on.
  virtual void enter_call([[maybe_unused]] bool of_mpi) {}
  virtual void leave_call() {}

  /// Called when the running rank begins or ends a region. Simulated time may pass before they return.
  virtual void begin_region([[maybe_unused]] const RegionMark& mark) {}
  virtual void end_region([[maybe_unused]] const RegionMark& mark) {}
  /// Returns whether regions that allow it are skipped: their models' time passes instead of their bodies.
  virtual bool skips_regions() const { return false; }
  /// Lets the time of the region's model pass, as if it began and ended here.
  virtual void add_model([[maybe_unused]] const RegionMark& mark) {}
  /// Adds operations and memory traffic to the work of the running rank, as its program states them.
  virtual void add_work([[maybe_unused]] std::uint64_t flops, [[maybe_unused]] std::uint64_t memory_bytes) {}

  /// Returns the observer of calls, or null. Queried once.
  virtual CallObserver* observer() { return nullptr; }

  /// Ends the job of the running rank (MPI_Abort, a failed check) at the end of this window; in a callback,
  /// the job of the callback's rank. Does not return.
  [[noreturn]] virtual void abort_job(int status, std::string_view why) = 0;
};

/// The library of target processes, as the network notifies it.
class Library {
 public:
  virtual ~Library() = default;

  /// Prefetches the state that arrived() needs of a rank of this host process.
  virtual void prefetch([[maybe_unused]] RankId rank) const {}
  /// Called when the whole message is in the destination's memory. `data` is null if none was carried,
  /// otherwise valid during the call. A library that needs only sizes ignores it.
  virtual void arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) = 0;
  /// Called when the last byte of a message has been read from the memory of `envelope.source`: its buffer is
  /// free.
  virtual void departed(const Envelope& envelope) = 0;
  /// Called when the delay of Host::after has passed.
  virtual void timer(RankId rank, std::uint64_t token) = 0;
  /// Called on a rank that has several threads from now on: Host::threads().
  virtual void threads([[maybe_unused]] RankId rank) {}
  /// Called when ranks of another job run from now on: of the job whose first rank is `first`.
  virtual void serve([[maybe_unused]] RankId first) {}
  /// Returns the counts of remote direct memory access in this process; null: there was none.
  virtual const rdma::Counts* rdma_counts() const { return nullptr; }
  /// Returns the counts of calls in this process by job, in the order of Host::worlds().
  virtual std::vector<MpiCounts> mpi_counts() const { return {}; }
  /// Returns whether the rank takes part in the job (MPI_Init), so that other ranks may wait for it.
  virtual bool started([[maybe_unused]] RankId rank) const { return false; }
  /// Returns whether the rank has announced its end (MPI_Finalize): no other rank waits for it.
  virtual bool finished([[maybe_unused]] RankId rank) const { return true; }
  /// Receives a mistake of a program that does not end it: the mistake of `rank` (a text that follows its
  /// name), and the number of objects concerned, or 0. At the end of a run.
  using Warn = std::function<void(RankId rank, std::string what, std::uint64_t number)>;
  virtual void warnings([[maybe_unused]] const Warn& warn) const {}
  /// Writes one line on the call in which a blocked rank waits ("MPI_Recv(source 3, tag 7, MPI_COMM_WORLD)"),
  /// or, if it `polls`, on the call that it repeats, for reports of deadlock. Empty if all threads wait
  /// outside of the library.
  virtual void describe(RankId rank, bool polls, char* text, std::size_t size) const = 0;
};

}  // namespace psim::net
