// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/algorithms.h"
#include "mpi/collective/buffers.h"
#include "mpi/collective/table.h"
#include "mpi/library.h"

namespace psim::net::mpi {
namespace {

Task linear(Channel c, Reduction r, std::byte* data, std::uint64_t count, bool inclusive) {
  const std::uint64_t bytes = count * r.size();
  const Scratch below(bytes), sum(bytes);
  copy(c, sum.data(), data, bytes);
  if (c.me > 0) {
    c.recv(c.me - 1, below.data(), bytes);
    co_await c.done();
    reduce_local(c, r, below.data(), sum.data(), count);
  }
  if (c.me + 1 < c.size) c.send(c.me + 1, sum.data(), bytes);
  if (inclusive)
    copy(c, data, sum.data(), bytes);
  else if (c.me > 0)
    copy(c, data, below.data(), bytes);
  co_await c.done();
}

/// Hillis and Steele's doubling. Partial results are exchanged both ways, which keeps rank order.
Task doubling(Channel c, Reduction r, std::byte* data, std::uint64_t count, bool inclusive) {
  const std::uint64_t bytes = count * r.size();
  const Scratch block(bytes), sent(bytes), received(bytes), below(bytes);
  bool any_below = false;
  copy(c, block.data(), data, bytes);
  for (int bit = 1; bit < c.size; bit *= 2) {
    const int peer = c.me ^ bit;
    if (peer >= c.size) continue;
    copy(c, sent.data(), block.data(), bytes);
    c.send(peer, sent.data(), bytes);
    c.recv(peer, received.data(), bytes);
    co_await c.done();
    if (peer > c.me) {
      reduce_right(c, r, received.data(), block.data(), count);
      continue;
    }
    reduce_local(c, r, received.data(), block.data(), count);
    if (inclusive)
      reduce_local(c, r, received.data(), data, count);
    else if (any_below)
      reduce_local(c, r, received.data(), below.data(), count);
    else
      copy(c, below.data(), received.data(), bytes);
    any_below = true;
  }
  if (!inclusive && any_below) copy(c, data, below.data(), bytes);
}

/// Sends every other rank its share of the vector, one rank per round. Commutative operations only.
Task pairwise(Channel c, Reduction r, std::byte* in, std::byte* out, Shares shares) {
  const auto s = r.size();
  const std::uint64_t mine = shares.count(c.me);
  const auto at = [&](int i) { return shifted(in, static_cast<std::int64_t>(shares.first(i) * s)); };
  const Scratch received(mine * s);
  for (int step = 1; step < c.size; ++step) {
    const int to = (c.me + step) % c.size, from = (c.me - step + c.size) % c.size;
    c.send(to, at(to), shares.count(to) * s);
    c.recv(from, received.data(), mine * s);
    co_await c.done();
    reduce_local(c, r, received.data(), at(c.me), mine);
  }
  copy(c, out, at(c.me), mine * s);
}

Task to_root_and_back(Channel c, Reduction r, std::byte* in, std::byte* out, Shares shares) {
  const auto s = r.size();
  co_await reduce(c, r, in, shares.total(c.size), 0);
  if (c.me == 0) {
    for (int i = 1; i < c.size; ++i)
      c.send(i, shifted(in, static_cast<std::int64_t>(shares.first(i) * s)), shares.count(i) * s);
    copy(c, out, in, shares.count(0) * s);
  } else {
    c.recv(0, out, shares.count(c.me) * s);
  }
  co_await c.done();
}

}  // namespace

Task scan(Channel c, Reduction r, std::byte* data, std::uint64_t count, bool inclusive) {
  switch (counted(CollectiveKind::Scan, chosen<ScanAlgorithm>(c, CollectiveKind::Scan, count * r.size()))) {
    case ScanAlgorithm::Linear:
      return linear(c, std::move(r), data, count, inclusive);
    case ScanAlgorithm::Table:
      return table_scan(c, std::move(r), data, count, inclusive);
    case ScanAlgorithm::RecursiveDoubling:
      break;
  }
  return doubling(c, std::move(r), data, count, inclusive);
}

Task reduce_scatter(Channel c, Reduction r, std::byte* in, std::byte* out, Shares shares) {
  const std::uint64_t bytes = shares.total(c.size) * r.size();
  auto algorithm = chosen<ReduceScatterAlgorithm>(c, CollectiveKind::ReduceScatter, bytes);
  if (algorithm == ReduceScatterAlgorithm::Pairwise && !r.op->commutative)
    algorithm = ReduceScatterAlgorithm::ReduceScatter;
  switch (counted(CollectiveKind::ReduceScatter, algorithm)) {
    case ReduceScatterAlgorithm::Pairwise:
      return pairwise(c, std::move(r), in, out, std::move(shares));
    case ReduceScatterAlgorithm::Table:
      return table_reduce_scatter(c, std::move(r), in, out, std::move(shares));
    case ReduceScatterAlgorithm::ReduceScatter:
      break;
  }
  return to_root_and_back(c, std::move(r), in, out, std::move(shares));
}

}  // namespace psim::net::mpi
