// SPDX-License-Identifier: Apache-2.0
#include "guest/trace/recording_source.h"

namespace psim::isa::trace {

RecordingSource::RecordingSource(LiveSource& live, Process& process, TraceFileWriter& file,
                                 const Properties& properties)
    : live_(live),
      process_(process),
      file_(file),
      capture_(process.memory, image_),
      writer_(file, image_, path_of(process.executor)) {
  file_.properties(properties);
  file_.text(image_);
  capture_.report_to(writer_);
  process_.executor.set_decode_listener(&capture_);
}

RecordingSource::~RecordingSource() { process_.executor.set_decode_listener(nullptr); }

Pull RecordingSource::next(std::uint64_t cycle, bool oldest, InstructionRecord& out) {
  const Pull pull = live_.next(cycle, oldest, out);
  if (pull == Pull::WaitUntilOldest) {
    waited_ = true;
    return pull;
  }
  // A timed instruction waits anyway. If a record that waited is not timed, a signal replaced a timed one.
  if (waited_ && (pull == Pull::End || !out.instruction->timed)) writer_.waited();
  waited_ = false;
  if (pull != Pull::Record) return pull;
  add(out, out.region_marker ? &live_.last_region() : nullptr);
  return pull;
}

void RecordingSource::add(const InstructionRecord& record, const RegionMarker* marker) {
  const bool moves =
      record.instruction->latency == LatencyClass::BlockTransfer && record.kind == RecordKind::Instruction;
  const BlockTransfer transfer = moves ? live_.transfer(record) : BlockTransfer{};
  writer_.add(record, marker, &transfer);
  capture_.refresh();
}

void RecordingSource::finish(const Properties& ending) {
  writer_.finish();
  file_.finish(ending);
}

}  // namespace psim::isa::trace
