// SPDX-License-Identifier: Apache-2.0
#include "report/messages/message_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/html.h"
#include "report/messages/message_json.h"
#include "report/messages/message_slices.h"
#include "report/table.h"

namespace psim::report {
namespace {

using Json = nlohmann::ordered_json;
using Where = cosim::MessagePart::Where;

constexpr std::size_t kDrawn = 20;  ///< messages with a chart
constexpr double kMessageWidth = 860, kMessageLeft = 130, kMessageRight = 40, kMessageRow = 26;

std::string ns_text(std::uint64_t ps) { return fmt::format("{:.3f} ns", static_cast<double>(ps) / 1000); }

/// Returns a length of about a sixth of the span: 1, 2 or 5 times a power of ten.
double tick_of(double span) {
  const double power = std::pow(10, std::floor(std::log10(span / 6)));
  for (const double times : {1.0, 2.0, 5.0})
    if (span / (power * times) <= 8) return power * times;
  return power * 10;
}

/// Returns a text of a chart at a place; `anchor` is start, middle or end.
std::string label_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                     escape(text));
}

/// A picture of one message. Time begins with the store to the doorbell.
class MessageChart {
 public:
  explicit MessageChart(const Json& message)
      : message_(message), begin_(message.at("begin").get<std::uint64_t>()) {
    // A program that polls late would leave no room for the rest.
    std::uint64_t came = begin_;
    for (const Json& slice : message.at("slices"))
      if (slice.at("on_way") == true)
        came = std::max(came, time(slice, slice.at("polls") == true ? "begin" : "end"));
    end_ = std::min(message.at("end").get<std::uint64_t>(), came + (came - begin_) / 4);
  }

  std::string svg() const {
    const Json& rows = message_.at("rows");
    const double height = kMessageRow * static_cast<double>(rows.size()) + 48;
    std::string out =
        fmt::format("<svg class=\"chart message\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">",
                    kMessageWidth, height, text_of(message_, "title"));
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const double y = top(row);
      out += fmt::format("<line class=\"row\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>",
                         kMessageLeft, y + kMessageRow, kMessageWidth - kMessageRight, y + kMessageRow);
      out += label_at(kMessageLeft - 8, y + 17, "end", rows[row].get<std::string>());
    }
    out += axis(height);
    for (const bool on_way : {false, true})
      for (const Json& slice : message_.at("slices"))
        if (slice.at("on_way") == on_way) out += bar(slice);
    return out + "</svg>\n";
  }

 private:
  static std::string text_of(const Json& json, const char* key) {
    return escape(json.at(key).get<std::string>());
  }
  static std::uint64_t time(const Json& slice, const char* key) { return slice.at(key).get<std::uint64_t>(); }
  double x(std::uint64_t ps) const {
    const double part = static_cast<double>(std::min(ps, end_) - begin_) /
                        static_cast<double>(std::max<std::uint64_t>(end_ - begin_, 1));
    return kMessageLeft + part * (kMessageWidth - kMessageLeft - kMessageRight);
  }
  static double top(std::size_t row) { return kMessageRow * static_cast<double>(row); }

  std::string bar(const Json& slice) const {
    const std::uint64_t begin = time(slice, "begin"), end = time(slice, "end");
    if (begin >= end_ && end > end_) return "";
    const std::string name = slice.at("row").get<std::string>();
    const auto rows = message_.at("rows").get<std::vector<std::string>>();
    const auto row = static_cast<std::size_t>(std::ranges::find(rows, name) - rows.begin());
    const bool on_way = slice.at("on_way") == true;
    const double left = x(begin), width = std::max(1.0, x(end) - left);
    std::string hover =
        fmt::format("{}: {}\n{} to {} after the doorbell\n{}", escape(name), text_of(slice, "name"),
                    ns_text(begin - begin_), ns_text(end - begin_), ns_text(end - begin));
    if (slice.contains("place")) hover += "\n" + text_of(slice, "place");
    const double above = on_way ? 4 : 17, height = on_way ? 12 : 5;
    std::string out = fmt::format(
        "<rect class=\"{}{}{}\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" "
        "height=\"{}\"><title>{}</title></rect>",
        text_of(slice, "where"), slice.at("waits") == true ? " waits" : "", on_way ? "" : " other", left,
        top(row) + above, width, height, hover);
    if (end > end_) out += label_at(kMessageWidth - kMessageRight + 4, top(row) + 14, "start", "→");
    return out;
  }

  std::string axis(double height) const {
    const double span = static_cast<double>(end_ - begin_) / 1000, tick = tick_of(span);
    std::string out;
    for (double ns = 0; ns <= span; ns += tick) {
      const double at = x(begin_ + static_cast<std::uint64_t>(ns * 1000));
      out += fmt::format("<line class=\"tick\" x1=\"{0:.1f}\" y1=\"0\" x2=\"{0:.1f}\" y2=\"{1:.1f}\"/>", at,
                         height - 44);
      out += label_at(at, height - 28, "middle", fmt::format("{:g}", ns));
    }
    return out + label_at((kMessageLeft + kMessageWidth - kMessageRight) / 2, height - 10, "middle",
                          "ns after the commit of the store to the doorbell");
  }

  const Json& message_;
  const std::uint64_t begin_;
  std::uint64_t end_ = 0;  ///< ps; the right edge
};

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
      fmt::format("<details{}><summary>{}: {}</summary>\n", open ? " open" : "", text("title"),
                  ns_text(message.at("end").get<std::uint64_t>() - message.at("begin").get<std::uint64_t>()));
  if (message.contains("slices")) out += MessageChart(message).svg();
  out += fmt::format("<p class=\"dim\">Doorbell: {}.", text("doorbell"));
  if (message.contains("poll")) out += fmt::format("<br>Poll: {}.", text("poll"));
  return out + "</p>\n</details>\n";
}

}  // namespace

