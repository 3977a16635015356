// SPDX-License-Identifier: Apache-2.0
#include "psim/schemas/result_schema.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result_document.h"
#include "psim/schemas/machine_file_schema.h"
#include "psim/statistics_manual.h"

namespace psim {
namespace {

using nlohmann::ordered_json;

enum class Type : unsigned char { Integer, Number, Boolean, String, Object, Numbers, Strings, Rows, List };

/// A key at the top of the results of some commands.
struct ResultKey {
  std::string_view commands, name;
  Type type;
  std::string_view meaning;
  bool always = false;  ///< every result of these commands has it
};

constexpr ResultKey kResultKeys[] = {
    {"exec run net trace", "arguments", Type::Strings, "arguments of the program, without its name"},
    {"exec run", "instructions", Type::Integer, "committed instructions", true},
    {"replay trace", "instructions", Type::Integer, "instructions", true},
    {"exec run net trace", "exit_status", Type::Integer, "exit status of the program"},
    {"exec run net trace", "signal", Type::String, "signal that ended the program"},
    {"exec run replay trace", "fma", Type::String, "rounding of multiply-adds: fused or unfused"},
    {"exec run net cosim trace", "deadlock", Type::String, "where the program waited forever"},
    {"run replay", "cycles", Type::Integer, "cycles of the core", true},
    {"run", "cycles_interval", Type::List, "95 % interval of the cycles (--sample)"},
    {"run replay", "ipc", Type::Number, "instructions per cycle", true},
    {"run replay net cosim", "seconds", Type::Number, "simulated time"},
    {"run replay", "flops", Type::Integer, "floating-point operations of committed instructions", true},
    {"run replay", "cpi_stack", Type::Numbers, "cycles by cause; they sum to cycles", true},
    {"run", "cores", Type::Rows, "the cores of a machine with several"},
    {"run", "threads", Type::Rows, "threads of the program and their cores, on several cores"},
    {"run replay fit", "regions", Type::Rows, "the marked regions", true},
    {"run replay", "sample", Type::Object, "the units of --sample, and loops with several steady states"},
    {"run replay", "energy", Type::Object, "joules by part of the core (--energy)"},
    {"cosim", "energy", Type::Object, "joules of nodes and links (--energy)"},
    {"run replay", "profile", Type::Object, "hottest functions, lines and instructions (--profile)"},
    {"net cosim", "messages", Type::Integer, "messages", true},
    {"net cosim", "packets", Type::Integer, "packets", true},
    {"net cosim", "packet_hops", Type::Integer,
     "packets that crossed a link between routers, summed over links"},
    {"net", "topology", Type::Object, "shape, routing, and the numbers of routers and nodes", true},
    {"net", "packet_latency", Type::Object, "seconds from injection to delivery: mean, median, p99, max"},
    {"net", "links", Type::Object, "bytes and utilization of links, in all and by kind"},
    {"net", "nodes", Type::Object, "packets and bytes that nodes received"},
    {"net cosim", "timeline", Type::Object, "utilization of links and buffers over time"},
    {"net cosim", "ranks", Type::Integer, "ranks of the program"},
    {"net", "per_rank", Type::Object, "seconds of ranks: compute, overhead, transfer, wait, end"},
    {"net", "ending", Type::String, "how the run ended"},
    {"net", "warnings", Type::Strings, "warnings of the message library"},
    {"net", "not_repeatable", Type::String, "why another run may differ"},
    {"net", "link_energy", Type::Object, "joules of links, their sleep and their wake-ups"},
    {"net", "jobs", Type::Rows, "the programs of --jobs"},
    {"net", "seconds_interval", Type::List, "95 % interval of the simulated time, from the models' errors"},
    {"net cosim", "assumptions", Type::Strings, "assumptions on which the numbers rest"},
    {"net", "polls", Type::Object, "loops of tests that found nothing"},
    {"net", "rdma", Type::Object, "puts, gets and atomic operations between memories"},
    {"net cosim", "compute", Type::Object,
     "time of the ranks by region: computing, overheads, transfers, waiting; net: by the models of "
     "--compute"},
    {"net", "work", Type::Object, "operations and bytes that the ranks stated with PSIM_WORK"},
    {"net", "replay", Type::Object, "the recording of --replay"},
    {"net", "traffic", Type::String, "pattern of --traffic"},
    {"net", "message", Type::String, "size of each message of --traffic"},
    {"net", "points", Type::Rows, "a row for each load of --traffic"},
    {"net", "saturation", Type::Object, "the largest load that the network carried (--saturation)"},
    {"cosim", "node", Type::Object, "effective configuration of each node"},
    {"cosim", "network", Type::Object, "effective configuration of the network"},
    {"cosim", "operations", Type::Rows, "puts and gets, with the seconds of each part"},
    {"cosim", "nodes", Type::Rows, "the nodes: instructions, cycles, ending"},
    {"cosim", "mixed", Type::Object, "effective keys of the loads in addition to the nodes"},
    {"cosim", "net", Type::Object,
     "the network with all its loads, as psim net reports it: links, jobs, background traffic, link_energy"},
    {"compare", "results", Type::Rows, "the compared results"},
    {"compare", "differences", Type::Rows, "differences from the first result"},
    {"trace", "executed", Type::Integer, "instructions that the program executed"},
    {"trace", "trace_bytes", Type::Integer, "size of the trace"},
    {"trace", "bytes_per_instruction", Type::Number, "size of the trace per instruction"},
    {"calibrate", "base", Type::String, "the machine that was calibrated"},
    {"calibrate", "routers", Type::Integer, "routers between the nodes of the benchmarks"},
    {"calibrate", "empty_message_s", Type::Object, "seconds of an empty message"},
    {"calibrate", "first_byte_s", Type::Object, "seconds of a byte of the first packet"},
    {"calibrate", "other_byte_s", Type::Object, "seconds of any other byte"},
    {"calibrate", "handshake_s", Type::Object, "seconds of the handshake of a rendezvous"},
    {"calibrate", "gap_s", Type::Object, "seconds between small messages"},
    {"calibrate", "mean_error", Type::Number, "mean relative error of the rows"},
    {"calibrate", "rows", Type::Rows, "the benchmarks: measured, model, error"},
    {"calibrate", "assumptions", Type::Strings, "properties that the benchmarks leave open"},
};

/// Commands whose results have no further keys than those above. Other commands, like reproduce, may have
/// more.
constexpr std::string_view kComplete[] = {"trace", "exec", "run",     "replay",   "net",
                                          "cosim", "fit",  "compare", "calibrate"};

ordered_json schema_of(Type type) {
  switch (type) {
    case Type::Integer:
      return {{"type", "integer"}};
    case Type::Number:
      return {{"type", "number"}};
    case Type::Boolean:
      return {{"type", "boolean"}};
    case Type::String:
      return {{"type", "string"}};
    case Type::Object:
      return {{"type", "object"}};
    case Type::Numbers:
      return {{"type", "object"}, {"additionalProperties", {{"type", "number"}}}};
    case Type::Strings:
      return {{"type", "array"}, {"items", {{"type", "string"}}}};
    case Type::Rows:
      return {{"type", "array"}, {"items", {{"type", "object"}}}};
    case Type::List:
      return {{"type", "array"}};
  }
  return {};
}

ordered_json described(ordered_json schema, std::string_view meaning) {
  schema["description"] = meaning;
  return schema;
}

bool is_among(std::string_view name, std::string_view commands) {
  while (!commands.empty()) {
    const std::size_t space = commands.find(' ');
    if (commands.substr(0, space) == name) return true;
    commands.remove_prefix(space == std::string_view::npos ? commands.size() : space + 1);
  }
  return false;
}

ordered_json hashed_file() {
  return {
      {"type", "object"},
      {"properties",
       {{"sha256", {{"type", "string"}, {"pattern", "^[0-9a-f]{64}$"}}}, {"bytes", {{"type", "integer"}}}}}};
}

/// Returns the schema of `statistics`, with the unit and the meaning of each.
ordered_json statistics_schema() {
  ordered_json all{{"type", "object"}, {"description", "statistics by component"}};
  ordered_json& components = all["properties"] = ordered_json::object();
  for (const statistics::Reading& reading : all_statistics()) {
    ordered_json& component = components[reading.component];
    if (component.is_null()) {
      component = {{"type", "object"}, {"properties", ordered_json::object()}};
      // These have a statistic for each function or algorithm that a program used.
      if (!reading.component.starts_with("mpi_")) component["additionalProperties"] = false;
    }
    if (reading.component.starts_with("mpi_")) continue;
    component["properties"][reading.statistic.name] = {
        {"$ref", "#/definitions/statistic"},
        {"description", fmt::format("{}: {}", reading.statistic.unit, reading.statistic.meaning)}};
  }
  all["additionalProperties"] = false;
  return all;
}

ordered_json definitions() {
  ordered_json statistic{{"description", "a number, or a distribution"}};
  statistic["anyOf"] = {{{"type", "number"}},
                        {{"type", "object"},
                         {"required", {"samples", "mean"}},
                         {"additionalProperties", false},
                         {"properties",
                          {{"samples", {{"type", "integer"}}},
                           {"mean", {{"type", "number"}}},
                           {"buckets", schema_of(Type::Numbers)}}}}};
  return {{"statistic", std::move(statistic)}, {"statistics", statistics_schema()}};
}

ordered_json common_keys() {
  ordered_json keys;
  keys["schema"] = {{"const", kResultSchema}, {"description", "version of the keys"}};
  keys["version"] = {{"type", "string"}, {"description", "version of psim"}};
  keys["command"] = {{"type", "string"}, {"description", "exec, run, net …"}};
  keys["machine"] = {{"type", "object"},
                     {"description", "effective configuration; quantities are text with their unit"}};
  keys["inputs"] = {{"type", "object"},
                    {"properties", {{"program", hashed_file()}, {"trace", hashed_file()}}},
                    {"description", "hashes of everything that the run read"}};
  keys["seed"] = {{"type", "integer"}, {"minimum", 0}, {"description", "--seed"}};
  keys["partial"] = {{"type", "string"}, {"description", "why the run ended early"}};
  keys["result_hash"] = {
      {"type", "string"},
      {"pattern", "^[0-9a-f]{64}$"},
      {"description",
       "SHA-256 of everything but host; equal hashes are equal results. Of a run of psim cosim that "
       "was aborted, without counts and statistics"}};
  keys["host"] = {{"type", "object"},
                  {"required", {"wall_seconds", "cpu_seconds", "peak_rss_bytes", "processes"}},
                  {"properties",
                   {{"wall_seconds", {{"type", "number"}}},
                    {"cpu_seconds", {{"type", "number"}}},
                    {"peak_rss_bytes", {{"type", "integer"}}},
                    {"processes", {{"type", "integer"}}}}},
                  {"description", "values that may differ between hosts"}};
  return keys;
}

constexpr std::string_view kWithStatistics = "run replay net cosim";

/// Returns the schema of the results of a command: the common keys and its own.
ordered_json command_schema(std::string_view command) {
  ordered_json schema{{"additionalProperties", false}, {"properties", common_keys()}};
  schema["properties"]["command"] = {{"const", command}};
  ordered_json required = ordered_json::array();
  for (const ResultKey& key : kResultKeys) {
    if (!is_among(command, key.commands)) continue;
    schema["properties"][std::string(key.name)] = described(schema_of(key.type), key.meaning);
    if (key.always) required.push_back(key.name);
  }
  if (is_among(command, kWithStatistics))
    schema["properties"]["statistics"] = {{"$ref", "#/definitions/statistics"}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

}  // namespace

ordered_json result_schema() {
  ordered_json root{
      {"$schema", kSchemaDraft},
      {"title", "Result of psim (--json)"},
      {"type", "object"},
      {"required", {"schema", "version", "command", "machine", "inputs", "seed", "result_hash", "host"}},
      {"properties", common_keys()}};
  root["allOf"] = ordered_json::array();
  for (const std::string_view command : kComplete) {
    ordered_json condition{{"properties", {{"command", {{"const", command}}}}}};
    root["allOf"].push_back({{"if", std::move(condition)}, {"then", command_schema(command)}});
  }
  root["definitions"] = definitions();
  return root;
}

}  // namespace psim
