// SPDX-License-Identifier: Apache-2.0
// The header of a descriptor as the MPI library writes it: an Envelope in the program's order of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cosim/queue_format.h"
#include "netsim/message/envelope.h"

namespace psim::cosim {

/// The part of the header that messages are chosen by and shown with.
struct MessageHeader {
  std::uint32_t context = 0;
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;  ///< of the user's data
  std::uint8_t kind = 0;
};

/// Returns true if the operation carries a header for a slot of the peer.
inline bool has_header(std::uint32_t opcode, std::uint32_t flags) {
  const auto operation = static_cast<queue::Opcode>(opcode);
  return operation == queue::Opcode::Send ||
         (operation == queue::Opcode::Put && (flags & queue::kNotify) != 0);
}

inline MessageHeader header_of(const unsigned char* header) {
  const auto word = [&](std::size_t offset) {
    std::uint32_t value;
    std::memcpy(&value, header + offset, sizeof value);
    return __builtin_bswap32(value);
  };
  std::uint64_t bytes;
  std::memcpy(&bytes, header + offsetof(net::Envelope, bytes), sizeof bytes);
  return {word(offsetof(net::Envelope, context)),
          static_cast<std::int32_t>(word(offsetof(net::Envelope, tag))), __builtin_bswap64(bytes),
          header[offsetof(net::Envelope, kind)]};
}

}  // namespace psim::cosim
