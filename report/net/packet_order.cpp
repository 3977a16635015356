// SPDX-License-Identifier: Apache-2.0
#include "report/net/packet_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/console.h"
#include "base/error.h"
#include "ranks/program/memory_need.h"

namespace psim {
namespace {

constexpr std::string_view kMagic = "psimord1";
static_assert(std::endian::native == std::endian::little);

struct Header {
  char magic[8];
  std::uint32_t channels = 0, zero = 0;
};

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string name_of(const PacketOrder::Ends& ends) {
  if (ends.to & PacketOrder::kNode)
    return fmt::format("router {} to node {}", ends.from, ends.to & ~PacketOrder::kNode);
  return fmt::format("router {} to router {}", ends.from, ends.to);
}

bool same_packet(const net::Grant& a, const net::Grant& b) {
  return a.source == b.source && a.message == b.message && a.bytes == b.bytes;
}

/// The first difference of two runs on one channel: its n-th packet.
struct Difference {
  std::uint32_t channel = 0;
  std::uint64_t number = 0, time = ~std::uint64_t{0};  ///< time: the earlier of both
};

struct Channel {
  const net::Grant *begin, *end;
  std::uint64_t size() const { return static_cast<std::uint64_t>(end - begin); }
};

Channel channel_of(const PacketOrder& order, std::uint32_t channel) {
  return {order.grants.data() + order.first[channel], order.grants.data() + order.first[channel + 1]};
}

/// Returns the first of a channel's packets for which `differs`, or which only one run has.
template <class Differs>
std::optional<Difference> first_difference(const PacketOrder& a, const PacketOrder& b, std::uint32_t channel,
                                           Differs differs) {
  const Channel x = channel_of(a, channel), y = channel_of(b, channel);
  std::uint64_t n = 0;
  while (n < x.size() && n < y.size() && !differs(x.begin[n], y.begin[n])) ++n;
  if (n == x.size() && n == y.size()) return std::nullopt;
  std::uint64_t time = ~std::uint64_t{0};
  if (n < x.size()) time = std::min(time, x.begin[n].time);
  if (n < y.size()) time = std::min(time, y.begin[n].time);
  return Difference{channel, n, time};
}

std::string packet_of(const Channel& channel, std::uint64_t number) {
  if (number >= channel.size()) return "no further packet";
  const net::Grant& grant = channel.begin[number];
  return fmt::format("at {:.6f} us {} B of node {}'s message {}", static_cast<double>(grant.time) * 1e-6,
                     grant.bytes, grant.source, grant.message);
}

/// Prints the earliest of all channels' differences, and the number of channels that differ.
template <class Differs>
std::uint32_t print_difference(const char* what, const PacketOrder& a, const PacketOrder& b,
                               Differs differs) {
  Difference earliest;
  std::uint32_t count = 0;
  for (std::uint32_t channel = 0; channel < a.ends.size(); ++channel)
    if (const auto found = first_difference(a, b, channel, differs)) {
      ++count;
      if (found->time < earliest.time) earliest = *found;
    }
  if (count == 0) {
    console::print("{}: the same on all {} channels\n", what, a.ends.size());
    return 0;
  }
  console::print("{}: different on {} of {} channels, first from {}, packet {}:\n", what, count,
                 a.ends.size(), name_of(a.ends[earliest.channel]), earliest.number + 1);
  console::print("  A: {}\n  B: {}\n", packet_of(channel_of(a, earliest.channel), earliest.number),
                 packet_of(channel_of(b, earliest.channel), earliest.number));
  return count;
}

}  // namespace

void OrderFile::begin(const net::Graph& graph) {
  Header header{};
  std::memcpy(header.magic, kMagic.data(), sizeof header.magic);
  header.channels = static_cast<std::uint32_t>(graph.channels.size());
  file_.write({reinterpret_cast<const char*>(&header), sizeof header});
  std::vector<PacketOrder::Ends> ends(graph.channels.size());
  for (std::uint32_t router = 0; router < graph.routers(); ++router)
    for (std::uint32_t channel = graph.first_port[router]; channel < graph.first_port[router + 1]; ++channel)
      ends[channel] = {router, graph.channels[channel].to_router};
  for (std::uint32_t node = 0; node < graph.nodes(); ++node)
    for (std::uint32_t port = 0; port < graph.node_ports; ++port)
      ends[graph.first_port[graph.node_router[node]] + graph.node_port[node] + port].to =
          PacketOrder::kNode | node;
  file_.write(bytes_of(ends));
  buffer_.reserve(kBuffered);
}

void OrderFile::flush() {
  file_.write(bytes_of(buffer_));
  buffer_.clear();
}

void OrderFile::commit() {
  flush();
  file_.commit();
}

bool is_packet_order(const std::string& path) {
  char magic[kMagic.size()] = {};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // reading a pipe would lose its bytes
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == kMagic;
}

PacketOrder read_packet_order(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UserError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  if (!is_packet_order(path))
    throw UserError(path + ": not an order of packets, as psim net --order writes it");
  Header header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  file.seekg(0, std::ios::end);
  const auto size = static_cast<std::uint64_t>(file.tellg());
  const std::uint64_t before = sizeof header + std::uint64_t{header.channels} * sizeof(PacketOrder::Ends);
  if (size < before || (size - before) % sizeof(net::Grant) != 0) throw UserError(path + ": truncated");
  if (const std::uint64_t free = net::available_memory(); 2 * size > free)
    throw UserError(fmt::format("{}: comparing it needs {:.1f} GiB of memory; {:.1f} GiB are free", path,
                                std::ldexp(2.0 * static_cast<double>(size), -30),
                                std::ldexp(static_cast<double>(free), -30)));
  file.seekg(sizeof header);
  PacketOrder order;
  order.ends.resize(header.channels);
  file.read(reinterpret_cast<char*>(order.ends.data()),
            static_cast<std::streamsize>(order.ends.size() * sizeof(PacketOrder::Ends)));
  std::vector<net::Grant> all((size - before) / sizeof(net::Grant));
  file.read(reinterpret_cast<char*>(all.data()),
            static_cast<std::streamsize>(all.size() * sizeof(net::Grant)));
  if (!file) throw UserError(path + ": cannot be read to its end");
  order.first.assign(header.channels + std::size_t{1}, 0);
  for (const net::Grant& grant : all) {
    if (grant.channel >= header.channels)
      throw UserError(fmt::format("{}: a packet on channel {} of {}", path, grant.channel, header.channels));
    ++order.first[grant.channel + std::size_t{1}];
  }
  std::partial_sum(order.first.begin(), order.first.end(), order.first.begin());
  order.grants.resize(all.size());
  std::vector<std::uint64_t> next(order.first.begin(), order.first.end() - 1);
  for (const net::Grant& grant : all) order.grants[next[grant.channel]++] = grant;
  return order;
}

bool compare_packet_orders(const std::string& first, const std::string& second) {
  const PacketOrder a = read_packet_order(first), b = read_packet_order(second);
  if (bytes_of(a.ends) != bytes_of(b.ends))
    throw UserError(fmt::format("{} and {}: of different networks", first, second));
  console::print("A: {}, {} packets over channels\nB: {}, {}\n", first, a.grants.size(), second,
                 b.grants.size());
  const auto times = print_difference("time", a, b, [](const net::Grant& x, const net::Grant& y) {
    return x.time != y.time || !same_packet(x, y);
  });
  const auto orders = print_difference(
      "order", a, b, [](const net::Grant& x, const net::Grant& y) { return !same_packet(x, y); });
  return times == 0 && orders == 0;
}

}  // namespace psim
