// SPDX-License-Identifier: Apache-2.0
#include "report/dump/kanata_reader.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/parse_number.h"
#include "base/printable.h"

namespace psim::pipeline::dump {

namespace {

class Reader {
 public:
  Reader(LineReader& lines, const ReadOptions& options, StageNames& names, DumpSink& sink)
      : lines_(lines), options_(options), names_(names), sink_(sink) {}

  void run() {
    if (options_.partial) lines_.drop_unended_line();
    std::string_view line;
    if (!lines_.next(line) || line != "Kanata\t0004")
      lines_.fail("expected the header \"Kanata<TAB>0004\" of a Kanata log");
    while (lines_.next(line)) {
      split(line);
      command();
    }
    end_of_file();
  }

 private:
  void split(std::string_view line) {
    count_ = 0;
    // The text of an L line may hold tabs: the fourth field takes the rest.
    while (count_ < 3) {
      const auto tab = line.find('\t');
      field_[count_++] = line.substr(0, tab);
      if (tab == line.npos) return;
      line.remove_prefix(tab + 1);
    }
    field_[count_++] = line;
  }

  void command() {
    const std::string_view name = field_[0];
    if (name == "C=") return start_cycle();
    if (name == "C") return advance();
    if (name.size() == 1) switch (name[0]) {
        case 'I':
          return begin();
        case 'L':
          return label();
        case 'S':
          return begin_stage();
        case 'E':
          return end_stage();
        case 'R':
          return leave();
        case 'W':
          return wake_up();
        default:
          break;
      }
    lines_.fail("\"" + beginning(name) +
                "\" is not a command of Kanata 0004: expected C=, C, I, L, S, E, R or W");
  }

  static std::string beginning(std::string_view text) {
    return one_column_each(text.substr(0, 24)) + (text.size() > 24 ? "…" : "");
  }

  void expect_fields(int count) const {
    if (count_ == count) return;
    lines_.fail("expected " + std::to_string(count - 1) + " fields after " + std::string(field_[0]) +
                ", found " + std::to_string(count_ - 1));
  }

  std::uint64_t number(int field, const char* what) const {
    const std::string_view text = field_[field];
    const auto value = parse_number<std::uint64_t>(text);
    if (!value) lines_.fail(std::string(what) + " \"" + beginning(text) + "\" is not a whole number");
    return *value;
  }

  DumpedInstruction& instruction() {
    const std::uint64_t id = number(1, "id");
    const auto found = live_.find(id);
    if (found == live_.end())
      lines_.fail("instruction " + std::to_string(id) +
                  (id < next_id_ ? " has left already" : " has no I line yet"));
    // A dump by another tool may label or close an instruction that has retired, but nothing may begin.
    if (found->second.complete && (options_.strict || field_[0] == "S" || field_[0] == "R"))
      lines_.fail("instruction " + std::to_string(id) + " has left already");
    return found->second;
  }

  void start_cycle() {
    expect_fields(2);
    if (cycle_known_ || next_id_ != 0) lines_.fail("C= may only precede all other commands");
    cycle_ = number(1, "cycle");
    cycle_known_ = true;
  }

  void advance() {
    expect_fields(2);
    const std::uint64_t delta = number(1, "cycles");
    if (options_.strict && !cycle_known_) lines_.fail("expected C= with the first cycle before any C");
    if (options_.strict && delta == 0) lines_.fail("C advances by no cycle");
    if (delta > std::numeric_limits<std::uint64_t>::max() - cycle_) lines_.fail("the cycle passes 2^64");
    cycle_ += delta;
    cycle_known_ = true;
  }

  void begin() {
    expect_fields(4);
    const std::uint64_t id = number(1, "id");
    if (options_.strict && !cycle_known_) lines_.fail("expected C= with the first cycle before any I");
    if (options_.strict) number(2, "simulator id"), number(3, "thread");
    if (id < next_id_) lines_.fail("instruction id " + std::to_string(id) + " comes again, or out of order");
    if (options_.strict && id != next_id_)
      lines_.fail("instruction ids count from 0: expected " + std::to_string(next_id_) + ", found " +
                  std::to_string(id));
    if (id == std::numeric_limits<std::uint64_t>::max()) lines_.fail("instruction id out of range");
    next_id_ = id + 1;
    if (live_.size() >= kMostLive) lines_.fail("over 4194304 instructions that have no R line yet");
    DumpedInstruction& made = live_[id];
    made.id = id;
    made.sequence = field_[2];
    made.line = lines_.number();
    made.begin = made.end = cycle_;
  }

  void label() {
    expect_fields(4);
    DumpedInstruction& labelled = instruction();
    const std::uint64_t type = number(2, "label type");
    if (type > 2)
      lines_.fail("label type " + std::to_string(type) + ": expected 0 (text), 1 (hover) or 2 (stage)");
    std::string& text = type == 0 ? labelled.text : labelled.details;
    text += field_[3];
    if (text.size() > kLongestLabel) lines_.fail("an instruction with labels of over 1 MiB");
  }

  std::uint32_t lane() const {
    const std::uint64_t lane = number(2, "lane");
    if (lane > 255) lines_.fail("lane " + std::to_string(lane) + ": expected 0 to 255");
    return static_cast<std::uint32_t>(lane);
  }

