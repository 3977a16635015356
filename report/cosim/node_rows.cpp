// SPDX-License-Identifier: Apache-2.0
#include "report/cosim/node_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "pipeline/observer.h"
#include "ranks/timeline/rank_log.h"
#include "report/base64.h"

namespace psim::report {
namespace {

using Json = nlohmann::ordered_json;
using cosim::RankStretches;
using cosim::Stretch;
using net::CallNote;

/// A span of time, ps.
struct Span {
  std::uint64_t begin, end;
};

/// The names of what rows show, and the kinds and colours of these.
class Legend {
 public:
  std::uint32_t computing(const std::string& region) {
    if (region.empty()) return function("computing", kind("computing", "rank-0"));
    constexpr std::array kColours{0, 2, 3, 5, 7, 4};
    const std::string name = "region " + region;
    if (const auto found = kinds_.find(name); found != kinds_.end()) return function(name, found->second);
    return function(name, kind(name, fmt::format("series-{}", kColours[regions_++ % kColours.size()])));
  }
  std::uint32_t in_call(const std::string& call) { return function(call, kind("in MPI calls", "rank-4")); }
  std::uint32_t asleep(const std::string& call, bool transfer) {
    const std::string text = transfer ? "asleep, a message on its way" : "asleep";
    return function(call.empty() ? text : call + ", " + text,
                    transfer ? kind(text, "rank-2") : kind(text, "rank-6"));
  }
  void add_to(Json& json) const {
    json["functions"] = functions_;
    json["kinds"] = json_;
    json["kind_of"] = kind_of_;
  }

 private:
  std::uint32_t kind(const std::string& name, const std::string& colour) {
    const auto [found, added] = kinds_.emplace(name, static_cast<std::uint32_t>(kinds_.size()));
    if (added) json_.push_back({{"name", name}, {"colour", colour}});
    return found->second;
  }
  std::uint32_t function(const std::string& name, std::uint32_t kind) {
    const auto [found, added] = numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size()));
    if (added) functions_.push_back(name), kind_of_.push_back(kind);
    return found->second;
  }

  std::map<std::string, std::uint32_t> kinds_, numbers_;
  Json json_ = Json::array();
  std::vector<std::string> functions_;
  std::vector<std::uint32_t> kind_of_;
  std::size_t regions_ = 0;
};

/// Returns, by rank, when messages for it were on their way: ascending and apart.
std::vector<std::vector<Span>> arriving(const cosim::MessageTimeline& timeline, std::size_t ranks) {
  std::vector<std::vector<Span>> all(ranks);
  for (const cosim::TracedMessage& message : timeline.messages) {
    const std::uint64_t begin = message.at(cosim::MessageStep::Begun);
    std::uint64_t end = message.at(cosim::MessageStep::Completed);
    if (end == 0) end = message.at(cosim::MessageStep::SlotWritten);
    if (begin != 0 && end > begin && message.to < ranks) all[message.to].push_back({begin, end});
  }
  for (std::vector<Span>& spans : all) {
    std::ranges::sort(spans, {}, [](const Span& span) { return span.begin; });
    std::vector<Span> joined;
    for (const Span& span : spans)
      if (!joined.empty() && span.begin <= joined.back().end)
        joined.back().end = std::max(joined.back().end, span.end);
      else
        joined.push_back(span);
    spans = std::move(joined);
  }
  return all;
}

/// A message at one end.
struct Noted {
  std::uint64_t time;
  CallNote note;
};

/// Returns the messages that leave and reach each row, in the order of time.
std::vector<std::vector<Noted>> notes_of(const cosim::MessageTimeline& timeline, const NodeRows& rows) {
  std::vector<std::vector<Noted>> notes(rows.cores.size());
  for (std::size_t i = 0; i < timeline.messages.size(); ++i) {
    const cosim::TracedMessage& message = timeline.messages[i];
    const bool goes = message.operation == "send" || message.operation == "put";
    const std::uint32_t from = message.from * rows.of_rank, to = message.to * rows.of_rank;
    if (!goes || message.doorbell.ps == 0 || from >= notes.size() || to >= notes.size()) continue;
    CallNote note{.kind = CallNote::Kind::Send,
                  .peer = to,
                  .tag = message.label.tag,
                  .bytes = message.label.known ? message.label.bytes : message.bytes,
                  .serial = static_cast<std::uint32_t>(i + 1)};
    notes[from].push_back({message.doorbell.ps, note});
    note.kind = CallNote::Kind::Receive;
    note.peer = from;
    if (message.poll.ps != 0) notes[to].push_back({message.poll.ps, note});
  }
  for (std::vector<Noted>& of_row : notes) std::ranges::stable_sort(of_row, {}, &Noted::time);
  return notes;
}

/// Writes one row: what the core did, and its messages.
class RowWriter {
 public:
  RowWriter(Legend& legend, const std::vector<Span>& arriving, const std::vector<Noted>& notes)
      : legend_(legend), arriving_(arriving), notes_(notes) {}

