// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mpi/collective/algorithms.h"
#include "mpi/collective/buffers.h"
#include "mpi/collective/table.h"
#include "mpi/library.h"

namespace psim::net::mpi {
namespace {

std::int64_t block_offset(int block, std::uint64_t bytes) {
  return static_cast<std::int64_t>(block) * static_cast<std::int64_t>(bytes);
}

Task gather_linear(Channel c, const std::byte* mine, std::byte* all, std::uint64_t bytes, int root) {
  if (c.me != root) {
    c.send(root, mine, bytes);
  } else {
    copy(c, shifted(all, block_offset(root, bytes)), mine, bytes);
    for (int i = 0; i < c.size; ++i)
      if (i != root) c.recv(i, shifted(all, block_offset(i, bytes)), bytes);
  }
  co_await c.done();
}

/// Gathers subtrees as one message each, in rank order from the root, which rotates the blocks at the end.
Task gather_binomial(Channel c, const std::byte* mine, std::byte* all, std::uint64_t bytes, int root) {
  const int relative = (c.me - root + c.size) % c.size;
  int span = 1;  // ranks below this one, itself included
  while (span < c.size && (relative & span) == 0) span *= 2;
  span = std::min(span, c.size - relative);
  const bool direct = relative == 0 && root == 0;
  const Scratch own(direct || span == 1 ? 0 : static_cast<std::uint64_t>(span) * bytes);
  std::byte* data = direct ? all : own.data();
  if (span > 1 || direct) copy(c, data, mine, bytes);
  int bit = 1;
  for (; bit < c.size && (relative & bit) == 0; bit *= 2) {
    if (relative + bit >= c.size) continue;
    const int blocks = std::min(bit, c.size - relative - bit);
    c.recv((relative + bit + root) % c.size, shifted(data, block_offset(bit, bytes)),
           static_cast<std::uint64_t>(blocks) * bytes);
  }
  co_await c.done();
  if (relative != 0) {
    const std::byte* from = span > 1 ? data : mine;
    c.send((relative - bit + root) % c.size, from, static_cast<std::uint64_t>(span) * bytes);
    co_await c.done();
  } else if (!direct && c.size > 1) {
    const int before = c.size - root;  // blocks root … size - 1 come first
    copy(c, shifted(all, block_offset(root, bytes)), data, static_cast<std::uint64_t>(before) * bytes);
    copy(c, all, shifted(data, block_offset(before, bytes)), static_cast<std::uint64_t>(root) * bytes);
  }
}

Task scatter_linear(Channel c, const std::byte* all, std::byte* mine, std::uint64_t bytes, int root) {
  if (c.me != root) {
    c.recv(root, mine, bytes);
  } else {
    copy(c, mine, shifted(all, block_offset(root, bytes)), bytes);
    for (int i = 0; i < c.size; ++i)
      if (i != root) c.send(i, shifted(all, block_offset(i, bytes)), bytes);
  }
  co_await c.done();
}

Task scatter_binomial(Channel c, const std::byte* all, std::byte* mine, std::uint64_t bytes, int root) {
  const int relative = (c.me - root + c.size) % c.size;
  int bit = 1;
  while (bit < c.size && (relative & bit) == 0) bit *= 2;
  const int span = std::min(bit, c.size - relative);
  const bool direct = relative == 0 && root == 0;
  const Scratch own(direct || span == 1 ? 0 : static_cast<std::uint64_t>(span) * bytes);
  const std::byte* data = direct ? all : own.data();
  if (relative != 0) {
    c.recv((relative - bit + root) % c.size, span > 1 ? own.data() : mine,
           static_cast<std::uint64_t>(span) * bytes);
    co_await c.done();
  } else if (!direct && c.size > 1) {
    const int before = c.size - root;
    copy(c, own.data(), shifted(all, block_offset(root, bytes)), static_cast<std::uint64_t>(before) * bytes);
    copy(c, shifted(own.data(), block_offset(before, bytes)), all, static_cast<std::uint64_t>(root) * bytes);
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (relative + bit >= c.size) continue;
    const int blocks = std::min(bit, c.size - relative - bit);
    c.send((relative + bit + root) % c.size, shifted(data, block_offset(bit, bytes)),
           static_cast<std::uint64_t>(blocks) * bytes);
  }
  if (span > 1 || direct) copy(c, mine, data, bytes);
  co_await c.done();
}

Task allgather_ring(Channel c, std::byte* all, std::uint64_t bytes) {
  const int right = (c.me + 1) % c.size, left = (c.me - 1 + c.size) % c.size;
  for (int step = 0; step < c.size - 1; ++step) {
    const int give = (c.me - step + c.size) % c.size, take = (c.me - step - 1 + c.size) % c.size;
    c.send(right, shifted(all, block_offset(give, bytes)), bytes);
    c.recv(left, shifted(all, block_offset(take, bytes)), bytes);
    co_await c.done();
  }
}

/// Recursive doubling, for sizes that are powers of two only.
Task allgather_doubling(Channel c, std::byte* all, std::uint64_t bytes) {
  for (int bit = 1; bit < c.size; bit *= 2) {
    const int peer = c.me ^ bit, mine = c.me / bit * bit, theirs = peer / bit * bit;
    c.send(peer, shifted(all, block_offset(mine, bytes)), static_cast<std::uint64_t>(bit) * bytes);
    c.recv(peer, shifted(all, block_offset(theirs, bytes)), static_cast<std::uint64_t>(bit) * bytes);
    co_await c.done();
  }
}

/// Bruck et al. 1997: blocks are stored in order from this rank, and rotated at the end.
Task allgather_bruck(Channel c, std::byte* all, std::uint64_t bytes) {
  const auto size = static_cast<std::uint64_t>(c.size);
  const Scratch turned(size * bytes);
  copy(c, turned.data(), shifted(all, block_offset(c.me, bytes)), bytes);
  for (int have = 1; have < c.size; have *= 2) {
    const auto blocks = static_cast<std::uint64_t>(std::min(have, c.size - have));
    c.send((c.me - have + c.size) % c.size, turned.data(), blocks * bytes);
    c.recv((c.me + have) % c.size, shifted(turned.data(), block_offset(have, bytes)), blocks * bytes);
    co_await c.done();
  }
  const int before = c.size - c.me;
  copy(c, shifted(all, block_offset(c.me, bytes)), turned.data(), static_cast<std::uint64_t>(before) * bytes);
  copy(c, all, shifted(turned.data(), block_offset(before, bytes)), static_cast<std::uint64_t>(c.me) * bytes);
}

Task gather_bcast(Channel c, std::byte* all, std::uint64_t bytes) {
  const Scratch mine(bytes);
  copy(c, mine.data(), shifted(all, block_offset(c.me, bytes)), bytes);
  co_await gather(c, mine.data(), all, bytes, 0);
  co_await bcast(c, all, static_cast<std::uint64_t>(c.size) * bytes, 0);
}

}  // namespace

Task gather(Channel c, const std::byte* mine, std::byte* all, std::uint64_t bytes, int root) {
  switch (counted(CollectiveKind::Gather, chosen<GatherAlgorithm>(c, CollectiveKind::Gather, bytes))) {
    case GatherAlgorithm::Linear:
      return gather_linear(c, mine, all, bytes, root);
    case GatherAlgorithm::Table:
      return table_gather(c, mine, all, bytes, root);
    case GatherAlgorithm::Binomial:
      break;
  }
  return gather_binomial(c, mine, all, bytes, root);
}

Task scatter(Channel c, const std::byte* all, std::byte* mine, std::uint64_t bytes, int root) {
  switch (counted(CollectiveKind::Scatter, chosen<ScatterAlgorithm>(c, CollectiveKind::Scatter, bytes))) {
    case ScatterAlgorithm::Linear:
      return scatter_linear(c, all, mine, bytes, root);
    case ScatterAlgorithm::Table:
      return table_scatter(c, all, mine, bytes, root);
    case ScatterAlgorithm::Binomial:
      break;
  }
  return scatter_binomial(c, all, mine, bytes, root);
}

Task allgather(Channel c, std::byte* all, std::uint64_t bytes) {
  auto algorithm = chosen<AllgatherAlgorithm>(c, CollectiveKind::Allgather, bytes,
                                              [](const Levels& levels) { return levels.even; });
  if (algorithm == AllgatherAlgorithm::RecursiveDoubling && (c.size & (c.size - 1)) != 0)
    algorithm = AllgatherAlgorithm::Bruck;
  switch (counted(CollectiveKind::Allgather, algorithm)) {
    case AllgatherAlgorithm::Ring:
      return allgather_ring(c, all, bytes);
    case AllgatherAlgorithm::RecursiveDoubling:
      return allgather_doubling(c, all, bytes);
    case AllgatherAlgorithm::GatherBcast:
      return gather_bcast(c, all, bytes);
    case AllgatherAlgorithm::TwoLevel:
      return two_level_allgather(c, all, bytes);
    case AllgatherAlgorithm::Table:
      return table_allgather(c, all, bytes);
    case AllgatherAlgorithm::Bruck:
      break;
  }
  return allgather_bruck(c, all, bytes);
}

}  // namespace psim::net::mpi
