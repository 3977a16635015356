// SPDX-License-Identifier: Apache-2.0
// The stage dumps of one run: listens to the core, puts timelines in order of fetch, and hands those of each
// output's window to it.
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
  /// `sink` gets what `window` shows.
  void add_output(WindowSpec window, std::unique_ptr<TimelineSink> sink);
  bool empty() const { return outputs_.empty(); }

  void on_leave(const InstructionTimeline& timeline) override;
  void on_region(const RegionMark& mark) override;

  /// The run has ended: completes every output, or throws what went wrong while it went on (no exception can
  /// pass through the simulation kernel). Returns a line for the user on each window that never opened, and
  /// what regions there were. Throws UserError if a file cannot be written.
  std::vector<std::string> finish();

 private:
  struct Output {
    Window window;
    std::unique_ptr<TimelineSink> sink;
  };
  void pass(const InstructionTimeline& timeline);

  std::vector<Output> outputs_;
  SequenceOrder order_;
  std::vector<std::string> regions_;  ///< names met, in order of the first mark
  std::exception_ptr failure_;
  bool listening_ = true;  ///< some window may still show something
};

}  // namespace psim::pipeline::dump
