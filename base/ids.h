// SPDX-License-Identifier: Apache-2.0
// Identifiers in a network. A rank is not a node, a node is not a router.
#pragma once

#include <cstdint>

namespace psim::net {

/// A router with its attached network interfaces, nodes and ranks, or a switch alone. Routers are the unit of
/// distribution over host processes. 0 … routers - 1.
enum class RouterId : std::uint32_t {};
/// A computing node, 0 … nodes - 1.
enum class NodeId : std::uint32_t {};
/// A process of a target program, counted over all jobs, 0 … ranks - 1.
enum class RankId : std::uint32_t {};

constexpr std::uint32_t index(RouterId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(RankId id) { return static_cast<std::uint32_t>(id); }

}  // namespace psim::net
