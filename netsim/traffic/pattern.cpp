// SPDX-License-Identifier: Apache-2.0
#include "netsim/traffic/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "base/parse_number.h"
#include "base/random.h"
#include "netsim/topology/graphs/shape.h"

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
  static const std::vector<std::string> names{
      "uniform", "transpose",   "bit-complement", "bit-reverse", "shuffle",    "tornado",    "neighbour",
      "hotspot", "adversarial", "permutation",    "all-to-all",  "stencil-2d", "stencil-3d", "matrix"};
  return names;
}

Pattern pattern_of(std::string_view name) {
  for (std::size_t i = 0; i < pattern_names().size(); ++i)
    if (pattern_names()[i] == name) return static_cast<Pattern>(i);
  throw UserError(
      fmt::format("--traffic {}: unknown pattern{}", name,
                  did_you_mean(name, pattern_names(),
                               fmt::format("expected one of {}", fmt::join(pattern_names(), ", ")))));
}

Destinations::Destinations(Pattern pattern, std::uint32_t nodes, std::vector<std::uint32_t> sizes,
                           const PatternOptions& options)
    : pattern_(pattern),
      nodes_(nodes),
      sizes_(std::move(sizes)),
      hot_(static_cast<std::uint64_t>(options.hot * 4294967296.0)) {
  const std::string& name = pattern_names()[static_cast<std::size_t>(pattern)];
  if (nodes < 2) throw UserError(fmt::format("--traffic {}: expected at least 2 nodes, not {}", name, nodes));
  bits_ = static_cast<std::uint32_t>(std::bit_width(nodes) - 1);
  if (needs_bits(pattern) && !std::has_single_bit(nodes))
    throw UserError(fmt::format("--traffic {}: {} nodes; expected a power of two", name, nodes));
  if (pattern == Pattern::Transpose && bits_ % 2 != 0)
    throw UserError(fmt::format("--traffic transpose: {} nodes; expected a power of four", nodes));
  if (pattern == Pattern::Adversarial) {
    group_ = options.group;
    groups_ = group_ == 0 ? 0 : nodes / group_;
    if (groups_ < 2 || nodes % group_ != 0)
      throw UserError(
          fmt::format("--traffic adversarial: {} nodes in groups of {}; expected 2 groups or more, of "
                      "equal sizes (--group)",
                      nodes, options.group));
    shift_ = options.shift % groups_;
    if (shift_ == 0)
      throw UserError(fmt::format("--shift {}: leads to the same group of {}; expected 1 … {}", options.shift,
                                  groups_, groups_ - 1));
  }
  if (pattern == Pattern::Permutation) make_permutation(options.seed);
  if (pattern == Pattern::Stencil2d) make_stencil(options.grid, 2);
  if (pattern == Pattern::Stencil3d) make_stencil(options.grid, 3);
  if (pattern == Pattern::Matrix) read_matrix(options.matrix, options.matrix_name);
  std::uint32_t silent_nodes = 0;
  for (std::uint32_t node = 0; node < nodes; ++node) silent_nodes += silent(node);
  if (silent_nodes == nodes)
    throw UserError(
        fmt::format("--traffic {}: every node of {} is its own destination", name, fmt::join(sizes_, "x")));
}

bool Destinations::silent(std::uint32_t node) const {
  switch (pattern_) {
    case Pattern::Uniform:
    case Pattern::Hotspot:
    case Pattern::Adversarial:
    case Pattern::AllToAll:
    case Pattern::Stencil2d:
    case Pattern::Stencil3d:
      return false;
    case Pattern::Matrix:
      return shares_[node] == 0;
    default:
      return of(node, 0) == node;
  }
}

std::uint32_t Destinations::adversarial(std::uint32_t node, std::uint64_t random) const {
  const std::uint32_t group = (node / group_ + shift_) % groups_;
  return group * group_ + static_cast<std::uint32_t>((random >> 32) * group_ >> 32);
}

std::uint32_t Destinations::of_matrix(std::uint32_t node, std::uint64_t random) const {
  const auto from = up_to_.begin() + first_[node], to = up_to_.begin() + first_[node + 1];
  return table_[static_cast<std::size_t>(std::upper_bound(from, to - 1, random >> 32) - up_to_.begin())];
}

/// Shuffles the nodes (Fisher and Yates), and then exchanges each node that stayed with its neighbour.
void Destinations::make_permutation(std::uint64_t seed) {
  constexpr std::uint64_t kStream = 0x7065726d;
  table_.resize(nodes_);
  std::iota(table_.begin(), table_.end(), 0);
  for (std::uint32_t n = nodes_ - 1; n > 0; --n) {
    const std::uint64_t bits = random_bits(seed, kStream, n);
    std::swap(table_[n], table_[static_cast<std::size_t>((bits >> 32) * (n + 1) >> 32)]);
  }
  for (std::uint32_t node = 0; node < nodes_; ++node)
    if (table_[node] == node) std::swap(table_[node], table_[(node + 1) % nodes_]);
}

