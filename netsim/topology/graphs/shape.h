// SPDX-License-Identifier: Apache-2.0
// Sizes as users write them: "16x8x8".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace psim::net {

/// Routers, switches and nodes of one network: 2^24 of each are more than any memory here holds.
inline constexpr std::uint64_t kMostNodes = 1u << 24;

/// "topology.shape = \"16x0x8\": …" as a UserError to be thrown.
UserError shape_error(std::string_view shape, std::string_view problem);

/// The sizes of "AxBxC", each 1 … 2^24. Throws UserError unless there are `least` … `most` of them.
/// `example` is a right shape for the message.
std::vector<std::uint32_t> parse_sizes(std::string_view shape, std::size_t least, std::size_t most,
                                       std::string_view example);
/// The product. Throws UserError when it is over kMostNodes.
std::uint32_t product(const std::vector<std::uint32_t>& sizes, std::string_view shape);
/// "16x8x8".
std::string shape_text(const std::vector<std::uint32_t>& sizes);
/// `count` ≥ 1 as a product of three sizes a ≥ b ≥ c whose box has the least surface.
std::vector<std::uint32_t> box_of(std::uint32_t count);
/// The box of least volume, `count` ≥ 1 or more, whose longest side is at most 2.5 times that of a cube:
/// 7x5x3 for the prime 101, whose own box would be a ring.
std::vector<std::uint32_t> near_cubic(std::uint32_t count);
/// Throws UserError if the user asked for more nodes than the shape has.
void check_nodes(std::uint32_t wanted, std::uint64_t has, std::string_view kind, std::string_view shape);

}  // namespace psim::net
