// SPDX-License-Identifier: Apache-2.0
#include "netsim/topology/graphs/shape.h"

#include <charconv>

namespace psim::net {

UserError shape_error(std::string_view shape, std::string_view problem) {
  return UserError("topology.shape = \"" + std::string(shape) + "\": " + std::string(problem));
}

std::vector<std::uint32_t> parse_sizes(std::string_view shape, std::size_t least, std::size_t most,
                                       std::string_view example) {
  const std::string like = ", as in \"" + std::string(example) + "\"";
  std::vector<std::uint32_t> sizes;
  for (std::size_t at = 0; at <= shape.size();) {
    const std::size_t end = std::min(shape.find('x', at), shape.size());
    const std::string_view word = shape.substr(at, end - at);
    std::uint32_t size = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), size);
    const bool number =
        !word.empty() && rest == word.data() + word.size() && error != std::errc::invalid_argument;
    if (!number) throw shape_error(shape, "expected sizes with x between them" + like);
    if (error != std::errc{} || size == 0 || size > kMostNodes)
      throw shape_error(shape, "size " + std::string(word) + " is out of range; 1 … 16777216");
    sizes.push_back(size);
    at = end + 1;
  }
  if (sizes.size() < least || sizes.size() > most) {
    const std::string range =
        least == most ? std::to_string(least) : std::to_string(least) + " … " + std::to_string(most);
    throw shape_error(shape, std::to_string(sizes.size()) + " sizes; expected " + range + like);
  }
  return sizes;
}

std::uint32_t product(const std::vector<std::uint32_t>& sizes, std::string_view shape) {
  std::uint64_t all = 1;
  for (const std::uint32_t size : sizes) {
    all *= size;
    if (all > kMostNodes) throw shape_error(shape, "more than 16777216 routers");
  }
  return static_cast<std::uint32_t>(all);
}

std::string shape_text(const std::vector<std::uint32_t>& sizes) {
  std::string text;
  for (const std::uint32_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

std::vector<std::uint32_t> box_of(std::uint32_t count) {
  std::vector<std::uint32_t> best{count, 1, 1};
  std::uint64_t least = ~0ull;
  for (std::uint64_t c = 1; c * c * c <= count; ++c) {
    if (count % c != 0) continue;
    const std::uint64_t rest = count / c;
    for (std::uint64_t b = c; b * b <= rest; ++b) {
      if (rest % b != 0) continue;
      const std::uint64_t a = rest / b, surface = a * b + b * c + c * a;
      if (surface >= least) continue;
      least = surface;
      best = {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c)};
    }
  }
  return best;
}

std::vector<std::uint32_t> near_cubic(std::uint32_t count) {
  constexpr std::uint64_t kMostOfCube = 16;  // 2.5 cubed
  for (;; ++count) {
    const std::vector<std::uint32_t> box = box_of(count);
    const std::uint64_t longest = box[0];
    if (longest * longest * longest <= kMostOfCube * count) return box;
  }
}

void check_nodes(std::uint32_t wanted, std::uint64_t has, std::string_view kind, std::string_view shape) {
  if (wanted <= has) return;
  throw shape_error(shape, "this " + std::string(kind) + " has " + std::to_string(has) +
                               " nodes; expected at least " + std::to_string(wanted));
}

}  // namespace psim::net
