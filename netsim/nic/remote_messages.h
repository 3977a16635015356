// SPDX-License-Identifier: Apache-2.0
// Messages between nodes of different host processes. The source's process announces a message when it is
// sent. Its header and data are at the destination by the end of the window, before its first packet.
// Packets carry the record's number at the source; after delivery that number returns for reuse.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/nic/message_pool.h"
#include "netsim/parallel/parcel.h"

namespace psim::net {

class RemoteMessages {
 public:
  explicit RemoteMessages(std::uint32_t processes) : boxes_(processes) {}

  /// Announces message `number` to `process`. Copies its data and drops them from the record.
  void announce(std::uint32_t process, std::uint32_t number, Message& message);
  /// Notes that a message announced by `process` has been delivered.
  void delivered(std::uint32_t process, std::uint32_t number_there) {
    boxes_[process].delivered.push_back(number_there);
  }
  /// Returns the number here of the record that has `number` at `process`.
  std::uint32_t here(std::uint32_t process, std::uint32_t number) const {
    return boxes_[process].numbers[number];
  }

  // Exchange announcements and deliveries with `process` at the end of a window.
  void write(std::uint32_t process, Parcel& parcel);
  void read(std::uint32_t process, Parcel& parcel, MessagePool& pool);

 private:
  struct Box {
    std::uint64_t announced = 0;
    Parcel announcements;
    std::vector<std::uint32_t> delivered;
    std::vector<std::uint32_t> numbers;  ///< here, by number there
  };
  std::vector<Box> boxes_;  ///< by process
};

}  // namespace psim::net
