// SPDX-License-Identifier: Apache-2.0
// The seam between a library of target processes (MPI, RDMA) and what simulates them. The library sees only
// this header: it is linked into programs, the simulator is not. All calls happen on one host thread.
//
// Order (docs/decisions/0019): at one instant of simulated time a router first moves packets, then delivers
// messages (Library::arrived, departed), then resumes its ranks in rank order. What a rank sends at an
// instant leaves in that instant.
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
#include "netsim/message/rdma_counts.h"

namespace psim::net {

/// How the threads of a rank take turns: only one of them runs at a time, until it waits or gives way.
class ThreadTurns {
 public:
  /// Of the running thread; 0: that of the rank's main.
  virtual std::uint32_t number() const = 0;
  /// The running thread gives way to those that can run, and to those in others(), which look again.
  virtual void give_way() = 0;
  /// The running thread waits for something that the library is to notice, and looked in vain. Lets others
  /// run and returns true when it is time to look again; false, at once, if no thread can run until the rank
  /// is woken. `news`: something may have happened since others in here looked.
  virtual bool others(bool news) = 0;
  /// How long until a thread that waits for a time goes on, > 0; 0: there is none, or the library was told
  /// before and that is still to come.
  virtual Picoseconds timer() = 0;

 protected:
  ~ThreadTurns() = default;
};

/// A call that asks whether something has happened, as the program made it: to recognise loops of such calls.
struct PollCall {
  std::uint64_t entry = 0;                   ///< the function's first instruction
  std::array<std::uint64_t, 7> saved{};      ///< rbx, rbp, r12, r13, r14, r15, rsp at the entry
  std::array<std::uint64_t, 6> arguments{};  ///< rdi, rsi, rdx, rcx, r8, r9
  std::uint32_t count = 0;                   ///< arguments that the function has
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

/// What the simulator offers.
class Host {
 public:
  virtual ~Host() = default;

  /// Simulated time at the rank or router that is being served.
  virtual Picoseconds now() const = 0;
  /// The rank whose code is running. Undefined inside Library's callbacks.
  virtual RankId current() const = 0;
  /// Of all jobs: ranks are counted one job after the other.
  virtual std::uint32_t ranks() const = 0;
  /// The ranks of a job: its MPI_COMM_WORLD.
  struct World {
    std::uint32_t first = 0, size = 0;
    std::uint64_t carry = ~std::uint64_t{0};  ///< MpiConfig::carry of the job
  };
  /// In the order of `first`; empty: one, of all ranks.
  virtual std::vector<World> worlds() const { return {}; }
  /// Ranks of one node share a memory (MPI_Win_allocate_shared, MPI_COMM_TYPE_SHARED).
  virtual NodeId node_of(RankId rank) const = 0;
  /// Whether the rank lives in this host process; only such ranks' memory can be touched.
  virtual bool local(RankId rank) const = 0;

  /// Hands a message to the network interface. `wire_bytes` ≥ 0 of data cross the network (headers are the
  /// network's own). `data`, if not null, is copied at once (`bytes` of it) and handed to arrived(); the
  /// source may reuse it. May be called from ranks and from callbacks (by then as the callback's rank).
  /// Messages from one rank to another (itself included) are reported in the order they were handed over,
  /// whatever way their packets took: matching rests on it. Those sent in place have an order of their own.
  virtual void send(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                    std::uint64_t bytes) = 0;
  /// As above without a copy: `data` stays valid and unchanged until departed() of `envelope.sender`.
  /// Of a rendezvous the library passes null for destinations in this host process, and copies from buffer to
  /// buffer itself when departed() tells. departed() comes before arrived(), or at its instant.
  virtual void send_in_place(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                             std::uint64_t bytes) = 0;

  /// What the network interface sends and takes by itself, without its DMA engines: control packets. `data`
  /// is copied at once.
  virtual void send_control(const Envelope& envelope, std::uint64_t wire_bytes, const std::byte* data,
                            std::uint64_t bytes) {
    send(envelope, wire_bytes, data, bytes);
  }

  /// A message that takes exactly `delay` and crosses no interface and no link: for networks beside that of
  /// the packets. `data` is copied at once. `delay` is at least the lookahead of the network (the least time
  /// between two routers) unless both ranks are of one node.
  virtual void send_out_of_band(const Envelope& envelope, const std::byte* data, std::uint64_t bytes,
                                Picoseconds delay) = 0;

