// SPDX-License-Identifier: Apache-2.0
#include "report/timeline/rank_rows.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "report/base64.h"

namespace psim {
namespace {

using net::LogEvent;
using net::RankLog;

/// Joins close calls that are shorter than `short_ps`, if the gaps between them are, too. The joined call has
/// the name of the longest one.
class Merger {
 public:
  explicit Merger(std::uint64_t short_ps) : short_(short_ps) {}
  void add(const LogEvent& event) {
    if (event.kind == LogEvent::Kind::Enter) begin_ = event.time, function_ = event.function;
    if (event.kind == LogEvent::Kind::Note && short_ == 0) notes_.push_back(event);
    if (event.kind == LogEvent::Kind::Leave) call(event.time);
  }
  RankLog take() {
    flush();
    return std::move(log_);
  }

 private:
  void call(std::uint64_t end) {
    if (short_ == 0) {
      log_.enter(begin_, function_);
      for (const LogEvent& note : notes_) log_.note(note.time, note.note);
      notes_.clear();
      log_.leave(end);
      return;
    }
    const bool joins = open_ && end - begin_ < short_ && longest_ < short_ && begin_ - end_ < short_ &&
                       end - first_ < 8 * short_;
    if (!joins) {
      flush();
      open_ = true;
      first_ = begin_;
      longest_ = end - begin_;
      name_ = function_;
    } else if (end - begin_ > longest_) {
      longest_ = end - begin_;
      name_ = function_;
    }
    end_ = end;
  }
  void flush() {
    if (!open_) return;
    log_.enter(first_, name_);
    log_.leave(end_);
    open_ = false;
  }

  std::uint64_t short_, begin_ = 0, first_ = 0, end_ = 0, longest_ = 0;
  std::uint32_t function_ = 0, name_ = 0;
  bool open_ = false;
  std::vector<LogEvent> notes_;
  RankLog log_;
};

}  // namespace

nlohmann::ordered_json rank_rows(const net::Timeline& timeline, const TimelineOf& of, std::uint64_t most) {
  const std::vector<std::uint32_t>& ranks = timeline.observed();
  std::uint64_t bytes = 0;
  for (const std::uint32_t rank : ranks) bytes += timeline.bytes(rank);
  std::vector<RankLog> logs;
  std::uint64_t merged = bytes <= most ? 0 : timeline.end() >> 20 | 1;
  for (;; merged *= 4) {
    logs.clear();
    bytes = 0;
    for (const std::uint32_t rank : ranks) {
      Merger merger(merged);
      timeline.events(rank, [&](const LogEvent& event) { merger.add(event); });
      logs.push_back(merger.take());
      bytes += logs.back().bytes().size();
    }
    if (merged == 0 || bytes <= most || merged > timeline.end()) break;
  }
  nlohmann::ordered_json rows{{"functions", timeline.functions()},
                              {"end_ps", timeline.end()},
                              {"merged_ps", merged},
                              {"ranks", ranks},
                              {"logs", nlohmann::ordered_json::array()}};
  for (const TimelineOf::Job& job : of.jobs)
    if (!job.name.empty()) rows["jobs"].push_back({{"name", job.name}, {"first", job.first}});
  for (const RankLog& log : logs) rows["logs"].push_back(report::base64(log.bytes()));
  return rows;
}

}  // namespace psim
