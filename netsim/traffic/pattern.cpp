// SPDX-License-Identifier: Apache-2.0
#include "netsim/traffic/pattern.h"

#include <fmt/format.h>

#include <bit>

#include "base/error.h"

namespace psim::net {
namespace {

bool needs_bits(Pattern pattern) {
  return pattern == Pattern::Transpose || pattern == Pattern::BitComplement ||
         pattern == Pattern::BitReverse || pattern == Pattern::Shuffle;
}

std::uint32_t reversed(std::uint32_t value, std::uint32_t bits) {
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

std::uint32_t rotated(std::uint32_t value, std::uint32_t by, std::uint32_t bits) {
  if (bits == 0) return value;
  const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  return (value << by | value >> (bits - by)) & mask;
}

}  // namespace

const std::vector<std::string>& pattern_names() {
  static const std::vector<std::string> names{"uniform", "transpose", "bit-complement", "bit-reverse",
                                              "shuffle", "tornado",   "neighbour",      "hotspot"};
  return names;
}

Pattern pattern_of(std::string_view name) {
  for (std::size_t i = 0; i < pattern_names().size(); ++i)
    if (pattern_names()[i] == name) return static_cast<Pattern>(i);
  const std::string near = nearest(name, pattern_names());
  throw UserError(fmt::format("--traffic {}: unknown pattern; {}", name,
                              near.empty()
                                  ? fmt::format("expected one of {}", fmt::join(pattern_names(), ", "))
                                  : fmt::format("did you mean {}?", near)));
}

Destinations::Destinations(Pattern pattern, std::uint32_t nodes, std::vector<std::uint32_t> sizes, double hot)
    : pattern_(pattern),
      nodes_(nodes),
      sizes_(std::move(sizes)),
      hot_(static_cast<std::uint64_t>(hot * 4294967296.0)) {
  const std::string& name = pattern_names()[static_cast<std::size_t>(pattern)];
  if (nodes < 2) throw UserError(fmt::format("--traffic {}: expected at least 2 nodes, not {}", name, nodes));
  bits_ = static_cast<std::uint32_t>(std::bit_width(nodes) - 1);
  if (needs_bits(pattern) && !std::has_single_bit(nodes))
    throw UserError(fmt::format("--traffic {}: {} nodes; expected a power of two", name, nodes));
  if (pattern == Pattern::Transpose && bits_ % 2 != 0)
    throw UserError(fmt::format("--traffic transpose: {} nodes; expected a power of four", nodes));
  std::uint32_t silent_nodes = 0;
  for (std::uint32_t node = 0; node < nodes; ++node) silent_nodes += silent(node);
  if (silent_nodes == nodes)
    throw UserError(
        fmt::format("--traffic {}: every node of {} is its own destination", name, fmt::join(sizes_, "x")));
}

bool Destinations::silent(std::uint32_t node) const {
  return pattern_ != Pattern::Uniform && pattern_ != Pattern::Hotspot && of(node, 0) == node;
}

std::uint32_t Destinations::along(std::uint32_t node, bool tornado) const {
  std::uint32_t result = 0, stride = 1;
  for (const std::uint32_t size : sizes_) {
    const std::uint32_t step = tornado ? (size + 1) / 2 - 1 : size > 1 ? 1 : 0;
    result += (node % size + step) % size * stride;
    node /= size;
    stride *= size;
  }
  return result;
}

std::uint32_t Destinations::uniform(std::uint32_t node, std::uint64_t random) const {
  const auto other = static_cast<std::uint32_t>((random >> 32) * (nodes_ - 1) >> 32);
  return other >= node ? other + 1 : other;
}

std::uint32_t Destinations::of(std::uint32_t node, std::uint64_t random) const {
  switch (pattern_) {
    case Pattern::Uniform:
      return uniform(node, random);
    case Pattern::Transpose:
      return rotated(node, bits_ / 2, bits_);
    case Pattern::BitComplement:
      return nodes_ - 1 - node;
    case Pattern::BitReverse:
      return reversed(node, bits_);
    case Pattern::Shuffle:
      return rotated(node, 1, bits_);
    case Pattern::Tornado:
      return along(node, true);
    case Pattern::Neighbour:
      return along(node, false);
    case Pattern::Hotspot:
      if (node != 0 && (random & 0xffffffff) < hot_) return 0;
      return uniform(node, random);
  }
  return node;
}

}  // namespace psim::net
