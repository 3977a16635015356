// SPDX-License-Identifier: Apache-2.0
#include "report/messages/message_json.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/result_document.h"

namespace psim {
namespace {

using cosim::MessagePacket;
using cosim::MessagePart;
using nlohmann::ordered_json;

constexpr int kMessageSchema = 1;

constexpr std::array<std::string_view, cosim::kMessageSteps> kMessageStepKeys{
    "", "arrived_ps", "begun_ps", "fetched_ps", "slot_ps", "slot_written_ps", "completed_ps",
    "", "done_ps",    ""};
constexpr std::array<std::string_view, cosim::kPacketSteps> kPacketStepKeys{
    "begun_ps", "read_ps", "room_ps", "ready_ps", "born_ps", "arrived_ps", "taken_ps", "written_ps"};

ordered_json json_of(const cosim::TimedPlace& place) {
  ordered_json json{{"ps", place.ps}, {"cycle", place.cycle}, {"pc", fmt::format("{:#x}", place.pc)}};
  if (!place.source.empty()) json["source"] = place.source;
  if (!place.call.empty()) json["call"] = place.call;
  if (!place.call_source.empty()) json["call_source"] = place.call_source;
  return json;
}

template <std::size_t kSteps>
void add_steps(ordered_json& json, const std::array<std::string_view, kSteps>& keys,
               const std::array<std::uint64_t, kSteps>& steps) {
  for (std::size_t step = 0; step < kSteps; ++step)
    if (!keys[step].empty() && steps[step] != 0) json[std::string(keys[step])] = steps[step];
}

ordered_json json_of(const MessagePacket& packet) {
  ordered_json json{{"leg", leg_name(packet.leg)}, {"offset", packet.offset}};
  add_steps(json, kPacketStepKeys, packet.steps);
  json["hops"] = ordered_json::array();
  for (const cosim::RouterHop& hop : packet.hops) {
    ordered_json row{{"router", hop.router}, {"port", hop.port}};
    if (hop.to_router >= 0) row["to_router"] = hop.to_router;
    row.update({{"arrival_ps", hop.arrival},
                {"departure_ps", hop.departure},
                {"wait_ps", hop.departure - hop.arrival},
                {"length_ps", hop.length}});
    json["hops"].push_back(std::move(row));
  }
  return json;
}

}  // namespace

std::string_view where_name(MessagePart::Where where) {
  constexpr std::array<std::string_view, 3> kNames{"core", "interface", "router"};
  return kNames[static_cast<std::size_t>(where)];
}

std::string_view leg_name(MessagePacket::Leg leg) {
  constexpr std::array<std::string_view, 3> kNames{"there", "reply", "answer"};
  return kNames[static_cast<std::size_t>(leg)];
}

ordered_json message_json(const cosim::TracedMessage& message) {
  ordered_json json{{"message", message.name()}, {"from", message.from},           {"to", message.to},
                    {"number", message.number},  {"operation", message.operation}, {"bytes", message.bytes}};
  if (message.status != 0) json["status"] = message.status;
  if (message.label.known)
    json["mpi"] = {{"kind", message.label.kind},
                   {"context", message.label.context},
                   {"tag", message.label.tag},
                   {"bytes", message.label.bytes}};
  json["begin_ps"] = message.begin();
  json["latency_ps"] = message.end() - message.begin();
  json["is_seen"] = message.poll.cycle != 0;
  json["doorbell"] = json_of(message.doorbell);
  if (message.poll.cycle != 0) json["poll"] = json_of(message.poll);
  if (message.done_poll.cycle != 0) json["done_poll"] = json_of(message.done_poll);
  add_steps(json, kMessageStepKeys, message.steps);
  json["parts"] = ordered_json::array();
  for (const MessagePart& part : message.parts)
    json["parts"].push_back({{"name", part.name},
                             {"begin_ps", part.begin},
                             {"ps", part.end - part.begin},
                             {"where", where_name(part.where)},
                             {part.where == MessagePart::Where::Router ? "router" : "rank", part.number}});
  json["packets"] = ordered_json::array();
  for (const MessagePacket& packet : message.packets) json["packets"].push_back(json_of(packet));
  return json;
}

ordered_json message_file(const cosim::MessageTimeline& timeline) {
  ordered_json json{{"schema", kMessageSchema},
                    {"version", version()},
                    {"cycle_ps", timeline.period},
                    {"nodes", timeline.nodes},
                    {"ranks_per_node", timeline.ranks_per_node},
                    {"left_out", timeline.left_out},
                    {"messages", ordered_json::array()}};
  for (const cosim::TracedMessage& message : timeline.messages)
    json["messages"].push_back(message_json(message));
  return json;
}

ordered_json message_schema() {
  const auto integer = [](std::string_view meaning) {
    return ordered_json{{"type", "integer"}, {"minimum", 0}, {"description", meaning}};
  };
  const auto text = [](std::string_view meaning) {
    return ordered_json{{"type", "string"}, {"description", meaning}};
  };
  const auto object = [](ordered_json properties, ordered_json required) {
    return ordered_json{{"type", "object"},
                        {"additionalProperties", false},
                        {"required", std::move(required)},
                        {"properties", std::move(properties)}};
  };
  const auto rows = [](std::string_view definition, std::string_view meaning) {
    return ordered_json{{"type", "array"},
                        {"items", {{"$ref", fmt::format("#/definitions/{}", definition)}}},
                        {"description", meaning}};
  };
  const auto one = [](std::string_view definition, std::string_view meaning) {
    return ordered_json{{"$ref", fmt::format("#/definitions/{}", definition)}, {"description", meaning}};
  };
  ordered_json mpi = object(
      {{"kind", text("eager, request to send, clear to send, data …")},
       {"context", integer("number of the communicator")},
       {"tag", {{"type", "integer"}, {"description", "tag; of the library's own messages any number"}}},
       {"bytes", integer("of the user's data")}},
      {"kind", "context", "tag", "bytes"});
  ordered_json message =
      object({{"message", text("RANK.NUMBER, as --message takes it")},
              {"from", integer("rank that submitted the descriptor")},
              {"to", integer("the other rank")},
              {"number", integer("of its descriptor there, from 0")},
              {"operation",
               {{"enum", {"send", "put", "get", "fetch_add", "swap", "compare_swap", "unknown"}},
                {"description", "of the descriptor"}}},
              {"bytes", integer("of the descriptor")},
              {"status", integer("of the completion of a wrong descriptor")},
              {"mpi", std::move(mpi)},
              {"begin_ps", integer("the store to the doorbell commits")},
              {"latency_ps", integer("sum of the parts")},
              {"is_seen", {{"type", "boolean"}, {"description", "a load has seen the completion entry"}}},
              {"doorbell", one("place", "the store of the number of descriptors")},
              {"poll", one("place", "the first load that sees the completion entry")},
              {"done_poll", one("place", "the first load that sees the entry at done_ps")},
              {"arrived_ps", integer("the doorbell is in the interface")},
              {"begun_ps", integer("the engine begins with the descriptor")},
              {"fetched_ps", integer("the descriptor is read")},
              {"slot_ps", integer("a slot is free, and it is the message's turn")},
              {"slot_written_ps", integer("header and data are in the slot")},
              {"completed_ps", integer("the completion entry is in memory")},
              {"done_ps", integer("the sender's completion entry, of a message that ends at the peer")},
              {"parts", rows("part", "each begins where the one before ends")},
              {"packets", rows("packet", "packets of the interfaces, with their hops")}},
             {"message", "from", "to", "number", "operation", "bytes", "begin_ps", "latency_ps", "is_seen",
              "doorbell", "parts", "packets"});
  ordered_json definitions;
  definitions["message"] = std::move(message);
  definitions["place"] = object({{"ps", integer("time of the cycle")},
                                 {"cycle", integer("in which the instruction commits (W)")},
                                 {"pc", text("its address")},
                                 {"source", text("its function and source line")},
                                 {"call", text("function of the message library that the program is in")},
                                 {"call_source", text("where the program calls that")}},
                                {"ps", "cycle", "pc"});
  definitions["part"] = object({{"name", text("as docs/messages.md explains")},
                                {"begin_ps", integer("begin")},
                                {"ps", integer("length")},
                                {"where", {{"enum", {"core", "interface", "router"}}}},
                                {"rank", integer("with this core or interface")},
                                {"router", integer("number of the router")}},
                               {"name", "begin_ps", "ps", "where"});
  definitions["packet"] = object(
      {{"leg",
        {{"enum", {"there", "reply", "answer"}},
         {"description", "reply: data of a get; answer: to a put that is complete when its data are there"}}},
       {"offset", integer("of its data in the message")},
       {"begun_ps", integer("the sending engine begins with it")},
       {"read_ps", integer("its data are read by DMA")},
       {"room_ps", integer("it is its turn, and the interface's buffer has room for it")},
       {"ready_ps", integer("its first byte may leave")},
       {"born_ps", integer("its first byte leaves for the channel")},
       {"arrived_ps", integer("its last byte is in the other interface")},
       {"taken_ps", integer("the receiving engine begins with it")},
       {"written_ps", integer("its data are in memory")},
       {"hops", rows("hop", "routers on its way")}},
      {"leg", "offset", "hops"});
  definitions["hop"] = object({{"router", integer("router")},
                               {"port", integer("output of the router")},
                               {"to_router", integer("router at the other end; missing: the node")},
                               {"arrival_ps", integer("its head can request the output")},
                               {"departure_ps", integer("its head is granted the output")},
                               {"wait_ps", integer("between the two")},
                               {"length_ps", integer("for which it keeps the output busy")}},
                              {"router", "port", "arrival_ps", "departure_ps", "wait_ps", "length_ps"});
  ordered_json root =
      object({{"schema", {{"const", kMessageSchema}}},
              {"version", text("version of psim")},
              {"cycle_ps", integer("a cycle of the cores")},
              {"nodes", integer("number of cycle-level nodes")},
              {"ranks_per_node", integer("number of ranks on each")},
              {"left_out", integer("chosen messages beyond the first ones")},
              {"messages", rows("message", "in the order of their doorbells")}},
             {"schema", "version", "cycle_ps", "nodes", "ranks_per_node", "left_out", "messages"});
  root["$schema"] = "http://json-schema.org/draft-07/schema#";
  root["title"] = "Messages of psim cosim (--messages)";
  root["definitions"] = std::move(definitions);
  return root;
}

}  // namespace psim
