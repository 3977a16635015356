// SPDX-License-Identifier: Apache-2.0
// Handles are ints: the kind of object in the upper bits, its index in a pool in the lower 27. mpi.h defines
// the predefined handles as numbers.
#pragma once

#include <cstdint>

namespace psim::net::mpi {

enum class HandleKind : std::uint32_t {
  Communicator = 1,
  Group,
  Datatype,
  Op,
  Errhandler,
  Info,
  Keyval,
  Window,
  File,
  Request,
  Message,
  Session
};

constexpr std::uint32_t kHandleBits = 27;

constexpr int make_handle(HandleKind kind, std::uint32_t index) {
  return static_cast<int>((static_cast<std::uint32_t>(kind) << kHandleBits) | index);
}
constexpr std::uint32_t handle_index(int handle) {
  return static_cast<std::uint32_t>(handle) & ((1u << kHandleBits) - 1);
}
constexpr bool is_handle(int handle, HandleKind kind) {
  return static_cast<std::uint32_t>(handle) >> kHandleBits == static_cast<std::uint32_t>(kind);
}

}  // namespace psim::net::mpi
