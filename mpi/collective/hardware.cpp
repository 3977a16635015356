// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/hardware.h"

#include "base/rate.h"
#include "mpi/collective/out_of_band.h"
#include "mpi/library.h"

namespace psim::net::mpi {
namespace {

const HardwareConfig& hardware() { return library->config.hardware; }

Picoseconds on_links(std::uint64_t bytes) {
  return Picoseconds{static_cast<std::int64_t>(Rate(hardware().bandwidth()).time(bytes))} +
         hardware().further_groups(bytes);
}

}  // namespace

Task hardware_barrier(Channel c) {
  if (c.size == 1) return leave_after(c, Picoseconds{0});
  offload(c);
  if (hardware().kind == HardwareCollectives::Barrier) {
    const Picoseconds up = hardware().barrier_latency / 2;
    return meet(c, up, hardware().barrier_latency - up);
  }
  return meet(c, hardware().up(), hardware().down());
}

Task hardware_bcast(Channel c, std::byte* data, std::uint64_t bytes, int root) {
  if (c.size == 1) co_return;
  offload(c);
  if (c.me == root) {
    const Picoseconds delay = hardware().one_way() + on_links(bytes);
    for (int i = 0; i < c.size; ++i)
      if (i != root) c.send_out_of_band(i, data, bytes, delay);
    co_await leave_after(c, on_links(bytes));
  } else {
    c.post_recv(root, data, bytes);
    co_await c.done();
  }
}

Task hardware_reduce(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root) {
  if (c.size == 1) co_return;
  offload(c);
  const Picoseconds time = on_links(count * r.size());
  co_await combine(c, std::move(r), out, count, root, hardware().one_way() + time);
  if (c.me != root) co_await leave_after(c, time);
}

Task hardware_allreduce(Channel c, Reduction r, std::byte* data, std::uint64_t count) {
  if (c.size == 1) co_return;
  offload(c);
  const std::uint64_t bytes = count * r.size();
  co_await combine(c, std::move(r), data, count, 0, hardware().up() + on_links(bytes));
  if (c.me == 0) {
    c.send_out_of_band(0, nullptr, 0, hardware().down());
    for (int i = 1; i < c.size; ++i) c.send_out_of_band(i, data, bytes, hardware().down());
    c.post_recv(0, nullptr, 0);
  } else {
    c.post_recv(0, data, bytes);
  }
  co_await c.done();
}

}  // namespace psim::net::mpi