  std::string_view stage() const {
    if (field_[3].empty()) lines_.fail("the stage has no name");
    if (field_[3].size() > 256) lines_.fail("a stage name of over 256 characters");
    return field_[3];
  }

  void begin_stage() {
    expect_fields(4);
    DumpedInstruction& of = instruction();
    const std::uint32_t in_lane = lane();
    if (DumpedStage* open = open_stage(of, in_lane)) open->end = cycle_;
    if (of.stages.size() >= kMostStages) lines_.fail("an instruction of over 65536 stages");
    if (names_.size() >= kMostNames) lines_.fail("over 65536 names of stages");
    of.stages.push_back({in_lane, names_.number(stage()), cycle_, kOpen});
  }

  void end_stage() {
    expect_fields(4);
    DumpedInstruction& of = instruction();
    if (names_.size() >= kMostNames) lines_.fail("over 65536 names of stages");
    const std::uint32_t in_lane = lane(), named = names_.number(stage());
    const auto open = std::find_if(of.stages.rbegin(), of.stages.rend(), [&](const DumpedStage& stage) {
      return stage.lane == in_lane && stage.name == named && stage.end == kOpen;
    });
    if (open != of.stages.rend()) {
      open->end = cycle_;
    } else if (options_.strict) {
      lines_.fail("stage " + names_[named] + " ends, which is not open in lane " + std::to_string(in_lane));
    }
  }

  void leave() {
    expect_fields(4);
    DumpedInstruction& leaving = instruction();
    const std::string_view retired = field_[2];
    // Some simulators write -1 if the instruction does not retire.
    leaving.retired = !options_.strict && retired.starts_with('-') ? 0 : number(2, "retire id");
    const std::uint64_t type = number(3, "type");
    if (type > 1) lines_.fail("R type " + std::to_string(type) + ": expected 0 (retire) or 1 (flush)");
    leaving.flushed = type == 1;
    if (options_.strict && !leaving.flushed) {
      if (any_retired_ && leaving.retired != last_retired_ + 1)
        lines_.fail("retire id " + std::to_string(leaving.retired) + " after " +
                    std::to_string(last_retired_));
      any_retired_ = true;
      last_retired_ = leaving.retired;
    }
    close(leaving);
    while (!live_.empty() && live_.begin()->second.complete && may_give_out(live_.begin()->first)) give_out();
  }

  // Other tools may still label an instruction after its end. It is held until the next id has ended too, or
  // for 1024 ids.
  bool may_give_out(std::uint64_t id) const { return options_.strict || next_id_ - id > 1024; }

  void wake_up() {
    expect_fields(4);
    DumpedInstruction& consumer = instruction();
    const std::uint64_t producer = number(2, "producer");
    number(3, "dependence type");
    if (producer >= next_id_) lines_.fail("producer " + std::to_string(producer) + " has no I line yet");
    if (consumer.wakeups.size() >= kMostStages) lines_.fail("an instruction of over 65536 wake-ups");
    consumer.wakeups.push_back({producer, cycle_});
  }

  void close(DumpedInstruction& leaving) {
    leaving.end = cycle_;
    leaving.complete = true;
    for (DumpedStage& stage : leaving.stages)
      if (stage.end == kOpen) stage.end = cycle_;
  }

  void give_out() {
    sink_.instruction(std::move(live_.begin()->second));
    live_.erase(live_.begin());
  }

  void end_of_file() {
    for (auto& [id, left_over] : live_) {
      if (left_over.complete) continue;
      if (!options_.partial)
        lines_.fail("the file ends, but instruction " + std::to_string(id) + " of line " +
                    std::to_string(left_over.line) + " has no R line: is the file truncated?");
      close(left_over);
      left_over.complete = false;
    }
    while (!live_.empty()) give_out();
  }

  DumpedStage* open_stage(DumpedInstruction& of, std::uint32_t in_lane) {
    for (auto stage = of.stages.rbegin(); stage != of.stages.rend(); ++stage)
      if (stage->lane == in_lane) return stage->end == kOpen ? &*stage : nullptr;
    return nullptr;
  }

  // Limits far above any machine, so that memory is bounded on a stream without an end.
  static constexpr std::size_t kMostStages = 1 << 16, kMostNames = 1 << 16;
  static constexpr std::size_t kMostLive = 1 << 22, kLongestLabel = 1 << 20;
  static constexpr std::uint64_t kOpen = std::numeric_limits<std::uint64_t>::max();

  LineReader& lines_;
  const ReadOptions& options_;
  StageNames& names_;
  DumpSink& sink_;
  std::array<std::string_view, 4> field_;
  int count_ = 0;
  std::uint64_t cycle_ = 0;
  bool cycle_known_ = false;
  std::uint64_t next_id_ = 0;
  bool any_retired_ = false;
  std::uint64_t last_retired_ = 0;
  std::map<std::uint64_t, DumpedInstruction> live_;  ///< not yet passed on
};

}  // namespace

void read_kanata(LineReader& lines, const ReadOptions& options, StageNames& names, DumpSink& sink) {
  Reader(lines, options, names, sink).run();
}

}  // namespace psim::pipeline::dump
