// SPDX-License-Identifier: Apache-2.0
#include "report/messages/message_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/figure.h"
#include "report/html.h"
#include "report/messages/message_json.h"
#include "report/messages/message_slices.h"
#include "report/table.h"

namespace psim::report {
namespace {

using Json = nlohmann::ordered_json;
using Where = cosim::MessagePart::Where;

constexpr std::size_t kDrawn = 20;  ///< messages with a chart
std::string ns_text(std::uint64_t ps) { return fmt::format("{:.3f} ns", static_cast<double>(ps) / 1000); }

std::uint64_t time(const Json& slice, const char* key) { return slice.at(key).get<std::uint64_t>(); }

/// Returns a picture of one message. Time begins with the store to the doorbell.
Chart message_chart(const Json& message) {
  const std::uint64_t begin = time(message, "begin");
  const auto seconds = [&](std::uint64_t ps) { return static_cast<double>(ps - begin) * 1e-12; };
  // A program that polls late would leave no room for the rest.
  std::uint64_t came = begin;
  for (const Json& slice : message.at("slices"))
    if (slice.at("on_way") == true)
      came = std::max(came, time(slice, slice.at("polls") == true ? "begin" : "end"));
  const std::uint64_t end = std::min(time(message, "end"), came + (came - begin) / 4);
  Chart chart(message.at("title").get<std::string>(), {"time after the store to the doorbell", "s"},
              {"component", ""}, Chart::Kind::Spans);
  chart.rows(message.at("rows").get<std::vector<std::string>>());
  chart.end_of_axis(seconds(end));
  for (const Where where : {Where::Core, Where::Interface, Where::Router}) {
    chart.series({.name = std::string(where_name(where))});
    for (const Json& slice : message.at("slices")) {
      if (slice.at("where") != where_name(where) || time(slice, "end") < begin) continue;
      const bool on_way = slice.at("on_way") == true;
      std::string text = slice.at("name").get<std::string>();
      if (slice.contains("place")) text += "\n" + slice["place"].get<std::string>();
      chart.add({seconds(std::max(begin, time(slice, "begin"))), seconds(time(slice, "end")), slice.at("row"),
                 text, (slice.at("waits") == true ? 0.4 : 1) * (on_way ? 1 : 0.7), !on_way});
    }
  }
  return chart;
}

/// Returns the parts of a message as "name 1.2 ns", in their order.
std::string parts_text(const cosim::TracedMessage& message) {
  std::string text;
  for (const cosim::MessagePart& part : message.parts)
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", part.name, ns_text(part.end - part.begin));
  return text;
}

/// Returns the components of a chart: the sender's core and interface first, then routers in the order of the
/// way, then the receiver's.
std::vector<MessageComponent> rows_of(const cosim::TracedMessage& message,
                                      const std::vector<MessageSlice>& slices) {
  std::vector<MessageComponent> rows;
  for (const MessageSlice& slice : slices)
    if (std::ranges::find(rows, slice.component) == rows.end()) rows.push_back(slice.component);
  std::ranges::stable_sort(rows, {}, [&](const MessageComponent& row) {
    if (row.where == Where::Router) return 2;
    const bool sender = row.number == message.from;
    if (row.where == Where::Core) return sender ? 0 : 4;
    return sender ? 1 : 3;
  });
  return rows;
}

Json slice_json(const cosim::TracedMessage& message, const MessageSlice& slice) {
  const bool core = slice.component.where == Where::Core;
  Json json{{"row", component_name(slice.component)},
            {"where", where_name(slice.component.where)},
            {"name", slice.name},
            {"begin", slice.begin},
            {"end", slice.end},
            {"waits", slice.waits},
            {"polls", core && slice.waits},
            {"on_way", slice.on_way}};
  if (core)
    json["place"] = place_text(slice.name == "poll"                ? message.poll
                               : slice.name == "store to doorbell" ? message.doorbell
                                                                   : message.done_poll);
  return json;
}

std::string message_details(const Json& message, bool open) {
  const auto text = [&](const char* key) { return escape(message.at(key).get<std::string>()); };
  std::string out =
      fmt::format("<details id=\"message-{}\"{}><summary>{}: {}</summary>\n", text("name"),
                  open ? " open" : "", text("title"),
                  ns_text(message.at("end").get<std::uint64_t>() - message.at("begin").get<std::uint64_t>()));
  if (message.contains("slices")) out += message_chart(message).html(false);
  out += fmt::format("<p class=\"dim\">Doorbell: {}.", text("doorbell"));
  if (message.contains("poll")) out += fmt::format("<br>Poll: {}.", text("poll"));
  return out + "</p>\n</details>\n";
}

}  // namespace

Json message_page(const cosim::MessageTimeline& timeline, std::size_t most) {
  if (timeline.messages.empty()) return {};
  const std::size_t rows = std::min(most, timeline.messages.size());
  Json page{{"left_out", timeline.left_out + timeline.messages.size() - rows}, {"messages", Json::array()}};
  for (std::size_t number = 0; number < rows; ++number) {
    const cosim::TracedMessage& message = timeline.messages[number];
    Json one{{"name", message.name()},
             {"title", title_of(message)},
             {"operation", message.operation + (message.label.known ? ", " + message.label.kind : "")},
             {"from", message.from},
             {"to", message.to},
             {"bytes", message.bytes},
             {"begin", message.begin()},
             {"end", message.end()},
             {"way", std::max(message.at(cosim::MessageStep::Completed), message.begin()) - message.begin()},
             {"call", message.doorbell.call},
             {"parts", parts_text(message)},
             {"doorbell", place_text(message.doorbell)}};
    if (message.poll.cycle != 0) one["poll"] = place_text(message.poll);
    if (page["messages"].size() < kDrawn && !message.parts.empty()) {
      const std::vector<MessageSlice> slices = slices_of(message);
      for (const MessageComponent& row : rows_of(message, slices)) one["rows"].push_back(component_name(row));
      for (const MessageSlice& slice : slices) one["slices"].push_back(slice_json(message, slice));
    }
    page["messages"].push_back(std::move(one));
  }
  return page;
}

std::string message_section(const Json& page) {
  if (page.is_null()) return "";
  using Kind = Table::Kind;
  Table table("Messages", {{"Message", Kind::Text},
                           {"Operation", Kind::Text},
                           {"From"},
                           {"To"},
                           {"Bytes"},
                           {"Begin"},
                           {"Latency"},
                           {"Call", Kind::Text},
                           {"Parts", Kind::Text}});
  const Json& messages = page.at("messages");
  for (const Json& message : messages) {
    const auto text = [&](const char* key) { return escape(message.at(key).get<std::string>()); };
    const auto number = [&](const char* key) { return message.at(key).get<std::uint64_t>(); };
    table.add({text("name"), text("operation"), count(number("from")), count(number("to")),
               count(number("bytes")), ns_text(number("begin")), ns_text(number("end") - number("begin")),
               text("call"), text("parts")});
  }
  const auto left_out = page.at("left_out").get<std::uint64_t>();
  std::string out = fmt::format(
      "<section aria-labelledby=\"timeline\"><h2 id=\"timeline\">Messages</h2>\n<p class=\"note\">From the "
      "store "
      "to the doorbell to the load that sees the completion. Light: "
      "waiting. Thin bars are the other packets. Point at a bar to read it.{}</p>\n",
      left_out == 0 ? "" : fmt::format(" {} further messages are left out.", grouped(left_out)));
  for (std::size_t i = 0; i < std::min(kDrawn, messages.size()); ++i)
    out += message_details(messages[i], i == 0);
  out += "<details><summary>All messages and their parts</summary>" + table.html() + "</details>\n";
  return out + "</section>\n";
}

}  // namespace psim::report
