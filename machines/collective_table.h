// SPDX-License-Identifier: Apache-2.0
// The table with which the MPI library chooses algorithms of collectives, in a file that a user can replace:
//
//     [bcast]
//     "bytes<=12288" = "binomial"              # the first matching row counts
//     "ranks<=64,bytes<=65536" = "chain"
//     "else" = "scatter-ring"                  # without limits
//
// Calls that match no row use the built-in table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "netsim/message/mpi_config.h"

namespace psim {

/// Converts a file's rows to the form of MpiConfig::algorithms. Throws UserError with every bad row,
/// "table.toml:3: bcast.\"bytes<=x\": …".
std::string collective_rules(std::string_view text, const std::string& name);

/// Returns the whole table in use, with these rules before the built-in ones, in the form of a file. Throws
/// std::invalid_argument if a rule cannot be read.
std::string collective_table(std::string_view rules);

/// Returns "; barrier=hardware …": the operations that a network carries out itself by default.
std::string hardware_rules(const net::HardwareConfig& hardware);
/// Returns "; bcast=table …" for the collectives with times in `csv`, the text of the file `name`. Throws
/// UserError, "t.csv:3: bytes = x: …".
std::string table_rules(std::string_view csv, const std::string& name);
/// Throws UserError if `rules` choose the algorithm `table` for an operation without times in `csv`.
void check_table_rules(std::string_view rules, std::string_view csv);
/// Throws UserError if a time in `csv` is so short that its halves are less than `lookahead` ps.
void check_table_times(std::string_view csv, const std::string& name, std::uint64_t lookahead);
/// Throws UserError if `rules` choose the algorithm `hardware` for an operation that lacks it.
void check_hardware_rules(std::string_view rules, net::HardwareCollectives kind);

}  // namespace psim
