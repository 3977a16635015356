// SPDX-License-Identifier: Apache-2.0
#include "pipeline/sampling/saved_stream.h"

#include "pipeline/sampling/warm_state.h"

namespace psim::pipeline {

SavedStream::SavedStream(WarmFile& file)
    : file_(file), source_(file.trace()), rows_([] { return isa::RegionMarker{}; }), end_(end_of_window()) {
  for (const MeasuredRegion& region : regions()) rows_.region_of({region.name, region.arguments, true});
}

std::uint64_t SavedStream::end_of_window() const {
  return next_ == file_.points() ? file_.trace().instructions() : file_.point(next_).first;
}

isa::Pull SavedStream::next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) {
  if (over_ || (at() >= end_ && at_end())) return isa::Pull::End;
  return source_.next(cycle, oldest, out);
}

bool SavedStream::first_run([[maybe_unused]] const isa::InstructionRecord& record) {
  const std::vector<std::uint64_t>& all = file_.summary().new_code;
  while (new_code_ < all.size() && all[new_code_] < at()) ++new_code_;
  return new_code_ < all.size() && all[new_code_] == at();
}

SampledStream::Window SavedStream::skip([[maybe_unused]] bool counted, [[maybe_unused]] bool late) {
  for (isa::InstructionRecord record; at() < end_ && source_.next(0, true, record) == isa::Pull::Record;)
    if (record.region_marker) source_.take_region();
  if (next_ == file_.points()) {
    over_ = true;
    Window window;
    window.passed = file_.summary().passed, window.work = file_.summary().work;
    return window;
  }
  const WarmPoint& point = file_.point(next_);
  try {
    set_warm_state(*core_, file_.next_state());
  } catch (const UserError& error) {
    file_.fail(error.what());
  }
  follower_->set_open(point.open);
  ++next_;
  end_ = end_of_window();
  begin_ = point.first, instructions_ = point.instructions;
  return {point.skipped, point.weight,  point.loop,   point.burst, point.lost,
          point.watch,   point.episode, point.passed, point.work};
}

}  // namespace psim::pipeline
