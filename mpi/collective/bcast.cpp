// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mpi/collective/algorithms.h"
#include "mpi/collective/buffers.h"
#include "mpi/collective/hardware.h"
#include "mpi/collective/table.h"

namespace psim::net::mpi {

Task bcast_binomial(Channel c, std::byte* data, std::uint64_t bytes, int root) {
  const int relative = (c.me - root + c.size) % c.size;
  int bit = 1;
  while (bit < c.size && (relative & bit) == 0) bit *= 2;
  if (relative != 0) {
    c.recv((relative - bit + root) % c.size, data, bytes);
    co_await c.done();
  }
  for (bit /= 2; bit > 0; bit /= 2)
    if (relative + bit < c.size) c.send((relative + bit + root) % c.size, data, bytes);
  co_await c.done();
}

namespace {

Task linear(Channel c, std::byte* data, std::uint64_t bytes, int root) {
  if (c.me != root) {
    c.recv(root, data, bytes);
  } else {
    for (int i = 0; i < c.size; ++i)
      if (i != root) c.send(i, data, bytes);
  }
  co_await c.done();
}

/// Sends pieces along a chain of ranks, pipelined.
Task chain(Channel c, std::byte* data, std::uint64_t bytes, int root) {
  constexpr std::uint64_t kPiece = 65'536;
  const int relative = (c.me - root + c.size) % c.size;
  std::uint64_t at = 0;
  do {
    const std::uint64_t piece = std::min(kPiece, bytes - at);
    if (relative != 0) {
      c.recv((c.me - 1 + c.size) % c.size, shifted(data, static_cast<std::int64_t>(at)), piece);
      co_await c.done();
    }
    if (relative != c.size - 1)
      c.send((c.me + 1) % c.size, shifted(data, static_cast<std::int64_t>(at)), piece);
    at += piece;
  } while (at < bytes);
  co_await c.done();
}

/// Van de Geijn: a binomial scatter of P pieces, then a ring allgather.
Task scatter_ring(Channel c, std::byte* data, std::uint64_t bytes, int root) {
  const auto size = static_cast<std::uint64_t>(c.size);
  const std::uint64_t piece = (bytes + size - 1) / size;
  const auto begin = [=](int i) { return std::min(bytes, static_cast<std::uint64_t>(i) * piece); };
  const auto at = [=](int i) { return shifted(data, static_cast<std::int64_t>(begin(i))); };
  const int relative = (c.me - root + c.size) % c.size;
  int bit = 1;
  while (bit < c.size && (relative & bit) == 0) bit *= 2;
  if (relative != 0) {
    const int end = std::min(relative + bit, c.size);
    c.recv((relative - bit + root) % c.size, at(relative), begin(end) - begin(relative));
    co_await c.done();
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    const int child = relative + bit;
    if (child < c.size)
      c.send((child + root) % c.size, at(child), begin(std::min(child + bit, c.size)) - begin(child));
  }
  co_await c.done();
  const int right = (c.me + 1) % c.size, left = (c.me - 1 + c.size) % c.size;
  for (int step = 0; step < c.size - 1; ++step) {
    const int give = (relative - step + c.size) % c.size, take = (relative - step - 1 + c.size) % c.size;
    c.send(right, at(give), begin(give + 1) - begin(give));
    c.recv(left, at(take), begin(take + 1) - begin(take));
    co_await c.done();
  }
}

}  // namespace

Task bcast(Channel c, std::byte* data, std::uint64_t bytes, int root) {
  switch (counted(CollectiveKind::Bcast, chosen<BcastAlgorithm>(c, CollectiveKind::Bcast, bytes))) {
    case BcastAlgorithm::Binomial:
      return bcast_binomial(c, data, bytes, root);
    case BcastAlgorithm::Linear:
      return linear(c, data, bytes, root);
    case BcastAlgorithm::ScatterRing:
      return scatter_ring(c, data, bytes, root);
    case BcastAlgorithm::Chain:
      return chain(c, data, bytes, root);
    case BcastAlgorithm::TwoLevel:
      return two_level_bcast(c, data, bytes, root);
    case BcastAlgorithm::Hardware:
      return hardware_bcast(c, data, bytes, root);
    case BcastAlgorithm::Table:
      return table_bcast(c, data, bytes, root);
  }
  return bcast_binomial(c, data, bytes, root);
}

}  // namespace psim::net::mpi
