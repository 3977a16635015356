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

namespace {
template <class Word>
Word perform_on(const Operation& operation, std::byte* memory) {
  Word old;
  std::memcpy(&old, memory, sizeof old);
  const auto now = static_cast<Word>(changed(operation, old));
  std::memcpy(memory, &now, sizeof now);
  return old;
}
}  // namespace

std::uint64_t perform(const Operation& operation, std::byte* memory) {
  return operation.bytes == 4 ? perform_on<std::uint32_t>(operation, memory)
                              : perform_on<std::uint64_t>(operation, memory);
}

}  // namespace psim::net::rdma
