// SPDX-License-Identifier: Apache-2.0
// Messages between nodes of different host processes. The source's process announces a message when it is
// sent: what the destination must know of it, and what it carries, is there at the end of the window, before
// its first packet can be. Packets carry the record's number at the source; when the message is delivered,
// that number goes back to be used again.
#pragma once

#include <cstdint>
#include <vector>

#include "netsim/nic/message_pool.h"
#include "netsim/parallel/parcel.h"

namespace psim::net {

class RemoteMessages {
 public:
  explicit RemoteMessages(std::uint32_t processes) : boxes_(processes) {}

  /// `number` goes to `process`. Takes a copy of its data, which the record then no longer has.
  void announce(std::uint32_t process, std::uint32_t number, Message& message);
  /// A message that `process` announced has been delivered.
  void delivered(std::uint32_t process, std::uint32_t number_there) {
    boxes_[process].delivered.push_back(number_there);
  }
  /// Of what `process` calls `number`, the number here.
  std::uint32_t here(std::uint32_t process, std::uint32_t number) const {
    return boxes_[process].numbers[number];
  }

  // At the end of a window: what was announced and delivered, to and from `process`.
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
