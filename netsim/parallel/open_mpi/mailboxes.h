// SPDX-License-Identifier: Apache-2.0
// Parcels between processes of one host, in memory that they share. The receiver spins for as long as the
// sender takes on an idle core, and then sleeps in the kernel until the sender wakes it. So on busy cores it
// leaves the processor to the process for which it waits, and runs again as soon as there is a parcel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace psim::net {

class Mailboxes {
 public:
  /// A collective call of the `processes` processes of MPI_COMM_WORLD.
  explicit Mailboxes(std::uint32_t processes);

  /// Returns whether `process` is another process of this host. The functions below are for such processes.
  bool reaches(std::uint32_t process) const { return locals_[process] != kElsewhere; }
  /// Sends a parcel to process `to`, and returns true if it fits. Else only its size is sent, and the caller
  /// sends the bytes by other means. A process sends the next parcel after it has received the last one of
  /// `to`.
  bool send(std::uint32_t to, const std::vector<std::byte>& bytes);
  /// Waits for the next parcel from process `from`. Returns the value of its send(); if that is false,
  /// `bytes` has the size but not the contents.
  bool receive(std::uint32_t from, std::vector<std::byte>& bytes);

 private:
  struct Box;
  static constexpr std::uint32_t kElsewhere = ~std::uint32_t{0};

  /// Returns the box for parcels from one process to another, by their numbers on this host.
  Box& box(std::uint32_t from, std::uint32_t to) const;
  std::byte* contents(Box& box, std::uint32_t number) const;

  std::vector<std::uint32_t> locals_;           ///< by process: its number on this host
  std::uint32_t here_ = 0;                      ///< this process's number on this host
  std::size_t largest_ = 0;                     ///< bytes of a parcel that fits
  std::vector<std::byte*> memory_;              ///< by receiver: its boxes, one for each sender of the host
  std::vector<std::uint32_t> sent_, received_;  ///< parcels, by process
};

}  // namespace psim::net
