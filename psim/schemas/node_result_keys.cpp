// SPDX-License-Identifier: Apache-2.0
#include "psim/schemas/result_keys.h"

namespace psim {
namespace {

constexpr ResultKey kNodeResultKeys[] = {
    {"cosim", "machine", "#scenario", "effective scenario; quantities are text with their unit"},
    {"cosim", "node", "#core", "effective configuration of each node"},
    {"cosim", "network", "#network", "effective configuration of the network"},
    {"cosim", "mixed", "#mixed", "effective keys of the loads in addition to the nodes"},
    {"cosim", "operations[].kind", "string", "puts and gets"},
    {"cosim", "operations[].{node,peer,bytes,latency_ps,completed_ps}", "integer"},
    {"cosim", "operations[].begin_seconds", "number"},
    {"cosim", "operations[].seen", "boolean", "the program has seen its end"},
    {"cosim", "operations[].parts[].name", "string", "parts of the latency"},
    {"cosim", "operations[].parts[].ps", "integer"},
    {"cosim", "nodes[].{instructions,cycles,exit_status}", "integer", "the nodes"},
    {"cosim", "nodes[].functional", "boolean",
     "true: executed functionally (--detailed); left out otherwise"},
    {"cosim", "nodes[].deadlock", "string", "where the program of the node waited forever"},
    {"cosim", "warnings[]", "string", "ranks that ended without MPI_Finalize"},
    {"cosim", "nodes[].ranks[].exit_status", "integer", "ranks of a node with several"},
    {"cosim", "{nodes[],nodes[].ranks[]}.regions[].name", "string", "marked regions of a rank"},
    {"cosim", "{nodes[],nodes[].ranks[]}.regions[].count", "integer", "executions"},
    {"cosim", "{nodes[],nodes[].ranks[]}.regions[].{inclusive_seconds,inclusive_wait}", "number",
     "with inner regions"},
    {"cosim", "{nodes[],nodes[].ranks[]}.regions[].inclusive_instructions", "integer", "with inner regions"},
    {"cosim", "{nodes[],nodes[].ranks[]}.{regions[],outside}.seconds_at_steps[]", "number",
     "time without waits until each MPI call, and each begin of a region, that is in no inner region; only "
     "with equally many, at most 1,000, in each execution"},
    {"cosim", "{nodes[],nodes[].ranks[]}.{regions[],outside}.instructions_at_steps[]", "integer",
     "instructions until these"},
    {"cosim", "{nodes[],nodes[].ranks[]}.{regions[],outside}.{seconds,compute,overhead,wait}", "number",
     "without inner regions"},
    {"cosim", "{nodes[],nodes[].ranks[]}.{regions[],outside}.{cycles,instructions,flops}", "integer"},
    {"cosim", "{nodes[],nodes[].ranks[]}.{regions[],outside}.cpi_stack.*", "integer", "cycles by cause"},
    {"cosim", "net", "#net", "the network with all its loads, as psim net reports it"},
    {"cosim", "energy.{total_joules,seconds,average_watts}", "number", "of nodes and links (--energy)"},
    {"cosim", "energy.gating", "string", "energy.gating"},
    {"cosim", "energy.cores", "integer", "of all nodes"},
    {"cosim", "energy.{,nodes[].}parts.*.{joules,dynamic_joules,static_joules}", "number",
     "by part of the machine"},
    {"cosim", "energy.{,nodes[].}{stages,structures,execution,leakage}.*", "number", "by part of the cores"},
    {"cosim", "energy.nodes[].{joules,average_watts,sleep_seconds,sleep_joules,cores_joules}", "number",
     "of each node"},
    {"cosim", "energy.{,nodes[].}{regions,calls}[]", "#spent", "by region, and by MPI function"},
    {"cosim", "energy.ranks[]", "#spent", "by rank"},
    {"cosim", "energy.jobs[].name", "string", "by load"},
    {"cosim", "energy.jobs[].{joules,nodes_joules,links_joules}", "number"},
    {"cosim", "energy.over_time.*[]", "number", "end_seconds, joules, and joules by part of the machine"},
    {"#spent", "name", "string"},
    {"#spent", "{joules,seconds,sleep_seconds,sleep_joules}", "number"},
};

}  // namespace

std::span<const ResultKey> node_result_keys() { return kNodeResultKeys; }

}  // namespace psim
