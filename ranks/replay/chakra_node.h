// SPDX-License-Identifier: Apache-2.0
// The nodes of a Chakra execution trace, as its protobuf messages give them (schema/protobuf/et_def.proto of
// MLCommons' Chakra).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace psim::net::replay {

/// The part of a message `Node` that a replay needs. Attributes are absent if the file has none of them.
struct ChakraNode {
  enum class Type : std::uint32_t { Invalid, Metadata, MemLoad, MemStore, Comp, Send, Recv, Collective };
  /// Values of CollectiveCommType.
  enum class Comm : std::uint32_t {
    AllReduce,
    Reduce,
    AllGather,
    Gather,
    Scatter,
    Broadcast,
    AllToAll,
    ReduceScatter,
    ReduceScatterBlock,
    Barrier
  };

  std::uint64_t id = 0;
  Type type = Type::Invalid;
  std::vector<std::uint64_t> requires_ids;  ///< data_deps; ctrl_deps are calls that led here
  std::uint64_t micros = 0;                 ///< duration_micros
  bool on_cpu = true;                       ///< is_cpu_op
  std::optional<std::int64_t> size, source, destination, tag, comm, root;
  std::string group;          ///< pg_name
  bool whole_network = true;  ///< no false in involved_dim
};

/// Calls `each` for every node, in the order of the file. Throws std::runtime_error with what is wrong:
/// another version, a file that is cut off, bytes that are no such messages.
void for_each_chakra_node(std::string_view bytes, const std::function<void(ChakraNode&&)>& each);

}  // namespace psim::net::replay
