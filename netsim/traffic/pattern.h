// SPDX-License-Identifier: Apache-2.0
// Destinations of synthetic traffic: the patterns of the literature (Dally and Towles, Principles and
// Practices of Interconnection Networks, 3.2), and those of papers on present networks.
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
  Hotspot,        ///< a share of the traffic to node 0, the rest uniform
  Adversarial,    ///< any node of the group `shift` groups onwards
  Permutation,    ///< a random permutation without fixed points, by the seed
  AllToAll,       ///< all other nodes in turn, beginning with the next
  Stencil2d,      ///< the neighbours in a periodic grid of two dimensions, in turn
  Stencil3d,      ///< of three
  Matrix          ///< by the weights of a file
};

/// Returns "uniform", "transpose", … in the order of the enumeration.
const std::vector<std::string>& pattern_names();
/// Returns the pattern with this name. Throws UserError with the nearest name.
Pattern pattern_of(std::string_view name);

/// Choices of some patterns.
struct PatternOptions {
  double hot = 0.1;                      ///< hotspot: share of the traffic that goes to node 0, 0 … 1
  std::uint32_t group = 1;               ///< adversarial: nodes of a group
  std::uint32_t shift = 1;               ///< adversarial: groups onwards
  std::uint64_t seed = 1;                ///< permutation
  std::vector<std::uint32_t> grid = {};  ///< stencils: sizes, first fastest; empty: near square, near cubic
  std::string matrix = {};               ///< matrix: contents of the file
  std::string matrix_name = {};          ///< for messages
};

/// Destinations for nodes 0 … nodes - 1.
class Destinations {
 public:
  /// `sizes`: of the lattice's dimensions, first fastest; {nodes} for other topologies. Throws UserError if
  /// the pattern does not fit.
  Destinations(Pattern pattern, std::uint32_t nodes, std::vector<std::uint32_t> sizes,
               const PatternOptions& options = {});

  /// Returns the destination of a node's message. `random`: 64 uniform bits of this message; `number`: the
  /// messages of the node before it.
  std::uint32_t of(std::uint32_t node, std::uint64_t random, std::uint32_t number = 0) const;
  /// Returns the load of a node as a share of that of the node with the highest: 1 but for a matrix.
  double share(std::uint32_t node) const { return shares_.empty() ? 1 : shares_[node]; }
  /// Returns true for a node whose only destination is itself, as on the diagonal of a transpose.
  bool silent(std::uint32_t node) const;

 private:
  std::uint32_t along(std::uint32_t node, bool tornado) const;
  std::uint32_t uniform(std::uint32_t node, std::uint64_t random) const;
  std::uint32_t adversarial(std::uint32_t node, std::uint64_t random) const;
  std::uint32_t of_matrix(std::uint32_t node, std::uint64_t random) const;
  void make_permutation(std::uint64_t seed);
  void make_stencil(std::vector<std::uint32_t> grid, std::size_t dimensions);
  void read_matrix(const std::string& text, const std::string& name);

  Pattern pattern_;
  std::uint32_t nodes_;
  std::uint32_t bits_ = 0;
  std::vector<std::uint32_t> sizes_;
  std::uint64_t hot_ = 0;  ///< of 2^32
  std::uint32_t group_ = 1, groups_ = 1, shift_ = 1;
  /// Permutation: the destination of each node. Stencils: degree_ neighbours of each.
  std::vector<std::uint32_t> table_;
  std::uint32_t degree_ = 0;
  // Matrix: the entries of node i are first_[i] … first_[i + 1] - 1.
  std::vector<std::uint32_t> first_;
  std::vector<std::uint64_t> up_to_;  ///< of 2^32: by entry, the sum of the row's weights up to it
  std::vector<double> shares_;
};

}  // namespace psim::net
