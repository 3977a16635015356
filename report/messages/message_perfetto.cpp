// SPDX-License-Identifier: Apache-2.0
#include "report/messages/message_perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/result_document.h"
#include "report/messages/message_slices.h"

namespace psim {
namespace {

using Where = cosim::MessagePart::Where;

std::string microseconds(std::uint64_t ps) { return fmt::format("{}.{:06}", ps / 1'000'000, ps % 1'000'000); }

std::string json_text(const std::string& value) {
  return nlohmann::json(value).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

struct TraceSlice {
  MessageSlice slice;
  const cosim::TracedMessage* message;
  std::size_t lane = 0;
};

/// The tracks of one component: slices of one lane do not overlap.
class ComponentLanes {
 public:
  std::size_t place(const MessageSlice& slice) {
    const auto free = std::ranges::find_if(ends_, [&](std::uint64_t end) { return end <= slice.begin; });
    const auto lane = static_cast<std::size_t>(free - ends_.begin());
    if (free == ends_.end()) ends_.push_back(0);
    ends_[lane] = slice.end;
    return lane;
  }
  std::size_t lanes() const { return ends_.size(); }

 private:
  std::vector<std::uint64_t> ends_;
};

class TraceWriter {
 public:
  explicit TraceWriter(const cosim::MessageTimeline& timeline) : timeline_(timeline) {}

  std::string text() {
    for (const cosim::TracedMessage& message : timeline_.messages)
      for (MessageSlice& slice : slices_of(message)) slices_.push_back({std::move(slice), &message});
    std::ranges::stable_sort(slices_, {}, [](const TraceSlice& slice) { return slice.slice.begin; });
    for (TraceSlice& slice : slices_) slice.lane = lanes_[slice.slice.component].place(slice.slice);
    name_tracks();
    std::map<const cosim::TracedMessage*, std::vector<const TraceSlice*>> ways;
    for (const TraceSlice& slice : slices_) {
      add(slice);
      if (slice.slice.on_way) ways[slice.message].push_back(&slice);
    }
    for (const cosim::TracedMessage& message : timeline_.messages) add_arrows(ways[&message]);
    return fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"writer\":\"psim {}\",\"messages\":{}}},"
        "\"traceEvents\":[{}\n]}}\n",
        version(), timeline_.messages.size(), events_);
  }

 private:
  std::uint32_t process(const MessageComponent& component) const {
    return component.where == Where::Router ? timeline_.nodes : component.number / timeline_.ranks_per_node;
  }
  /// Returns the number of a track: those of a component are consecutive.
  static std::uint64_t track(const MessageComponent& component, std::size_t lane) {
    constexpr std::uint64_t kLanes = 1000;
    const std::uint64_t of_rank =
        component.where == Where::Router
            ? component.number
            : 2 * std::uint64_t{component.number} + (component.where == Where::Interface ? 1 : 0);
    return of_rank * kLanes + lane;
  }
  void event(const std::string& text) {
    events_ += fmt::format("{}\n{{{}}}", events_.empty() ? "" : ",", text);
  }

  void name_tracks() {
    std::map<std::uint32_t, std::string> processes;
    for (const auto& [component, lanes] : lanes_)
      processes[process(component)] =
          component.where == Where::Router ? "network" : fmt::format("node {}", process(component));
    for (const auto& [number, name] : processes) {
      event(fmt::format("\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{},\"args\":{{\"name\":\"{}\"}}",
                        number, name));
      event(fmt::format(
          "\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":{0},\"args\":{{\"sort_index\":{0}}}",
          number));
    }
    for (const auto& [component, lanes] : lanes_)
      for (std::size_t lane = 0; lane < lanes.lanes(); ++lane) {
        const std::string number = lane == 0 ? "" : fmt::format(" ({})", lane + 1);
        for (const auto& [kind, value] :
             {std::pair("thread_name", fmt::format("\"name\":\"{}{}\"", component_name(component), number)),
              {"thread_sort_index", fmt::format("\"sort_index\":{}", track(component, lane))}})
          event(fmt::format("\"name\":\"{}\",\"ph\":\"M\",\"pid\":{},\"tid\":{},\"args\":{{{}}}", kind,
                            process(component), track(component, lane), value));
      }
  }

  void add(const TraceSlice& slice) {
    const MessageSlice& at = slice.slice;
    std::string arguments = "\"message\":" + json_text(title_of(*slice.message));
    if (at.component.where == Where::Core) {
      const cosim::TimedPlace& place = at.name == "poll"                ? slice.message->poll
                                       : at.name == "store to doorbell" ? slice.message->doorbell
                                                                        : slice.message->done_poll;
      arguments += ",\"instruction\":" + json_text(place_text(place));
    }
    event(
        fmt::format("\"name\":{},\"cat\":\"{}\",\"ph\":\"X\",\"ts\":{},\"dur\":{},\"pid\":{},\"tid\":{},"
                    "\"args\":{{{}}}",
                    json_text(slice.message->name() + ": " + at.name), at.waits ? "wait" : "message",
                    microseconds(at.begin), microseconds(at.end - at.begin), process(at.component),
                    track(at.component, slice.lane), arguments));
  }

  void add_arrows(const std::vector<const TraceSlice*>& way) {
    for (std::size_t i = 0; i < way.size() && way.size() > 1; ++i) {
      const MessageSlice& at = way[i]->slice;
      const char* const phase = i == 0 ? "\"s\"" : i + 1 == way.size() ? "\"f\",\"bp\":\"e\"" : "\"t\"";
      event(
          fmt::format("\"name\":\"way\",\"cat\":\"message\",\"ph\":{},\"id\":\"{}\",\"ts\":{},\"pid\":{},"
                      "\"tid\":{}",
                      phase, way[i]->message->name(), microseconds(at.begin), process(at.component),
                      track(at.component, way[i]->lane)));
    }
  }

  const cosim::MessageTimeline& timeline_;
  std::vector<TraceSlice> slices_;
  std::map<MessageComponent, ComponentLanes> lanes_;
  std::string events_;
};

}  // namespace

std::string message_perfetto(const cosim::MessageTimeline& timeline) { return TraceWriter(timeline).text(); }

}  // namespace psim
