// SPDX-License-Identifier: Apache-2.0
// Messages in flight between ranks outside the packet network (Host::send_out_of_band). A timer on the
// destination's router fires on arrival; its token names the message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "netsim/message/envelope.h"
#include "netsim/parallel/parcel.h"

namespace psim::net {

class OutOfBandMessages {
 public:
  struct Message {
    Envelope envelope;
    std::uint64_t sent = 0;  ///< ps
    std::vector<std::byte> data;
    std::uint32_t cause = 0;  ///< CriticalPath::Chain that led to it; 0: none
  };

  /// Sets this process's number and the number of processes.
  void start(std::uint32_t here, std::uint32_t processes) {
    here_ = here;
    leaving_.resize(processes);
  }
  /// Keeps a message to a rank of `process` and returns the timer's token.
  std::uint64_t send(std::uint32_t process, Message message);
  static bool is_token(std::uint64_t token) { return (token & kMark) != 0; }
  Message take(std::uint64_t token);

  /// Writes the messages sent to ranks of another process since the last call.
  void write(std::uint32_t process, Parcel& parcel);
  void read(Parcel& parcel);

 private:
  // Tokens of the library are addresses, whose highest bit is 0.
  static constexpr std::uint64_t kMark = std::uint64_t{1} << 63;
  static constexpr unsigned kCountBits = 48;

  struct Leaving {
    std::uint64_t count = 0;
    Parcel parcel;
  };
  std::uint32_t here_ = 0;
  std::uint64_t sent_ = 0;
  std::unordered_map<std::uint64_t, Message> coming_;  ///< by token; never iterated
  std::vector<Leaving> leaving_;                       ///< by process
};

}  // namespace psim::net
