// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/buffers.h"

namespace psim::net::mpi {
namespace {

/// Returns the host address of `count` elements from `first` on. Absolute addresses (MPI_BOTTOM) may point
/// into the rank's globals, which are swapped in for that.
std::byte* reach(const UserBuffer& b, std::uint64_t first, std::uint64_t count) {
  if (b.user == nullptr) {
    if (library->in_callback) library->host.enter(RankId{b.rank->id});
    return b.at(first);
  }
  return library->memory(b.rank->id, b.at(first), *b.type, count);
}

}  // namespace

void UserBuffer::pack_to(std::byte* packed, std::uint64_t first, std::uint64_t n) const {
  if (size_only() || n == 0 || type->size == 0) return;
  pack(*type, n, reach(*this, first, n), packed, 0, n * type->size);
}

void UserBuffer::unpack_from(const std::byte* packed, std::uint64_t first, std::uint64_t n) const {
  if (size_only() || n == 0 || type->size == 0) return;
  unpack(*type, n, reach(*this, first, n), packed, 0, n * type->size);
}

void Channel::send_typed(int to, const void* data, std::uint64_t count, Datatype& type) const {
  const std::uint64_t bytes = count * type.size;
  if (type.contiguous || bytes == 0 || !carries(bytes) || collective->alike == kFailed)
    return send(to, data, bytes);
  auto* packed = memory_for(bytes);
  UserBuffer(*this, data, count, type).pack_to(packed, 0, count);
  send_packed(to, packed, bytes);
}

}  // namespace psim::net::mpi
