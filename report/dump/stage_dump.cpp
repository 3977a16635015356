// SPDX-License-Identifier: Apache-2.0
#include "report/dump/stage_dump.h"

#include <algorithm>

#include "base/error.h"

namespace psim::pipeline::dump {

void StageDump::add_output(WindowSpec window, std::unique_ptr<TimelineSink> sink) {
  outputs_.push_back({Window(std::move(window)), std::move(sink)});
}

void StageDump::pass(const InstructionTimeline& timeline) {
  bool listening = false;
  for (Output& output : outputs_) {
    if (output.window.shows(timeline)) output.sink->add(timeline);
    listening |= !output.window.closed();
  }
  listening_ = listening;
}

void StageDump::on_leave(const InstructionTimeline& timeline) {
  if (!listening_) return;
  try {
    order_.add(timeline, [this](const InstructionTimeline& next) { pass(next); });
  } catch (...) {
    failure_ = std::current_exception();
    listening_ = false;
  }
}

void StageDump::on_region(const RegionMark& mark) {
  for (Output& output : outputs_) output.window.on_region(mark);
  if (std::find(regions_.begin(), regions_.end(), mark.name) == regions_.end())
    regions_.emplace_back(mark.name);
}

void StageDump::open_message(std::uint64_t cycle) {
  for (Output& output : outputs_) output.window.open_message(cycle);
}

std::vector<std::string> StageDump::finish() {
  if (failure_) std::rethrow_exception(failure_);
  order_.finish([this](const InstructionTimeline& next) { pass(next); });
  std::vector<std::string> notes;
  for (Output& output : outputs_) {
    output.sink->finish();
    if (output.window.opened()) continue;
    std::string note =
        "--window " + to_string(output.window.spec()) + ": nothing in this run is in the window";
    if (const auto* region = std::get_if<RegionWindow>(&output.window.spec())) {
      if (regions_.empty()) {
        note += ": the program marks no region";
      } else if (std::find(regions_.begin(), regions_.end(), region->name) == regions_.end()) {
        note += ": no such region ran" + did_you_mean(region->name, regions_, "there is " + regions_.front());
      }
    }
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace psim::pipeline::dump
