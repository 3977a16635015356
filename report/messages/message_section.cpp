// SPDX-License-Identifier: Apache-2.0
#include "report/messages/message_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/html.h"
#include "report/messages/message_slices.h"
#include "report/svg_chart.h"
#include "report/table.h"

namespace psim::report {
namespace {

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

/// A picture of one message. Time begins with the store to the doorbell.
class MessageChart {
 public:
  explicit MessageChart(const cosim::TracedMessage& message)
      : message_(message), slices_(slices_of(message)) {
    // A program that polls late would leave no room for the rest.
    std::uint64_t came = 0;
    for (const MessageSlice& slice : slices_) {
      if (std::ranges::find(rows_, slice.component) == rows_.end()) rows_.push_back(slice.component);
      if (slice.on_way) came = std::max(came, is_poll(slice) ? slice.begin : slice.end);
    }
    end_ = std::min(message.end(), came + (came - message.begin()) / 4);
    order_rows();
  }

  std::string svg() const {
    const double height = kMessageRow * static_cast<double>(rows_.size()) + 48;
    std::string out =
        fmt::format("<svg class=\"chart message\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"{}\">",
                    kMessageWidth, height, escape(title_of(message_)));
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const double y = top(row);
      out += fmt::format("<line class=\"row\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>",
                         kMessageLeft, y + kMessageRow, kMessageWidth - kMessageRight, y + kMessageRow);
      out += chart_text(kMessageLeft - 8, y + 17, "end", component_name(rows_[row]));
    }
    out += axis(height);
    for (const MessageSlice& slice : slices_)
      if (!slice.on_way) out += bar(slice);
    for (const MessageSlice& slice : slices_)
      if (slice.on_way) out += bar(slice);
    return out + "</svg>\n";
  }

 private:
  static bool is_poll(const MessageSlice& slice) {
    return slice.component.where == Where::Core && slice.waits;
  }
  double x(std::uint64_t ps) const {
    const double part = static_cast<double>(std::min(ps, end_) - message_.begin()) /
                        static_cast<double>(std::max<std::uint64_t>(end_ - message_.begin(), 1));
    return kMessageLeft + part * (kMessageWidth - kMessageLeft - kMessageRight);
  }
  static double top(std::size_t row) { return kMessageRow * static_cast<double>(row); }

  /// Puts the sender's core and interface first, then routers in the order of the way, then the receiver's.
  void order_rows() {
    std::ranges::stable_sort(rows_, {}, [&](const MessageComponent& row) {
      if (row.where == Where::Router) return 2;
      const bool sender = row.number == message_.from;
      if (row.where == Where::Core) return sender ? 0 : 4;
      return sender ? 1 : 3;
    });
  }

  std::string bar(const MessageSlice& slice) const {
    if (slice.begin >= end_ && slice.end > end_) return "";
    const auto row = static_cast<std::size_t>(std::ranges::find(rows_, slice.component) - rows_.begin());
    const double left = x(slice.begin), width = std::max(1.0, x(slice.end) - left);
    const char* const colour = slice.component.where == Where::Core        ? "c0"
                               : slice.component.where == Where::Interface ? "c2"
                                                                           : "c1";
    std::string hover =
        fmt::format("{}: {}\n{} to {} after the doorbell", component_name(slice.component), slice.name,
                    ns_text(slice.begin - message_.begin()), ns_text(slice.end - message_.begin()));
    hover += "\n" + ns_text(slice.end - slice.begin);
    if (slice.component.where == Where::Core)
      hover += "\n" + place_text(slice.name == "poll"                ? message_.poll
                                 : slice.name == "store to doorbell" ? message_.doorbell
                                                                     : message_.done_poll);
    const double above = slice.on_way ? 4 : 17, height = slice.on_way ? 12 : 5;
    std::string out = fmt::format(
        "<rect class=\"{}{}{}\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" "
        "height=\"{}\"><title>{}</title></rect>",
        colour, slice.waits ? " waits" : "", slice.on_way ? "" : " other", left, top(row) + above, width,
        height, escape(hover));
    if (slice.end > end_) out += chart_text(kMessageWidth - kMessageRight + 4, top(row) + 14, "start", "→");
    return out;
  }

