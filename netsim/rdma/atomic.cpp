// SPDX-License-Identifier: Apache-2.0
#include "netsim/rdma/atomic.h"

#include <cstring>

namespace psim::net::rdma {

std::uint64_t changed(const Operation& operation, std::uint64_t old) {
  switch (operation.action) {
    case Action::CompareAndSwap:
      return old == operation.expected ? operation.operand : old;
    case Action::Swap:
      return operation.operand;
    case Action::Add:
      return old + operation.operand;
    case Action::Xor:
      return old ^ operation.operand;
    case Action::Or:
      return old | operation.operand;
    case Action::And:
      return old & operation.operand;
    case Action::Copy:
    case Action::Perform:
      break;
  }
  return old;
}

std::uint64_t perform(const Operation& operation, std::byte* memory) {
  std::uint64_t old = 0;
  std::memcpy(&old, memory, operation.bytes);
  const std::uint64_t now = changed(operation, old);
  std::memcpy(memory, &now, operation.bytes);
  return old;
}

}  // namespace psim::net::rdma
