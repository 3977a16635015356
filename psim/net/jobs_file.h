// SPDX-License-Identifier: Apache-2.0
// `psim net --jobs FILE`: several programs at once on one network. The file has a table for each job, in
// order:
//
//     [solver]
//     program = "stencil"           # files are relative to this one
//     arguments = "3 64 10"         # words; 'quotes' keep blanks
//     ranks = 64
//     ranks_a_node = 4              # without: node.ranks of the network
//     shared = true                 # other jobs may have the rest of its nodes' ranks
//     arrival = "20 us"
//     placement = "random"          # contiguous, random, round-robin, cabinet-wise, file
//     mapping = "cyclic"            # block, cyclic, or a file of lines RANK NODE
//     data = "none"                 # as --data
//
//     [noise]
//     replay = "noise.otf2"         # instead of a program, as --replay; the trace sets the ranks
//     message_scale = 0.5           # as --message-scale; compute_scale, too
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/config/file_keys.h"
#include "base/config/setting.h"
#include "base/units.h"
#include "netsim/topology/graphs/graph.h"
#include "ranks/job/placement.h"
#include "ranks/replay/replay_input.h"

namespace psim {

/// A job as written in the file.
struct JobEntry {
  enum class Nodes : std::uint8_t { Contiguous, Random, RoundRobin, CabinetWise, File };

  std::string name;
  std::string table;    ///< its name in the file, "solver" or "job.solver"
  std::string program;  ///< path from the current directory; empty: a trace
  std::string replay;   ///< path of a trace from the current directory
  double compute_scale = 1, message_scale = 1;
  std::shared_ptr<const ReplayInput> trace;  ///< null: a program
  std::vector<std::string> arguments;
  std::uint32_t ranks = 0;
  std::uint32_t ranks_a_node = 0;  ///< 0: node.ranks
  bool shared = false;  ///< it takes ranks_a_node of the slots of its nodes; other jobs may use the rest
  Picoseconds arrival{0};
  Nodes placement = Nodes::Contiguous;
  std::string nodes;  ///< of placement = "file": path of a file with one node per line
  std::string mapping = "block";
  std::string data;
  Origin origin, placement_origin, mapping_origin, ranks_a_node_origin;

  std::uint32_t node_count() const { return (ranks + ranks_a_node - 1) / ranks_a_node; }
  net::Claim claim(std::uint32_t number) const { return {number, shared ? ranks_a_node : 0}; }
};

/// Returns the keys of a job's table, "NAME.program".
FileKeys jobs_file_keys();

struct JobsFile {
  std::string text;
  std::vector<JobEntry> jobs;
};

/// Returns the number of nodes that all jobs need, with `slots` ranks each, if sharing jobs are placed in
/// order.
std::uint32_t nodes_of(const std::vector<JobEntry>& jobs, std::uint32_t slots);

/// Reads a file of jobs, and its traces. Throws UserError with every problem, "jobs.toml:3: solver.rank = 64:
/// unknown key; did you mean …". `ranks_a_node` is node.ranks, which no job may exceed.
JobsFile read_jobs(const std::string& path, std::uint32_t ranks_a_node);

/// Returns the jobs of tables [PREFIX.NAME] of `path`, with `prefix` "PREFIX." or empty. Otherwise as
/// read_jobs(). A program is also searched among those built with psim if `built`.
std::vector<JobEntry> jobs_of_tables(const std::vector<Setting>& settings, const std::string& path,
                                     const std::string& prefix, std::uint32_t ranks_a_node, bool built);

/// Returns for each job the nodes of its ranks; a node has `slots` ranks. The `detailed` nodes run no ranks.
/// Throws UserError with the line of the file that cannot be fulfilled.
std::vector<std::vector<std::uint32_t>> place_jobs(const std::vector<JobEntry>& jobs, const net::Graph& graph,
                                                   std::uint32_t slots, std::uint64_t seed,
                                                   std::span<const std::uint32_t> detailed = {});

/// Returns "a 'b c' d" as words; nullopt if a quote is left open.
std::optional<std::vector<std::string>> split_words(const std::string& text);

}  // namespace psim
