// SPDX-License-Identifier: Apache-2.0

#include "mpi/collective/algorithms.h"
#include "mpi/collective/buffers.h"
#include "mpi/collective/table.h"
#include "mpi/library.h"

namespace psim::net::mpi {
namespace {

std::int64_t offset(int block, std::uint64_t bytes) {
  return static_cast<std::int64_t>(block) * static_cast<std::int64_t>(bytes);
}

/// P - 1 rounds; each sends one block to one rank and receives one from another.
Task pairwise(Channel c, const std::byte* in, std::byte* out, std::uint64_t bytes) {
  copy(c, shifted(out, offset(c.me, bytes)), shifted(in, offset(c.me, bytes)), bytes);
  int to = c.me, from = c.me;
  for (int step = 1; step < c.size; ++step) {
    if (++to == c.size) to = 0;
    if (--from < 0) from = c.size - 1;
    c.recv(from, shifted(out, offset(from, bytes)), bytes);
    c.send(to, shifted(in, offset(to, bytes)), bytes);
    co_await c.done();
  }
}

Task linear(Channel c, const std::byte* in, std::byte* out, std::uint64_t bytes) {
  copy(c, shifted(out, offset(c.me, bytes)), shifted(in, offset(c.me, bytes)), bytes);
  for (int step = 1; step < c.size; ++step)
    c.recv((c.me - step + c.size) % c.size, shifted(out, offset((c.me - step + c.size) % c.size, bytes)),
           bytes);
  for (int step = 1; step < c.size; ++step)
    c.send((c.me + step) % c.size, shifted(in, offset((c.me + step) % c.size, bytes)), bytes);
  co_await c.done();
}

/// Bruck et al. 1997: log2 P rounds; round k moves all blocks whose distance has bit k set by 2^k ranks.
Task bruck(Channel c, const std::byte* in, std::byte* out, std::uint64_t bytes) {
  const auto size = static_cast<std::uint64_t>(c.size);
  const Scratch turned(size * bytes), sent(size / 2 * bytes + bytes), received(size / 2 * bytes + bytes);
  for (int i = 0; i < c.size && !size_only(); ++i)
    copy(c, shifted(turned.data(), offset(i, bytes)), shifted(in, offset((c.me + i) % c.size, bytes)), bytes);
  for (int bit = 1; bit < c.size; bit *= 2) {
    int blocks = 0;
    for (int i = bit; i < c.size; ++i) {
      if ((i & bit) == 0) continue;
      copy(c, shifted(sent.data(), offset(blocks, bytes)), shifted(turned.data(), offset(i, bytes)), bytes);
      ++blocks;
    }
    c.send((c.me + bit) % c.size, sent.data(), static_cast<std::uint64_t>(blocks) * bytes);
    c.recv((c.me - bit + c.size) % c.size, received.data(), static_cast<std::uint64_t>(blocks) * bytes);
    co_await c.done();
    blocks = 0;
    for (int i = bit; i < c.size && !size_only(); ++i) {
      if ((i & bit) == 0) continue;
      copy(c, shifted(turned.data(), offset(i, bytes)), shifted(received.data(), offset(blocks, bytes)),
           bytes);
      ++blocks;
    }
  }
  for (int i = 0; i < c.size && !size_only(); ++i)
    copy(c, shifted(out, offset((c.me - i + c.size) % c.size, bytes)),
         shifted(turned.data(), offset(i, bytes)), bytes);
}

}  // namespace

Task alltoall(Channel c, const std::byte* in, std::byte* out, std::uint64_t bytes) {
  switch (counted(CollectiveKind::Alltoall, chosen<AlltoallAlgorithm>(c, CollectiveKind::Alltoall, bytes))) {
    case AlltoallAlgorithm::Pairwise:
      return pairwise(c, in, out, bytes);
    case AlltoallAlgorithm::Bruck:
      return bruck(c, in, out, bytes);
    case AlltoallAlgorithm::Linear:
      return linear(c, in, out, bytes);
    case AlltoallAlgorithm::Table:
      return table_alltoall(c, in, out, bytes);
  }
  return pairwise(c, in, out, bytes);
}

}  // namespace psim::net::mpi
