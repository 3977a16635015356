// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/algorithms.h"
#include "mpi/collective/hardware.h"
#include "mpi/collective/table.h"

namespace psim::net::mpi {
namespace {

/// Hensgen, Finkel and Manber 1988: log2 P rounds; in round k each rank signals the rank 2^k after it.
Task dissemination(Channel c) {
  for (int distance = 1; distance < c.size; distance *= 2) {
    c.send((c.me + distance) % c.size, nullptr, 0);
    c.recv((c.me - distance + c.size) % c.size, nullptr, 0);
    co_await c.done();
  }
}

/// Up a binomial tree to rank 0 and down again.
Task tree(Channel c) {
  int bit = 1;
  for (; bit < c.size && (c.me & bit) == 0; bit *= 2) {
    if (c.me + bit >= c.size) continue;
    c.recv(c.me + bit, nullptr, 0);
    co_await c.done();
  }
  if (c.me != 0) {
    c.send(c.me - bit, nullptr, 0);
    c.recv(c.me - bit, nullptr, 0);
    co_await c.done();
  }
  for (bit /= 2; bit > 0; bit /= 2)
    if (c.me + bit < c.size) c.send(c.me + bit, nullptr, 0);
  co_await c.done();
}

}  // namespace

Task barrier(Channel c) {
  switch (counted(CollectiveKind::Barrier, chosen<BarrierAlgorithm>(c, CollectiveKind::Barrier, 0))) {
    case BarrierAlgorithm::Dissemination:
      return dissemination(c);
    case BarrierAlgorithm::Tree:
      return tree(c);
    case BarrierAlgorithm::TwoLevel:
      return two_level_barrier(c);
    case BarrierAlgorithm::Hardware:
      return hardware_barrier(c);
    case BarrierAlgorithm::Table:
      return table_barrier(c);
  }
  return dissemination(c);
}

}  // namespace psim::net::mpi