void Destinations::make_stencil(std::vector<std::uint32_t> grid, std::size_t dimensions) {
  if (grid.empty()) {
    grid = dimensions == 3 ? box_of(nodes_) : std::vector{nodes_, 1u};
    for (std::uint32_t side = 1; dimensions == 2 && side <= nodes_ / side; ++side)
      if (nodes_ % side == 0) grid = {nodes_ / side, side};
  }
  std::uint64_t points = 1;
  for (const std::uint32_t size : grid) points *= size;
  if (grid.size() != dimensions || points != nodes_)
    throw UserError(fmt::format("--grid {}: expected {} sizes with the product {}", fmt::join(grid, "x"),
                                dimensions, nodes_));
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    std::uint32_t stride = 1;
    for (const std::uint32_t size : grid) {
      const std::uint32_t at = node / stride % size;
      if (size > 1) table_.push_back(node + ((at + 1) % size - at) * stride);
      if (size > 2) table_.push_back(node + ((at + size - 1) % size - at) * stride);
      stride *= size;
    }
  }
  degree_ = static_cast<std::uint32_t>(table_.size() / nodes_);
}

namespace {

struct MatrixEntry {
  std::uint32_t from = 0, to = 0;
  double weight = 0;
};

/// Returns the entry of a line "source destination weight", whose parts are separated by spaces, tabs or
/// commas; nullopt for an empty line or a comment.
std::optional<MatrixEntry> entry_of(std::string_view line, std::uint32_t nodes, const std::string& where) {
  std::vector<std::string> words(1);
  for (const char c : line.substr(0, line.find('#'))) {
    if (c != ' ' && c != '\t' && c != ',' && c != '\r')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  if (words.empty()) return std::nullopt;
  if (words.size() != 3)
    throw UserError(
        fmt::format("{}: {} words; expected source, destination and weight", where, words.size()));
  const auto node = [&](const std::string& word) {
    const auto value = parse_number<std::uint32_t>(word);
    if (!value || value >= nodes)
      throw UserError(fmt::format("{}: '{}' is not a node; expected 0 … {}", where, word, nodes - 1));
    return *value;
  };
  const auto weight = parse_number<double>(words[2]);
  const MatrixEntry entry{node(words[0]), node(words[1]), weight.value_or(-1)};
  if (!(entry.weight >= 0) || !std::isfinite(entry.weight))
    throw UserError(
        fmt::format("{}: '{}' is not a weight; expected a number of at least 0", where, words[2]));
  if (entry.from == entry.to)
    throw UserError(fmt::format("{}: node {} is its own destination", where, entry.from));
  return entry;
}

}  // namespace

void Destinations::read_matrix(const std::string& text, const std::string& name) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> weights;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string where = fmt::format("{}:{}", name, ++number);
    if (const auto entry = entry_of(std::string_view(text).substr(at, end - at), nodes_, where);
        entry && entry->weight > 0)
      weights[{entry->from, entry->to}] += entry->weight;
    at = end + 1;
  }
  if (name.empty()) throw UserError("--traffic matrix: the matrix is missing; add --matrix FILE");
  if (weights.empty())
    throw UserError(name + ": no weight above 0; expected lines of source, destination, weight");
  shares_.resize(nodes_);
  for (const auto& [pair, weight] : weights) shares_[pair.first] += weight;
  first_.resize(std::size_t{nodes_} + 1);
  double sum = 0;
  for (const auto& [pair, weight] : weights) {
    const auto [from, to] = pair;
    if (first_[from + 1] == 0) sum = 0;  // a new row
    sum += weight;
    table_.push_back(to);
    up_to_.push_back(static_cast<std::uint64_t>(sum / shares_[from] * 4294967296.0));
    first_[from + 1] = static_cast<std::uint32_t>(table_.size());
  }
  for (std::uint32_t node = 0; node < nodes_; ++node)
    first_[node + 1] = std::max(first_[node + 1], first_[node]);
  const double most = *std::max_element(shares_.begin(), shares_.end());
  for (double& share : shares_) share /= most;
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

std::uint32_t Destinations::of(std::uint32_t node, std::uint64_t random, std::uint32_t number) const {
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
    case Pattern::Adversarial:
      return adversarial(node, random);
    case Pattern::Permutation:
      return table_[node];
    case Pattern::AllToAll:
      return static_cast<std::uint32_t>((node + 1 + std::uint64_t{number} % (nodes_ - 1)) % nodes_);
    case Pattern::Stencil2d:
    case Pattern::Stencil3d:
      return table_[std::size_t{node} * degree_ + number % degree_];
    case Pattern::Matrix:
      return of_matrix(node, random);
  }
  return node;
}

}  // namespace psim::net
