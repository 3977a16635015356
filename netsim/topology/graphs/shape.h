// SPDX-License-Identifier: Apache-2.0
// Sizes in the users' notation: "16x8x8".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace psim::net {

/// Most routers, switches and nodes of one network: 2^24 of each exceed any host's memory.
inline constexpr std::uint64_t kMostNodes = 1u << 24;

/// Returns the UserError "topology.shape = \"16x0x8\": …".
UserError shape_error(std::string_view shape, std::string_view problem);

/// Returns the sizes of "AxBxC", each 1 … 2^24. Throws UserError unless there are `least` … `most` of them.
/// `example` is a correct shape for the message.
std::vector<std::uint32_t> parse_sizes(std::string_view shape, std::size_t least, std::size_t most,
                                       std::string_view example);
/// Returns the product. Throws UserError if it is over kMostNodes.
std::uint32_t product(const std::vector<std::uint32_t>& sizes, std::string_view shape);
/// Returns "16x8x8".
std::string shape_text(const std::vector<std::uint32_t>& sizes);
/// Returns three sizes a ≥ b ≥ c with the product `count` ≥ 1 whose box has the least surface.
std::vector<std::uint32_t> box_of(std::uint32_t count);
/// Returns the box of the least volume ≥ `count` ≥ 1 whose longest side is at most 2.5 times that of a cube:
/// 7x5x3 for the prime 101, whose own box would be a ring.
std::vector<std::uint32_t> near_cubic(std::uint32_t count);
/// Throws UserError if the user requests more nodes than the shape has.
void check_nodes(std::uint32_t wanted, std::uint64_t has, std::string_view kind, std::string_view shape);

}  // namespace psim::net