  std::string axis(double height) const {
    const double span = static_cast<double>(end_ - message_.begin()) / 1000, tick = tick_of(span);
    std::string out;
    for (double ns = 0; ns <= span; ns += tick) {
      const double at = x(message_.begin() + static_cast<std::uint64_t>(ns * 1000));
      out += fmt::format("<line class=\"tick\" x1=\"{0:.1f}\" y1=\"0\" x2=\"{0:.1f}\" y2=\"{1:.1f}\"/>", at,
                         height - 44);
      out += chart_text(at, height - 28, "middle", fmt::format("{:g}", ns));
    }
    return out + chart_text((kMessageLeft + kMessageWidth - kMessageRight) / 2, height - 10, "middle",
                            "ns after the commit of the store to the doorbell");
  }

  const cosim::TracedMessage& message_;
  const std::vector<MessageSlice> slices_;
  std::vector<MessageComponent> rows_;
  std::uint64_t end_ = 0;  ///< ps; the right edge
};

/// Returns the parts of a message as "name 1.2 ns", in their order.
std::string parts_text(const cosim::TracedMessage& message) {
  std::string text;
  for (const cosim::MessagePart& part : message.parts)
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : "; ", escape(part.name), ns_text(part.end - part.begin));
  return text;
}

std::string message_details(const cosim::TracedMessage& message, bool open) {
  std::string out = fmt::format("<details{}><summary>{}: {}</summary>\n", open ? " open" : "",
                                escape(title_of(message)), ns_text(message.end() - message.begin()));
  if (!message.parts.empty()) out += MessageChart(message).svg();
  out += fmt::format("<p class=\"dim\">Doorbell: {}.", escape(place_text(message.doorbell)));
  if (message.poll.cycle != 0) out += fmt::format("<br>Poll: {}.", escape(place_text(message.poll)));
  return out + "</p>\n</details>\n";
}

}  // namespace

std::string message_section(const cosim::MessageTimeline& timeline) {
  if (timeline.messages.empty()) return "";
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
  for (const cosim::TracedMessage& message : timeline.messages)
    table.add({message.name(),
               escape(message.operation + (message.label.known ? ", " + message.label.kind : "")),
               count(message.from), count(message.to), count(message.bytes), ns_text(message.begin()),
               ns_text(message.end() - message.begin()), escape(message.doorbell.call), parts_text(message)});
  std::string out = fmt::format(
      "<section aria-labelledby=\"timeline\"><h2 id=\"timeline\">Messages</h2>\n<p class=\"note\">From the "
      "store "
      "to the doorbell to the load that sees the completion. Blue: core; green: interface; orange: router; "
      "light: "
      "waiting. Thin bars are the other packets. Point at a bar to read it.{}</p>\n",
      timeline.left_out == 0 ? ""
                             : fmt::format(" {} further messages are left out.", grouped(timeline.left_out)));
  for (std::size_t i = 0; i < std::min(kDrawn, timeline.messages.size()); ++i)
    out += message_details(timeline.messages[i], i == 0);
  out += "<details><summary>All messages and their parts</summary>" + table.html() + "</details>\n";
  return out + "</section>\n";
}

const char* message_css() {
  return "svg.message { max-width: 100%; } .message rect { stroke: var(--paper); stroke-width: 0.6; } "
         ".message .row, .message .tick { stroke: var(--line); "
         "stroke-width: 1; "
         "}\n.message rect.waits { fill-opacity: 0.4; } .message rect.other { fill-opacity: 0.7; }\n"
         ".message rect.other.waits { fill-opacity: 0.25; }\n";
}

}  // namespace psim::report
