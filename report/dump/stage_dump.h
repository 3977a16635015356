// SPDX-License-Identifier: Apache-2.0
// The stage dumps of one run. It observes the core, sorts timelines in order of fetch, and passes to each
// output those of its window.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/observer.h"
#include "report/dump/sequence_order.h"
#include "report/dump/timeline_sink.h"
#include "report/dump/window.h"

namespace psim::pipeline::dump {

class StageDump final : public CoreObserver {
 public:
  /// Adds an output: `sink` receives the timelines that `window` shows.
  void add_output(WindowSpec window, std::unique_ptr<TimelineSink> sink);
  bool empty() const { return outputs_.empty(); }

  void on_leave(const InstructionTimeline& timeline) override;
  void on_region(const RegionMark& mark) override;
  /// Opens the windows of a message: see Window::open_message().
  void open_message(std::uint64_t cycle);

  /// Ends the run: completes every output, or throws the error that occurred during the run (no exception can
  /// pass through the simulation kernel). Returns a line for the user for each window that never opened, with
  /// the regions of the run. Throws UserError if a file cannot be written.
  std::vector<std::string> finish();

 private:
  struct Output {
    Window window;
    std::unique_ptr<TimelineSink> sink;
  };
  void pass(const InstructionTimeline& timeline);

  std::vector<Output> outputs_;
  SequenceOrder order_;
  std::vector<std::string> regions_;  ///< names in order of the first mark
  std::exception_ptr failure_;
  bool listening_ = true;  ///< some window may still show something
};

}  // namespace psim::pipeline::dump
