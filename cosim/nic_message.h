// SPDX-License-Identifier: Apache-2.0
// The messages between network interfaces: a header of 64 bytes, then the data. The header crosses the
// network like data.
#pragma once

#include <cstdint>
#include <type_traits>

namespace psim::cosim {

struct NicMessage {
  enum class Kind : std::uint32_t {
    Put,    ///< data for `address`; then `value` for the flag at `flag`
    Get,    ///< requests `bytes` at `flag`, to be put at `address` there
    Reply,  ///< the answer to Get: data for `address`; then `value` for the flag at `done`
    Done,   ///< the answer to Put: its data are in memory; `value` for the flag at `done`
  };
  Kind kind = Kind::Put;
  std::uint32_t to = 0;         ///< rank that receives it
  std::uint64_t source = 0;     ///< rank that sends it
  std::uint64_t operation = 0;  ///< number of the put or get it belongs to
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t flag = 0;  ///< 0: none
  std::uint64_t done = 0;  ///< 0: none
  std::uint64_t value = 0;
};
static_assert(std::is_trivially_copyable_v<NicMessage> && sizeof(NicMessage) == 64);

}  // namespace psim::cosim