Json message_page(const cosim::MessageTimeline& timeline) {
  if (timeline.messages.empty()) return {};
  Json page{{"left_out", timeline.left_out}, {"messages", Json::array()}};
  for (const cosim::TracedMessage& message : timeline.messages) {
    Json one{{"name", message.name()},
             {"title", title_of(message)},
             {"operation", message.operation + (message.label.known ? ", " + message.label.kind : "")},
             {"from", message.from},
             {"to", message.to},
             {"bytes", message.bytes},
             {"begin", message.begin()},
             {"end", message.end()},
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
      "waiting. Thin bars are the other packets. Point at a bar to read it.{}</p>\n<div class=\"legend\">",
      left_out == 0 ? "" : fmt::format(" {} further messages are left out.", grouped(left_out)));
  for (const Where where : {Where::Core, Where::Interface, Where::Router})
    out += fmt::format("<span><i class=\"swatch {0}\"></i>{0}</span>", where_name(where));
  out += "</div>\n";
  for (std::size_t i = 0; i < std::min(kDrawn, messages.size()); ++i)
    out += message_details(messages[i], i == 0);
  out += "<details><summary>All messages and their parts</summary>" + table.html() + "</details>\n";
  return out + "</section>\n";
}

const char* message_css() {
  return "svg.message { max-width: 100%; } .message rect { stroke: var(--paper); stroke-width: 0.6; } "
         ".message text { fill: var(--dim); font-size: 12px; } .message .core { fill: var(--series-0); } "
         ".message .interface { fill: var(--series-2); } .message .router { fill: var(--series-1); }\n"
         ".swatch.core { background: var(--series-0); } .swatch.interface { background: var(--series-2); } "
         ".swatch.router { background: var(--series-1); }\n"
         ".message .row, .message .tick { stroke: var(--line); "
         "stroke-width: 1; "
         "}\n.message rect.waits { fill-opacity: 0.4; } .message rect.other { fill-opacity: 0.7; }\n"
         ".message rect.other.waits { fill-opacity: 0.25; }\n";
}

}  // namespace psim::report
