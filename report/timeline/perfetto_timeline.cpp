// SPDX-License-Identifier: Apache-2.0
// The trace event format (JSON), which Perfetto and other viewers read. Jobs are processes, ranks threads,
// calls slices, messages arrows. Threads are numbered over all jobs and named by their rank in its job. Times
// are microseconds, exact to the picosecond.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/output_file.h"
#include "base/result_document.h"
#include "report/timeline/timeline_file.h"

namespace psim {
namespace {

using net::CallNote;
using net::LogEvent;

std::string us(std::uint64_t ps) { return fmt::format("{}.{:06}", ps / 1'000'000, ps % 1'000'000); }

std::string text(const std::string& value) {
  return nlohmann::json(value).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

/// The events of one rank.
class RankTrack {
 public:
  RankTrack(std::uint32_t rank, const TimelineOf& of, const std::vector<std::string>& functions,
            OutputFile& file)
      : rank_(rank),
        process_(of.job_of(rank)),
        first_(of.jobs[process_].first),
        functions_(functions),
        file_(file) {}

  void add(const LogEvent& event) {
    switch (event.kind) {
      case LogEvent::Kind::Enter:
        begin_ = event.time;
        function_ = event.function;
        arguments_.clear();
        messages_ = 0;
        arrows_.clear();
        break;
      case LogEvent::Kind::Note:
        note(event.time, event.note);
        break;
      case LogEvent::Kind::Leave: {
        const std::string& name = functions_[function_];
        out_ += fmt::format(
            ",\n{{\"name\":\"{}\",\"cat\":\"{}\",\"ph\":\"X\",\"ts\":{},\"dur\":{},\"pid\":{},\"tid\":{},"
            "\"args\":{{{}}}}}",
            name, name == "MGEN_Comp" ? "compute" : "mpi", us(begin_), us(event.time - begin_), process_,
            rank_, arguments_);
        out_ += arrows_;
        if (out_.size() > kPiece) flush();
      }
    }
  }
  void flush() {
    file_.write(out_);
    out_.clear();
  }

 private:
  static constexpr std::size_t kPiece = 1 << 20;

  void argument(const std::string& words) { arguments_ += (arguments_.empty() ? "" : ",") + words; }
  void message(const char* which, const CallNote& note) {
    // One slice may end many messages; from the second on a number distinguishes their keys.
    const std::size_t number = ++messages_;
    const std::string end = arguments_.empty() ? "" : fmt::format(" {}", number);
    argument(fmt::format("\"{}{}\":\"rank {}, tag {}, {} bytes, communicator {}\"", which, end,
                         note.peer - first_, note.tag, note.bytes, note.context));
  }
  void arrow(const char* phase, std::uint64_t time, std::uint32_t source, std::uint32_t serial) {
    arrows_ += fmt::format(
        ",\n{{\"name\":\"message\",\"cat\":\"message\",\"ph\":{},\"id\":\"{}.{}\",\"ts\":{},\"pid\":{},"
        "\"tid\":{}}}",
        phase, source, serial, us(time), process_, rank_);
  }
  void note(std::uint64_t time, const CallNote& note) {
    switch (note.kind) {
      case CallNote::Kind::Send:
        message("to", note);
        arrow("\"s\"", time, rank_, note.serial);
        break;
      case CallNote::Kind::Receive:
        message("from", note);
        if (note.serial != 0) arrow("\"f\",\"bp\":\"e\"", time, note.peer, note.serial);
        break;
      case CallNote::Kind::CollectiveEnd:
        argument(fmt::format("\"communicator\":{},\"bytes sent\":{},\"bytes received\":{}", note.context,
                             note.bytes, note.received));
        break;
      default:
        break;
    }
  }

  std::uint32_t rank_;
  std::size_t process_;
  std::uint32_t first_;  ///< rank of its job
  const std::vector<std::string>& functions_;
  OutputFile& file_;
  std::uint64_t begin_ = 0;
  std::uint32_t function_ = 0;
  std::size_t messages_ = 0;
  std::string arguments_, arrows_, out_;
};

class PerfettoTimeline final : public TimelineFile {
 public:
  explicit PerfettoTimeline(const std::string& path) : file_(path, "--timeline") {}

  void write(const net::Timeline& timeline, const TimelineOf& of) override {
    file_.write(
        fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"writer\":\"psim {}\",\"ranks\":{}}},"
                    "\"traceEvents\":[",
                    version(), of.ranks()));
    for (std::size_t job = 0; job < of.jobs.size(); ++job)
      file_.write(fmt::format(
          "{}\n{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{},\"args\":{{\"name\":{}}}}}",
          job == 0 ? "" : ",", job, text(of.jobs[job].name.empty() ? of.program : of.jobs[job].name)));
    const std::vector<std::string> functions = timeline.functions();
    for (const std::uint32_t rank : timeline.observed()) {
      file_.write(fmt::format(
          ",\n{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":{1},\"tid\":{0},\"args\":{{\"name\":"
          "\"rank {2}\"}}}},"
          "\n{{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":{1},\"tid\":{0},\"args\":{{"
          "\"sort_index\":{0}}}}}",
          rank, of.job_of(rank), rank - of.jobs[of.job_of(rank)].first));
      RankTrack track(rank, of, functions, file_);
      timeline.events(rank, [&](const LogEvent& event) { track.add(event); });
      track.flush();
    }
    file_.write("\n]}\n");
    file_.commit();
  }

 private:
  OutputFile file_;
};

}  // namespace

std::unique_ptr<TimelineFile> make_perfetto_timeline(const std::string& path) {
  return std::make_unique<PerfettoTimeline>(path);
}

}  // namespace psim
