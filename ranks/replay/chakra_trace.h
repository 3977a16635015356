// SPDX-License-Identifier: Apache-2.0
// Reads Chakra execution traces of machine-learning jobs for `psim net --replay`: a file NAME.RANK.et for
// each rank, in the protobuf form of MLCommons' Chakra schema (schema/protobuf/et_def.proto; versions 0.x
// and 1.x).
//
// Each node becomes an operation that begins when the nodes in its data_deps have ended, as in
// Chakra's own feeder; ctrl_deps name the calls that led to it. Nodes
// with is_cpu_op = false are computed by the rank's accelerator, the others by its processor; both work at
// once. The time of computing, and of loads and stores, is duration_micros. The network determines the time
// of COMM_SEND, COMM_RECV and of COMM_COLL with a comm_type; a communication node without comm_size or
// comm_type is the processor's part of one, and is computed. Collectives are psim's own; comm_size is the
// bytes that each rank puts in. Collectives of a process group begin in the order of the file, as those of
// one stream do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ranks/replay/trace.h"

namespace psim::net::replay {

struct ChakraFile {
  std::string name;  ///< for errors
  std::string_view bytes;
};

/// Reads the files of ranks 0, 1, …. `groups`: JSON text {"PROCESS_GROUP": [RANK, …], …} in the form of
/// ASTRA-sim, or no bytes: then a single process group that the nodes name has all ranks. Throws UserError
/// "job.1.et: node 17: …".
Trace parse_chakra(const std::vector<ChakraFile>& ranks, const ChakraFile& groups);

/// Reads the files of all ranks. `path`: one of them, NAME.RANK.et; `who`: the option that names it.
/// NAME.groups.json next to them has the process groups. Throws UserError.
Trace read_chakra(const std::string& path, const std::string& who);

}  // namespace psim::net::replay
