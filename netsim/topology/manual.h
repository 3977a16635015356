// SPDX-License-Identifier: Apache-2.0
// The list of topologies for users, generated from the table that makes them.
#pragma once

#include <string>

namespace psim::net {

/// Returns, in Markdown, every kind with its shapes, an example with its size, its routings and the virtual
/// channels that these need there. Part of docs/topology-list.md.
std::string topologies_manual();

}  // namespace psim::net