  /// The running rank stops until wake(); returns at the woken time.
  virtual void block() = 0;
  /// The running rank computes (or polls) for `time` ≥ 0. Zero returns at once.
  virtual void sleep(Picoseconds time) = 0;
  /// The running rank asked in vain, which takes `cost`, by `call`, whose results are in memory already. As
  /// sleep(cost), but if the program does nothing else than to repeat the call, this returns from the last
  /// one before there is news for the rank.
  virtual void poll(Picoseconds cost, const PollCall& call) {
    static_cast<void>(call);
    sleep(cost);
  }
  /// The running rank waits, without a call, for one of `words` to change.
  virtual void watch(std::span<const WatchedWord> words) { static_cast<void>(words); }
  /// As sleep() where the program itself asks for it (MGEN_Comp): told apart in what a rank's time was for.
  virtual void compute(Picoseconds time) { sleep(time); }
  /// The time after a look at the clock that takes `cost`. Looks may pass together: after one the rank's
  /// clock may be ahead of now(), and the library calls catch_up() before the rank does anything else.
  virtual Picoseconds read_clock(Picoseconds cost) {
    sleep(cost);
    return now();
  }
  virtual void catch_up() {}
  /// The running rank's, once it has started threads (Library::threads); else null.
  virtual ThreadTurns* threads() { return nullptr; }
  /// The running rank starts its first thread; for Library::threads.
  virtual void start_threads() {}
  /// The blocked rank resumes after `delay`: with 0 in the rank phase of this instant (from a rank: its next
  /// round). The rank must be blocked and on the router that is being served.
  virtual void wake(RankId rank, Picoseconds delay = Picoseconds{0}) = 0;
  /// Calls Library::timer(rank, token) after `delay` > 0, in the phase of deliveries.
  virtual void after(RankId rank, Picoseconds delay, std::uint64_t token) = 0;

  /// Where `rank` has the `bytes` bytes that it calls `address`. The globals of a rank that does not run are
  /// elsewhere when many ranks share one loaded program; all other memory is where it is. Ask before touching
  /// memory of a rank in a callback or of another rank. Holds until a rank runs or enter() is called.
  virtual std::byte* memory(RankId, void* address, [[maybe_unused]] std::uint64_t bytes) const {
    return static_cast<std::byte*>(address);
  }
  /// Puts the globals of `rank` in place, so that a callback may touch them.
  virtual void enter(RankId) {}
  /// Calls a function of the program (a user's reduction) as `rank`, from a callback. The function must not
  /// wait. Does not return if it ends the job, by a crash too.
  virtual void call(RankId rank, void (*function)(void* argument), void* argument) {
    enter(rank);
    function(argument);
  }

  /// Whether the library is to say when the program enters and leaves it. Asked once. Calls within calls are
  /// not told; a callback makes none.
  virtual bool measures() const { return false; }
  /// What the program computed may pass before this returns.
  virtual void enter_call() {}
  virtual void leave_call() {}

  /// Who wants to hear of calls, or null. Asked once.
  virtual CallObserver* observer() { return nullptr; }

  /// Ends the job of the running rank (MPI_Abort, a failed check) at the end of this window; in a callback,
  /// that of the rank that is told something. Does not return.
  [[noreturn]] virtual void abort_job(int status, std::string_view why) = 0;
};

/// What the library of target processes does when the network reports.
class Library {
 public:
  virtual ~Library() = default;

  /// The whole message is in the destination's memory. `data` is null if none was carried, otherwise
  /// valid during the call. A library that only needs sizes ignores it.
  virtual void arrived(const Envelope& envelope, const std::byte* data, std::uint64_t bytes) = 0;
  /// The last byte of a message has been read from the memory of `envelope.source`: its buffer is free.
  virtual void departed(const Envelope& envelope) = 0;
  /// Host::after has run down.
  virtual void timer(RankId rank, std::uint64_t token) = 0;
  /// The rank has several threads from here on: Host::threads(). Called on it.
  virtual void threads([[maybe_unused]] RankId rank) {}
  /// Ranks of another job run from here on: of that whose first rank is `first`.
  virtual void serve([[maybe_unused]] RankId first) {}
  /// What remote direct memory access did here; null: there was none.
  virtual const rdma::Counts* rdma_counts() const { return nullptr; }
  /// Whether the rank takes part in the job (MPI_Init), so that the others cannot do without it.
  virtual bool started([[maybe_unused]] RankId rank) const { return false; }
  /// Whether the rank has told that it is done (MPI_Finalize): it may end without anybody's missing it.
  virtual bool finished([[maybe_unused]] RankId rank) const { return true; }
  /// Mistakes of programs that do not end them: what `rank` did (a text that follows its name), and how many
  /// objects that concerns; 0 where there is nothing to count. At the end of a run.
  using Warn = std::function<void(RankId rank, std::string what, std::uint64_t number)>;
  virtual void warnings([[maybe_unused]] const Warn& warn) const {}
  /// One line on what a blocked rank waits for ("MPI_Recv(source 3, tag 7, MPI_COMM_WORLD)"), for
  /// reports of deadlock.
  virtual void describe(RankId rank, char* text, std::size_t size) const = 0;
};

}  // namespace psim::net