  void add(const Stretch& stretch, const std::pair<std::string, std::string>& place, std::uint64_t period) {
    const auto& [region, call] = place;
    const std::uint64_t awake = stretch.end - std::min(stretch.counts.asleep, stretch.end - stretch.begin);
    if (awake > stretch.begin)
      span({stretch.begin * period, awake * period},
           call.empty() ? legend_.computing(region) : legend_.in_call(call));
    std::uint64_t at = awake * period;
    const std::uint64_t end = stretch.end * period;
    while (at < end) {
      while (next_ < arriving_.size() && arriving_[next_].end <= at) ++next_;
      const bool inside = next_ < arriving_.size() && arriving_[next_].begin <= at;
      std::uint64_t to = end;
      if (next_ < arriving_.size())
        to = std::min(end, inside ? arriving_[next_].end : arriving_[next_].begin);
      span({at, to}, legend_.asleep(call, inside));
      at = to;
    }
  }
  std::string take() {
    if (open_) log_.leave(end_);
    return base64(log_.bytes());
  }

 private:
  void span(const Span& time, std::uint32_t function) {
    if (!open_ || function != function_) {
      if (open_) log_.leave(time.begin);
      log_.enter(time.begin, function);
    }
    open_ = true;
    function_ = function;
    end_ = time.end;
    for (; noted_ < notes_.size() && notes_[noted_].time < time.end; ++noted_)
      log_.note(std::max(notes_[noted_].time, time.begin), notes_[noted_].note);
  }

  Legend& legend_;
  const std::vector<Span>& arriving_;
  const std::vector<Noted>& notes_;
  net::RankLog log_;
  std::size_t next_ = 0, noted_ = 0;
  bool open_ = false;
  std::uint32_t function_ = 0;
  std::uint64_t end_ = 0;
};

/// The time of all rows in slices of one length.
Json stacks_json(const NodeRows& rows, std::uint64_t end_cycles) {
  constexpr std::uint64_t kMostCells = 8'192;
  const std::uint64_t slices = std::clamp<std::uint64_t>(kMostCells / rows.cores.size(), 16, 256);
  const std::uint64_t width = std::max<std::uint64_t>(1, (end_cycles + slices - 1) / slices);
  const std::size_t parts = pipeline::kCpiParts + 1;
  Json json{{"slices", slices}, {"slice_ps", width * rows.period}, {"parts", Json::array()}};
  for (std::size_t i = 0; i < pipeline::kCpiParts; ++i)
    json["parts"].push_back(pipeline::name(static_cast<pipeline::CpiPart>(i)));
  json["parts"].push_back("asleep");
  for (const RankStretches& row : rows.cores) {
    std::vector<double> shares(slices * parts), instructions(slices), sent(slices), received(slices);
    for (const Stretch& stretch : row.stretches)
      for (std::uint64_t slice = stretch.begin / width; slice * width < stretch.end; ++slice) {
        const std::uint64_t from = std::max(stretch.begin, slice * width),
                            to = std::min(stretch.end, (slice + 1) * width);
        const double part = static_cast<double>(to - from) / static_cast<double>(stretch.end - stretch.begin);
        const auto add = [&](double& sum, std::uint64_t count) { sum += part * static_cast<double>(count); };
        for (std::size_t i = 0; i + 1 < parts; ++i) add(shares[slice * parts + i], stretch.counts.cpi[i]);
        add(shares[slice * parts + parts - 1], stretch.counts.asleep);
        add(instructions[slice], stretch.counts.instructions);
        add(sent[slice], stretch.counts.sent_bytes);
        add(received[slice], stretch.counts.received_bytes);
      }
    std::vector<std::uint16_t> packed;
    for (const double cycles : shares)
      packed.push_back(static_cast<std::uint16_t>(
          std::lround(std::min(1.0, cycles / static_cast<double>(width)) * 65535)));
    json["shares"].push_back(base64(packed));
    for (const auto& [key, values] :
         {std::pair("instructions", &instructions), {"sent", &sent}, {"received", &received}}) {
      Json numbers = Json::array();
      for (const double value : *values) numbers.push_back(std::llround(value));
      json[key].push_back(std::move(numbers));
    }
  }
  return json;
}

std::string row_name(const NodeRows& rows, std::size_t row) {
  const std::size_t rank = row / rows.of_rank, core = row % rows.of_rank;
  std::string name =
      rows.of_node == rows.of_rank ? fmt::format("node {}", rank) : fmt::format("rank {}", rank);
  return rows.of_rank == 1 ? name : fmt::format("{}, core {}", name, core);
}

}  // namespace

Json node_rows(const NodeRows& rows, const cosim::MessageTimeline& messages) {
  std::uint64_t end = 1;
  for (const RankStretches& row : rows.cores)
    if (!row.stretches.empty()) end = std::max(end, row.stretches.back().end);
  const auto spans = arriving(messages, rows.cores.size() / rows.of_rank);
  const auto notes = notes_of(messages, rows);
  Json json{
      {"end_ps", end * rows.period}, {"merged_ps", 0}, {"ranks", Json::array()}, {"names", Json::array()}};
  Legend legend;
  Json logs = Json::array();
  for (std::size_t row = 0; row < rows.cores.size(); ++row) {
    RowWriter writer(legend, spans[row / rows.of_rank], notes[row]);
    for (const Stretch& stretch : rows.cores[row].stretches)
      writer.add(stretch, rows.cores[row].places[stretch.place], rows.period);
    json["ranks"].push_back(row);
    json["names"].push_back(row_name(rows, row));
    logs.push_back(writer.take());
  }
  legend.add_to(json);
  json["logs"] = std::move(logs);
  json["messages"] = Json::array();
  for (const cosim::TracedMessage& message : messages.messages) json["messages"].push_back(message.name());
  json["stacks"] = stacks_json(rows, end);
  return json;
}

}  // namespace psim::report
