// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mpi/collective/algorithms.h"
#include "mpi/collective/buffers.h"
#include "mpi/collective/hardware.h"
#include "mpi/collective/table.h"
#include "mpi/library.h"

namespace psim::net::mpi {

void reduce_local(const Channel& c, const Reduction& r, const std::byte* in, std::byte* inout,
                  std::uint64_t count) {
  if (size_only()) return;
  Rank& rank = *c.collective->rank;
  const std::uint64_t bytes = count * r.size();
  apply(rank, *r.op, *r.type, library->memory(rank.id, in, bytes), library->memory(rank.id, inout, bytes),
        count);
}

void reduce_right(const Channel& c, const Reduction& r, std::byte* in, std::byte* inout,
                  std::uint64_t count) {
  if (r.op->commutative) return reduce_local(c, r, in, inout, count);
  reduce_local(c, r, inout, in, count);
  copy(c, inout, in, count * r.size());
}

namespace {

/// Each rank combines vectors of ranks above it, which keeps rank order for all operations. For operations
/// that do not commute the tree ends at rank 0, which forwards the result to the root.
Task binomial(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root) {
  const std::uint64_t bytes = count * r.size();
  const int top = r.op->commutative ? root : 0;
  const int relative = (c.me - top + c.size) % c.size;
  const Scratch other(bytes);
  int bit = 1;
  for (; bit < c.size && (relative & bit) == 0; bit *= 2) {
    if (relative + bit >= c.size) continue;
    c.recv((relative + bit + top) % c.size, other.data(), bytes);
    co_await c.done();
    reduce_right(c, r, other.data(), out, count);
  }
  if (relative != 0) c.send((relative - bit + top) % c.size, out, bytes);
  co_await c.done();
  if (top == root) co_return;
  if (c.me == top) c.send(root, out, bytes);
  if (c.me == root) c.recv(top, out, bytes);
  co_await c.done();
}

Task linear(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root) {
  const std::uint64_t bytes = count * r.size();
  if (c.me != root) {
    c.send(root, out, bytes);
    co_await c.done();
    co_return;
  }
  const Scratch mine(bytes), other(bytes);
  copy(c, mine.data(), out, bytes);
  for (int i = 0; i < c.size; ++i) {
    if (i == root) {
      copy(c, other.data(), mine.data(), bytes);
    } else {
      c.recv(i, other.data(), bytes);
      co_await c.done();
    }
    if (i == 0)
      copy(c, out, other.data(), bytes);
    else
      reduce_right(c, r, other.data(), out, count);
  }
}

/// The largest power of two ≤ size, and this rank's index in that set; -1 if the rank first gives its
/// vector to a neighbour (Rabenseifner 2004).
struct Folded {
  int size = 1, extra = 0, position = 0;
  int rank_of(int other) const { return other < extra ? other * 2 + 1 : other + extra; }
};

Folded fold_of(const Channel& c) {
  Folded f;
  while (f.size * 2 <= c.size) f.size *= 2;
  f.extra = c.size - f.size;
  if (c.me < 2 * f.extra)
    f.position = c.me % 2 == 0 ? -1 : c.me / 2;
  else
    f.position = c.me - f.extra;
  return f;
}

/// Sends the vectors of the even ranks among the first 2·extra to the odd ones.
Task fold(Channel c, Reduction r, std::byte* data, std::uint64_t count, Folded f) {
  if (c.me >= 2 * f.extra) co_return;
  const std::uint64_t bytes = count * r.size();
  if (f.position < 0) {
    c.send(c.me + 1, data, bytes);
    co_await c.done();
    co_return;
  }
  const Scratch other(bytes);
  c.recv(c.me - 1, other.data(), bytes);
  co_await c.done();
  reduce_local(c, r, other.data(), data, count);
}

Task unfold(Channel c, std::byte* data, std::uint64_t bytes, Folded f) {
  if (c.me >= 2 * f.extra) co_return;
  if (f.position < 0)
    c.recv(c.me + 1, data, bytes);
  else
    c.send(c.me - 1, data, bytes);
  co_await c.done();
}

Task recursive_doubling(Channel c, Reduction r, std::byte* data, std::uint64_t count) {
  const std::uint64_t bytes = count * r.size();
  const Folded f = fold_of(c);
  co_await fold(c, r, data, count, f);
  if (f.position >= 0) {
    const Scratch other(bytes), mine(bytes);
    for (int bit = 1; bit < f.size; bit *= 2) {
      const int peer = f.position ^ bit;
      copy(c, mine.data(), data, bytes);  // data being sent must not change
      c.send(f.rank_of(peer), mine.data(), bytes);
      c.recv(f.rank_of(peer), other.data(), bytes);
      co_await c.done();
      if (peer < f.position)
        reduce_local(c, r, other.data(), data, count);
      else
        reduce_right(c, r, other.data(), data, count);
    }
  }
  co_await unfold(c, data, bytes, f);
}

/// Returns the first element of block i of `parts` nearly equal blocks.
std::uint64_t block(std::uint64_t count, int parts, int i) {
  return count * static_cast<std::uint64_t>(i) / static_cast<std::uint64_t>(parts);
}

/// Recursive halving: at the end the folded rank with index i holds the result of block i.
Task halve(Channel c, Reduction r, std::byte* data, std::uint64_t count, Folded f) {
  const auto s = r.size();
  const Scratch other((count + 1) / 2 * s + s);
  int first = 0, last = f.size;
  for (int half = f.size / 2; half > 0; half /= 2) {
    const int peer = f.position ^ half, middle = first + half;
    const bool low = f.position < middle;
    const int give_first = low ? middle : first, give_last = low ? last : middle;
    first = low ? first : middle;
    last = low ? middle : last;
    const std::uint64_t give = block(count, f.size, give_first), keep = block(count, f.size, first);
    const std::uint64_t kept = block(count, f.size, last) - keep;
    c.send(f.rank_of(peer), shifted(data, static_cast<std::int64_t>(give * s)),
           (block(count, f.size, give_last) - give) * s);
    c.recv(f.rank_of(peer), other.data(), kept * s);
    co_await c.done();
    reduce_local(c, r, other.data(), shifted(data, static_cast<std::int64_t>(keep * s)), kept);
  }
}

/// Rabenseifner: recursive halving, then recursive doubling of the blocks. Commutative operations only.
Task rabenseifner_all(Channel c, Reduction r, std::byte* data, std::uint64_t count) {
  const auto s = r.size();
  const Folded f = fold_of(c);
  co_await fold(c, r, data, count, f);
  if (f.position >= 0) {
    co_await halve(c, r, data, count, f);
    for (int bit = 1; bit < f.size; bit *= 2) {
      const int peer = f.position ^ bit;
      const int mine = f.position / bit * bit, theirs = peer / bit * bit;
      const std::uint64_t a = block(count, f.size, mine), b = block(count, f.size, theirs);
      c.send(f.rank_of(peer), shifted(data, static_cast<std::int64_t>(a * s)),
             (block(count, f.size, mine + bit) - a) * s);
      c.recv(f.rank_of(peer), shifted(data, static_cast<std::int64_t>(b * s)),
             (block(count, f.size, theirs + bit) - b) * s);
      co_await c.done();
    }
  }
  co_await unfold(c, data, count * s, f);
}

/// Recursive halving, then a gather of the blocks at the root.
Task rabenseifner(Channel c, Reduction r, std::byte* data, std::uint64_t count, int root) {
  const auto s = r.size();
  const Folded f = fold_of(c);
  co_await fold(c, r, data, count, f);
  if (f.position >= 0) {
    co_await halve(c, r, data, count, f);
    const std::uint64_t a = block(count, f.size, f.position);
    if (c.me != root)
      c.send(root, shifted(data, static_cast<std::int64_t>(a * s)),
             (block(count, f.size, f.position + 1) - a) * s);
  }
  if (c.me == root)
    for (int i = 0; i < f.size; ++i)
      if (f.rank_of(i) != root) {
        const std::uint64_t a = block(count, f.size, i);
        c.recv(f.rank_of(i), shifted(data, static_cast<std::int64_t>(a * s)),
               (block(count, f.size, i + 1) - a) * s);
      }
  co_await c.done();
}

/// Ring reduce-scatter, then ring allgather: each byte crosses each rank twice. Commutative operations only.
Task ring(Channel c, Reduction r, std::byte* data, std::uint64_t count) {
  const auto s = r.size();
  const int right = (c.me + 1) % c.size, left = (c.me - 1 + c.size) % c.size;
  const Scratch other((count / static_cast<std::uint64_t>(c.size) + 1) * s);
  const auto at = [=](int i) {
    return shifted(data, static_cast<std::int64_t>(block(count, c.size, i) * s));
  };
  const auto elements = [=](int i) { return block(count, c.size, i + 1) - block(count, c.size, i); };
  for (int step = 0; step < c.size - 1; ++step) {
    const int give = (c.me - step + c.size) % c.size, take = (c.me - step - 1 + c.size) % c.size;
    c.send(right, at(give), elements(give) * s);
    c.recv(left, other.data(), elements(take) * s);
    co_await c.done();
    reduce_local(c, r, other.data(), at(take), elements(take));
  }
  for (int step = 0; step < c.size - 1; ++step) {
    const int give = (c.me + 1 - step + c.size) % c.size, take = (c.me - step + c.size) % c.size;
    c.send(right, at(give), elements(give) * s);
    c.recv(left, at(take), elements(take) * s);
    co_await c.done();
  }
}

Task reduce_bcast(Channel c, Reduction r, std::byte* data, std::uint64_t count) {
  co_await reduce(c, r, data, count, 0);
  co_await bcast(c, data, count * r.size(), 0);
}

}  // namespace

Task reduce(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root) {
  const std::uint64_t bytes = count * r.size();
  auto algorithm = chosen<ReduceAlgorithm>(c, CollectiveKind::Reduce, bytes,
                                           [&](const Levels&) { return r.op->commutative; });
  if (algorithm == ReduceAlgorithm::Rabenseifner &&
      (!r.op->commutative || count < static_cast<std::uint64_t>(c.size)))
    algorithm = ReduceAlgorithm::Binomial;
  switch (counted(CollectiveKind::Reduce, algorithm)) {
    case ReduceAlgorithm::Linear:
      return linear(c, std::move(r), out, count, root);
    case ReduceAlgorithm::Rabenseifner:
      return rabenseifner(c, std::move(r), out, count, root);
    case ReduceAlgorithm::TwoLevel:
      return two_level_reduce(c, std::move(r), out, count, root);
    case ReduceAlgorithm::Hardware:
      return hardware_reduce(c, std::move(r), out, count, root);
    case ReduceAlgorithm::Table:
      return table_reduce(c, std::move(r), out, count, root);
    case ReduceAlgorithm::Binomial:
      break;
  }
  return binomial(c, std::move(r), out, count, root);
}

Task allreduce(Channel c, Reduction r, std::byte* data, std::uint64_t count) {
  const std::uint64_t bytes = count * r.size();
  auto algorithm = chosen<AllreduceAlgorithm>(c, CollectiveKind::Allreduce, bytes,
                                              [&](const Levels&) { return r.op->commutative; });
  if ((algorithm == AllreduceAlgorithm::Rabenseifner || algorithm == AllreduceAlgorithm::Ring) &&
      (!r.op->commutative || count < static_cast<std::uint64_t>(c.size)))
    algorithm = AllreduceAlgorithm::RecursiveDoubling;
  switch (counted(CollectiveKind::Allreduce, algorithm)) {
    case AllreduceAlgorithm::ReduceBcast:
      return reduce_bcast(c, std::move(r), data, count);
    case AllreduceAlgorithm::Ring:
      return ring(c, std::move(r), data, count);
    case AllreduceAlgorithm::Rabenseifner:
      return rabenseifner_all(c, std::move(r), data, count);
    case AllreduceAlgorithm::TwoLevel:
      return two_level_allreduce(c, std::move(r), data, count);
    case AllreduceAlgorithm::Hardware:
      return hardware_allreduce(c, std::move(r), data, count);
    case AllreduceAlgorithm::Table:
      return table_allreduce(c, std::move(r), data, count);
    case AllreduceAlgorithm::RecursiveDoubling:
      break;
  }
  return recursive_doubling(c, std::move(r), data, count);
}

}  // namespace psim::net::mpi
