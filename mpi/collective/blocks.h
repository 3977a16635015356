// SPDX-License-Identifier: Apache-2.0
// Blocks of a user's buffer, one for each rank: equal ones, by counts and displacements (v forms), or with
// types of their own and displacements in bytes (w forms). The user's arrays stay valid until the call is
// complete (MPI-3.1 section 5.12); they are read in the rank's memory.
#pragma once

#include <algorithm>
#include <vector>

#include "mpi/api.h"
#include "mpi/collective/buffers.h"
#include "mpi/collective/disagreement.h"
#include "mpi/datatype/registry.h"
#include "mpi/numbers.h"

namespace psim::net::mpi {

struct Blocks {
  Rank* rank = nullptr;
  const void* user = nullptr;
  std::int64_t equal = 0;
  Numbers counts, displacements;
  const MPI_Datatype* types = nullptr;
  Ref<Datatype> type;
  std::vector<Ref<Datatype>> held;  ///< of w forms, because the user may free the types at once

  std::int64_t read(const Numbers& list, int i) const {
    return list.read(library->memory(rank->id, list.address(i), list.width()));
  }
  std::uint64_t count(int i) const { return static_cast<std::uint64_t>(counts ? read(counts, i) : equal); }
  Datatype& type_of(int i) const { return types != nullptr ? *held[static_cast<std::size_t>(i)] : *type; }
  std::byte* at(int i) const {
    std::int64_t offset;
    if (!displacements)
      offset = static_cast<std::int64_t>(i) * equal * type->extent();
    else if (types != nullptr)
      offset = read(displacements, i);
    else
      offset = read(displacements, i) * type->extent();
    return const_cast<std::byte*>(shifted(user, offset));
  }
  void send(const Channel& c, int to, int block) const {
    c.send_typed(to, at(block), count(block), type_of(block));
  }
  void recv(const Channel& c, int from, int block) const {
    c.recv_typed(from, at(block), count(block), type_of(block));
  }
};

/// The arguments' names in the standard, for error texts.
struct ArgumentNames {
  const char *buffer, *count, *counts, *displacements, *types;
};
constexpr ArgumentNames kSend{"sendbuf", "sendcount", "sendcounts", "sdispls", "sendtypes"};
constexpr ArgumentNames kReceive{"recvbuf", "recvcount", "recvcounts", "rdispls", "recvtypes"};

/// Checks and returns a buffer of n blocks of `count` elements.
inline UserBuffer checked(const Collective& c, const ArgumentNames& names, const void* address,
                          MPI_Count count, MPI_Datatype type, int n) {
  check_count(count, names.count);
  const std::uint64_t all = times(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(n));
  UserBuffer buffer(c.local, address, all, committed(type, static_cast<std::uint64_t>(count)));
  check_buffer(address, all, *buffer.type, names.buffer);
  return buffer;
}

/// Returns consecutive blocks from checked arguments.
inline Blocks blocks_of(const Channel& c, const void* user, std::int64_t count, Datatype& type) {
  Blocks b;
  b.rank = c.collective->rank;
  b.user = user;
  b.equal = count;
  b.type = &type;
  return b;
}
/// Returns n consecutive blocks.
inline Blocks equal_blocks(const Channel& c, const ArgumentNames& names, const void* user, MPI_Count count,
                           MPI_Datatype type, int n) {
  check_count(count, names.count);
  Datatype& t = committed(type, static_cast<std::uint64_t>(count));
  check_buffer(user, times(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(n)), t,
               names.buffer);
  return blocks_of(c, user, count, t);
}
/// Returns the blocks of a rank whose buffer has no meaning.
inline Blocks no_blocks(const Channel& c) { return blocks_of(c, nullptr, 0, datatype(MPI_BYTE)); }
inline Blocks v_blocks(const Channel& c, const ArgumentNames& names, const void* user, Numbers counts,
                       Numbers displacements, int n, MPI_Datatype type) {
  check_array(counts.data(), n, names.counts);
  check_array(displacements.data(), n, names.displacements);
  std::uint64_t all = 0;
  for (int i = 0; i < n; ++i) {
    check_count(counts[i], names.count);
    all = plus(all, counts[i]);
  }
  Blocks b = blocks_of(c, user, 0, committed(type, all));
  check_buffer(user, all, *b.type, names.buffer);
  b.counts = counts;
  b.displacements = displacements;
  return b;
}
inline Blocks w_blocks(const Channel& c, const ArgumentNames& names, const void* user, Numbers counts,
                       Numbers displacements, const MPI_Datatype* types, int n) {
  check_array(counts.data(), n, names.counts);
  check_array(displacements.data(), n, names.displacements);
  check_array(types, n, names.types);
  Blocks b;
  b.rank = c.collective->rank;
  b.user = user;
  b.counts = counts;
  b.displacements = displacements;
  b.types = types;
  for (int i = 0; i < n; ++i) {
    check_count(counts[i], names.count);
    b.held.emplace_back(&committed(types[i], static_cast<std::uint64_t>(counts[i])));
    // With MPI_BOTTOM, displacements may be addresses.
    const void* address = user == MPI_IN_PLACE ? user : shifted(user, displacements[i]);
    check_buffer(address, static_cast<std::uint64_t>(counts[i]), *b.held.back(), names.buffer);
  }
  return b;
}

/// Returns the bytes of the first n blocks.
inline std::uint64_t total(const Blocks& blocks, int n) {
  std::uint64_t bytes = 0;
  for (int i = 0; i < n; ++i) bytes += blocks.count(i) * blocks.type_of(i).size;
  return bytes;
}

/// Copies a block to another block of the same rank.
inline void copy_block(const Channel& c, const Blocks& from, int i, const Blocks& to, int j) {
  Datatype &a = from.type_of(i), &b = to.type_of(j);
  const std::uint64_t given = from.count(i) * a.size, room = to.count(j) * b.size,
                      bytes = std::min(given, room);
  if (given > room) check_block(*c.collective, given, room);
  if (bytes == 0 || size_only()) return;
  if (a.contiguous && b.contiguous) return copy(c, to.at(j), from.at(i), bytes);
  const Scratch packed(given);
  UserBuffer(c, from.at(i), from.count(i), a).pack_to(packed.data(), 0, from.count(i));
  UserBuffer(c, to.at(j), to.count(j), b).unpack_from(packed.data(), 0, bytes / b.size);
}

}  // namespace psim::net::mpi
