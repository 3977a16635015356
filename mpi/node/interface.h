// SPDX-License-Identifier: Apache-2.0
// Driver of a node's network interface (cosim/queue_format.h), for programs on cycle-level nodes. Compiled
// for sparc64 only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "cosim/nic_registers.h"
#include "cosim/queue_format.h"

namespace psim::net::mpi::node {

namespace queue = cosim::queue;

/// Bytes of a message that fit into a slot.
inline constexpr std::uint64_t kSlotData = 16'384;

class Interface {
 public:
  Interface();
  /// Sets up the queues. Call once, on a node with an interface.
  void open();

  /// Queues a descriptor; it leaves at once if the ring has room.
  void submit(const queue::Descriptor& descriptor);
  /// Returns the oldest completion that is not yet read, or null.
  const volatile queue::Completion* next() const;
  /// Marks the completion that next() returned as read. The ring has room again for what is queued.
  void read(bool ended_operation);
  /// Returns the slot of a message: its header and then its data.
  const std::byte* slot(std::uint64_t number) const;
  /// Returns the oldest slot in use to the interface.
  void release_slot();
  /// Waits until there is a completion to read, or until the clock reaches `time`, in cycles.
  void wait(std::uint64_t time) const;
  /// As wait(), but other threads of the core run meanwhile, and it ends after `*news` is set and signal().
  void wait_among_threads(std::uint64_t time, const volatile int* news) const;
  /// Ends the pause of the thread that is in wait_among_threads().
  void signal() const { write(cosim::NicRegister::Signal, 1); }
  /// Sets the S-flag of the node's board on the barrier network.
  void set_barrier_flag(std::uint32_t group) const { write(cosim::NicRegister::BarrierFlag, group); }
  /// Ends the run of all nodes.
  void abort(int status) const;

  /// Returns the cycles since the start.
  static std::uint64_t cycles() {
    std::uint64_t now;
    asm volatile("rd %%tick, %0" : "=r"(now));
    return now;
  }
  /// Lets the core sleep for `cycles`, or until the interface has written a completion. (wr %pause; a core
  /// alone does not sleep.)
  static void pause(std::uint64_t cycles) { asm volatile("wr %0, 0, %%asr27" : : "r"(cycles) : "memory"); }
  /// Returns the period of a cycle, ps.
  static std::int64_t period() { return *reinterpret_cast<const volatile std::int64_t*>(cosim::kNicPeriod); }

 private:
  void write(cosim::NicRegister which, std::uint64_t value) const;
  bool full() const;
  void put_into_ring(const queue::Descriptor& descriptor);

  std::uint64_t submitted_ = 0, under_way_ = 0, read_ = 0, released_ = 0;
  std::deque<queue::Descriptor> queued_;  ///< while the ring is full
};

}  // namespace psim::net::mpi::node
