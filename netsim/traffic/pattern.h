// SPDX-License-Identifier: Apache-2.0
// Destinations of synthetic traffic: the patterns of the literature (Dally and Towles, Principles and
// Practices of Interconnection Networks, 3.2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace psim::net {

enum class Pattern : std::uint8_t {
  Uniform,        ///< any other node, with equal probability
  Transpose,      ///< node bits rotated by half their number; nodes a power of four
  BitComplement,  ///< every bit of the node inverted; nodes a power of two
  BitReverse,     ///< bits in reverse order; nodes a power of two
  Shuffle,        ///< bits rotated by one; nodes a power of two
  Tornado,        ///< in each dimension ⌈k/2⌉ - 1 onwards; lattices
  Neighbour,      ///< one onwards in each dimension; lattices
  Hotspot         ///< a share of the traffic to node 0, the rest uniform
};

/// Returns "uniform", "transpose", … in the order of the enumeration.
const std::vector<std::string>& pattern_names();
/// Returns the pattern with this name. Throws UserError with the nearest name.
Pattern pattern_of(std::string_view name);

/// Destinations for nodes 0 … nodes - 1.
class Destinations {
 public:
  /// `sizes`: of the lattice's dimensions, first fastest; {nodes} for other topologies. `hot`: share of a
  /// hotspot's traffic that goes to node 0, 0 … 1. Throws UserError if the pattern does not fit.
  Destinations(Pattern pattern, std::uint32_t nodes, std::vector<std::uint32_t> sizes, double hot = 0.1);

  /// Returns the destination of a message. `random`: 64 uniform bits of this message.
  std::uint32_t of(std::uint32_t node, std::uint64_t random) const;
  /// Returns true for a node whose only destination is itself, as on the diagonal of a transpose.
  bool silent(std::uint32_t node) const;

 private:
  std::uint32_t along(std::uint32_t node, bool tornado) const;
  std::uint32_t uniform(std::uint32_t node, std::uint64_t random) const;

  Pattern pattern_;
  std::uint32_t nodes_;
  std::uint32_t bits_ = 0;
  std::vector<std::uint32_t> sizes_;
  std::uint64_t hot_ = 0;  ///< of 2^32
};

}  // namespace psim::net
