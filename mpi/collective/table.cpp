// SPDX-License-Identifier: Apache-2.0
#include "mpi/collective/table.h"

#include <string>

#include "mpi/collective/buffers.h"
#include "mpi/collective/out_of_band.h"

namespace psim::net::mpi {
namespace {

/// Returns the table's time; ends the run if it does not cover the size.
Picoseconds time_of(const Channel& c, CollectiveKind collective, std::uint64_t bytes) {
  if (c.size == 1) return Picoseconds{0};
  const auto size = static_cast<std::uint32_t>(c.size);
  if (const auto time = library->times.time(collective, size, bytes))
    return Picoseconds{static_cast<std::int64_t>(*time)};
  const std::string text = "rank " + std::to_string(c.collective->rank->world.rank) + ": " +
                           kFunctionNames[static_cast<std::size_t>(c.collective->function)] +
                           ": collective.table = " + library->config.collective_table + ": no time for " +
                           std::to_string(size) + " ranks and " + std::to_string(bytes) +
                           " bytes; the table has " +
                           std::string(collective_names()[static_cast<std::size_t>(collective)].collective) +
                           " for " + library->times.covered(collective, size);
  library->host.abort_job(2, text);
  __builtin_unreachable();  // gcc does not see [[noreturn]] through a virtual call
}

std::int64_t at_block(int block, std::uint64_t bytes) {
  return static_cast<std::int64_t>(block) * static_cast<std::int64_t>(bytes);
}

/// Synchronises all ranks. They leave `time` after the last entry.
Task meet_for(Channel c, Picoseconds time) { return meet(c, time / 2, time - time / 2); }

/// Sends a block to each other rank and receives one from each. In runs without data this is one
/// synchronisation.
template <class From, class To>
Task exchange(Channel c, From from, To to, std::uint64_t bytes, Picoseconds time) {
  if (!carries(bytes)) {
    co_await meet_for(c, time);
    co_return;
  }
  for (int i = 0; i < c.size; ++i) {
    const bool own = i == c.me;
    c.send_out_of_band(i, own ? nullptr : from(i), own ? 0 : bytes, time);
    c.post_recv(i, own ? nullptr : to(i), own ? 0 : bytes);
  }
  co_await c.done();
}

}  // namespace

Task table_barrier(Channel c) {
  const Picoseconds time = time_of(c, CollectiveKind::Barrier, 0);
  if (c.size == 1) return leave_after(c, time);  // which is 0
  offload(c);
  return meet_for(c, time);
}

Task table_bcast(Channel c, std::byte* data, std::uint64_t bytes, int root) {
  const Picoseconds time = time_of(c, CollectiveKind::Bcast, bytes);
  if (c.size == 1) co_return;
  offload(c);
  if (c.me == root) {
    for (int i = 0; i < c.size; ++i)
      if (i != root) c.send_out_of_band(i, data, bytes, time);
    co_await leave_after(c, time);
  } else {
    c.send_out_of_band(c.me, nullptr, 0, time);
    c.post_recv(c.me, nullptr, 0);
    c.post_recv(root, data, bytes);
    co_await c.done();
  }
}

Task table_reduce(Channel c, Reduction r, std::byte* out, std::uint64_t count, int root) {
  const Picoseconds time = time_of(c, CollectiveKind::Reduce, count * r.size());
  if (c.size == 1) co_return;
  offload(c);
  co_await combine(c, std::move(r), out, count, root, time);
  if (c.me != root) co_await leave_after(c, time);
}

Task table_allreduce(Channel c, Reduction r, std::byte* data, std::uint64_t count) {
  const std::uint64_t bytes = count * r.size();
  const Picoseconds time = time_of(c, CollectiveKind::Allreduce, bytes);
  if (c.size == 1) co_return;
  offload(c);
  if (!carries(bytes)) {
    co_await meet_for(c, time);
    co_return;
  }
  const Picoseconds up = time / 2;
  co_await combine(c, std::move(r), data, count, 0, up);
  if (c.me == 0)
    for (int i = 0; i < c.size; ++i)
      c.send_out_of_band(i, i == 0 ? nullptr : data, i == 0 ? 0 : bytes, time - up);
  c.post_recv(0, data, c.me == 0 ? 0 : bytes);
  co_await c.done();
}

Task table_reduce_scatter(Channel c, Reduction r, std::byte* in, std::byte* out, Shares shares) {
  const std::uint64_t total = shares.total(c.size), s = r.size();
  const Picoseconds time = time_of(c, CollectiveKind::ReduceScatter, total * s), up = time / 2;
  if (c.size > 1) {
    offload(c);
    co_await combine(c, std::move(r), in, total, 0, up);
    if (c.me == 0)
      for (int i = 0; i < c.size; ++i)
        c.send_out_of_band(i, i == 0 ? nullptr : shifted(in, static_cast<std::int64_t>(shares.first(i) * s)),
                           i == 0 ? 0 : shares.count(i) * s, time - up);
    c.post_recv(0, out, c.me == 0 ? 0 : shares.count(c.me) * s);
    co_await c.done();
  }
  if (c.me == 0) copy(c, out, in, shares.count(0) * s);
}

Task table_scan(Channel c, Reduction r, std::byte* data, std::uint64_t count, bool inclusive) {
  const std::uint64_t bytes = count * r.size();
  const Picoseconds time = time_of(c, CollectiveKind::Scan, bytes), up = time / 2;
  if (c.size == 1) co_return;
  offload(c);
  c.send_out_of_band(0, c.me == 0 ? nullptr : data, c.me == 0 ? 0 : bytes, up);
  if (c.me == 0) {
    const Scratch sum(bytes), other(bytes);
    copy(c, sum.data(), data, bytes);
    for (int i = 0; i < c.size; ++i) {
      c.post_recv(i, i == 0 ? nullptr : other.data(), i == 0 ? 0 : bytes);
      co_await c.done();
      if (i == 0) {
        c.send_out_of_band(0, nullptr, 0, time - up);
        continue;
      }
      if (!inclusive) c.send_out_of_band(i, sum.data(), bytes, time - up);
      reduce_right(c, r, other.data(), sum.data(), count);
      if (inclusive) c.send_out_of_band(i, sum.data(), bytes, time - up);
    }
  }
  c.post_recv(0, c.me == 0 ? nullptr : data, c.me == 0 ? 0 : bytes);
  co_await c.done();
}

Task table_gather(Channel c, const std::byte* mine, std::byte* all, std::uint64_t bytes, int root) {
  const Picoseconds time = time_of(c, CollectiveKind::Gather, bytes);
  if (c.me == root) copy(c, shifted(all, at_block(root, bytes)), mine, bytes);
  if (c.size == 1) co_return;
  offload(c);
  if (c.me != root) c.send_out_of_band(root, mine, bytes, time);
  c.send_out_of_band(c.me, nullptr, 0, time);
  c.post_recv(c.me, nullptr, 0);
  if (c.me == root)
    for (int i = 0; i < c.size; ++i)
      if (i != root) c.post_recv(i, shifted(all, at_block(i, bytes)), bytes);
  co_await c.done();
}

Task table_scatter(Channel c, const std::byte* all, std::byte* mine, std::uint64_t bytes, int root) {
  const Picoseconds time = time_of(c, CollectiveKind::Scatter, bytes);
  if (c.me == root) copy(c, mine, shifted(all, at_block(root, bytes)), bytes);
  if (c.size == 1) co_return;
  offload(c);
  if (c.me == root)
    for (int i = 0; i < c.size; ++i)
      if (i != root) c.send_out_of_band(i, shifted(all, at_block(i, bytes)), bytes, time);
  c.send_out_of_band(c.me, nullptr, 0, time);
  c.post_recv(c.me, nullptr, 0);
  if (c.me != root) c.post_recv(root, mine, bytes);
  co_await c.done();
}

Task table_allgather(Channel c, std::byte* all, std::uint64_t bytes) {
  const Picoseconds time = time_of(c, CollectiveKind::Allgather, bytes);
  if (c.size == 1) co_return;
  offload(c);
  co_await exchange(
      c, [=](int) { return shifted(all, at_block(c.me, bytes)); },
      [=](int i) { return shifted(all, at_block(i, bytes)); }, bytes, time);
}

Task table_alltoall(Channel c, const std::byte* in, std::byte* out, std::uint64_t bytes) {
  const Picoseconds time = time_of(c, CollectiveKind::Alltoall, bytes);
  copy(c, shifted(out, at_block(c.me, bytes)), shifted(in, at_block(c.me, bytes)), bytes);
  if (c.size == 1) co_return;
  offload(c);
  co_await exchange(
      c, [=](int i) { return shifted(in, at_block(i, bytes)); },
      [=](int i) { return shifted(out, at_block(i, bytes)); }, bytes, time);
}

}  // namespace psim::net::mpi
