// SPDX-License-Identifier: Apache-2.0
// A handle is an int: what it names in the upper bits, its place in a pool in the lower 27. mpi.h writes the
// predefined ones out.
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
  Message
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
