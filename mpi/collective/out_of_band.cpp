// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/out_of_band.h"

#include "mpi/collective/buffers.h"

namespace psim::net::mpi {

Task combine(Channel c, Reduction r, std::byte* data, std::uint64_t count, int top, Picoseconds delay) {
  const std::uint64_t bytes = count * r.size();
  if (c.me != top) {
    c.send_out_of_band(top, data, bytes, delay);
    co_return;
  }
  const Scratch mine(bytes), other(bytes);
  copy(c, mine.data(), data, bytes);
  c.send_out_of_band(top, nullptr, 0, delay);  // its own vector crosses the network too
  for (int i = 0; i < c.size; ++i) {
    c.post_recv(i, i == top ? nullptr : other.data(), i == top ? 0 : bytes);
    co_await c.done();
    if (i == top) copy(c, other.data(), mine.data(), bytes);
    if (i == 0)
      copy(c, data, other.data(), bytes);
    else
      reduce_right(c, r, other.data(), data, count);
  }
}

Task leave_after(Channel c, Picoseconds time) {
  if (time.count() == 0) co_return;
  c.send_out_of_band(c.me, nullptr, 0, time);
  c.post_recv(c.me, nullptr, 0);
  co_await c.done();
}

Task meet(Channel c, Picoseconds up, Picoseconds down) {
  c.send_out_of_band(0, nullptr, 0, up);
  if (c.me == 0) {
    for (int i = 0; i < c.size; ++i) c.post_recv(i, nullptr, 0);
    co_await c.done();
    for (int i = 0; i < c.size; ++i) c.send_out_of_band(i, nullptr, 0, down);
  }
  c.post_recv(0, nullptr, 0);
  co_await c.done();
}

}  // namespace psim::net::mpi
