// SPDX-License-Identifier: Apache-2.0
// The table by which the MPI library chooses algorithms of collectives, as a file that a user can replace:
//
//     [bcast]
//     "bytes<=12288" = "binomial"              # the first row that fits counts
//     "ranks<=64,bytes<=65536" = "chain"
//     "else" = "scatter-ring"                  # without limits
//
// What no row fits goes by the built-in table.
#pragma once

#include <string>
#include <string_view>

#include "netsim/message/mpi_config.h"

namespace psim {

/// The rows of a file's text as MpiConfig::algorithms has them. Throws UserError with every bad row,
/// "table.toml:3: bcast.\"bytes<=x\": …".
std::string collective_rules(std::string_view text, const std::string& name);

/// The whole table in use with these rules before the built-in ones, as such a file.
/// Throws std::invalid_argument if a rule cannot be read.
std::string collective_table(std::string_view rules);

/// "; barrier=hardware …": what a network of its own carries out unless the user says otherwise.
std::string hardware_rules(net::HardwareCollectives kind);
/// Throws UserError if `rules` choose the algorithm `hardware` where there is none.
void check_hardware_rules(std::string_view rules, net::HardwareCollectives kind);

}  // namespace psim
