// SPDX-License-Identifier: Apache-2.0
#include "guest/trace/program_recorder.h"

#include <algorithm>

#include "isa/state/simd_state.h"
#include "isa/table/spec.h"

namespace psim::isa::trace {

namespace {
// Instructions between two checks for signals from outside, and between calls of `progress`.
constexpr std::uint64_t kSlice = 1 << 23;
constexpr std::uint64_t kNoEnd = ~std::uint64_t{0};
}  // namespace

ProgramRecorder::ProgramRecorder(Process& process, TraceFileWriter& file, const Properties& properties,
                                 Window window)
    : process_(process), file_(file), properties_(properties), window_(std::move(window)) {
  process_.executor.set_recorder(this);
}

ProgramRecorder::~ProgramRecorder() {
  process_.executor.set_recorder(nullptr);
  process_.executor.set_decode_listener(nullptr);
}

void ProgramRecorder::start(const Path& at) {
  phase_ = Phase::Inside;
  capture_.emplace(process_.memory, image_);
  writer_.emplace(file_, image_, at);
  file_.properties(properties_);
  file_.text(image_);
  capture_->report_to(*writer_);
  process_.executor.set_decode_listener(&*capture_);
}

void ProgramRecorder::run(const std::function<void()>& progress) {
  const bool by_region = !window_.region.empty();
  const auto instructions = [&] { return process_.instructions(); };
  std::uint64_t end = by_region ? kNoEnd : window_.skip;
  while (!process_.ending()) {
    if (instructions() >= end) {
      if (phase_ == Phase::Inside) phase_ = Phase::After;
      if (phase_ == Phase::Before) {
        start(path_of(process_.executor));
        end = window_.count > kNoEnd - end ? kNoEnd : end + window_.count;
      }
    }
    if (phase_ == Phase::After) return;
    process_.executor.run(std::min(end - instructions(), kSlice));
    if (process_.is_child()) {
      process_.executor.set_recorder(nullptr);
      process_.run_child();
    }
    if (HostSignals::any()) process_.deliver_due();
    progress();
  }
  if (phase_ == Phase::Inside && !by_region && window_.count == kNoEnd) phase_ = Phase::After;
}

void ProgramRecorder::finish(const Properties& ending) {
  writer_->finish();
  file_.finish(ending);
}

bool ProgramRecorder::alone(std::uint32_t word) {
  if (is_region_marker(word)) return true;
  const Spec& row = decode(word);
  // In scalar state too: moves to and from the PEs.
  if (const SimdState& simd = process_.executor.simd();
      row.unit == Unit::Simd && phase_ == Phase::Inside && simd.pes != 0)
    file_.uses_pes(static_cast<std::uint8_t>(simd.enabled()));
  return (row.effects & effect::kWriteSimd) != 0 || row.latency == LatencyClass::BlockTransfer ||
         row.latency == LatencyClass::TransferSync;
}

AddressSite& ProgramRecorder::site(std::uint64_t pc) {
  if (image_.at(pc) == nullptr) capture_->code_decoded(pc, 4);
  return writer_->site(pc);
}

void ProgramRecorder::begin(const CpuState& state, bool redirected) {
  writer_->begin(path_of(process_.executor), redirected);
  base_ = state.instructions - writer_->position();
  limit = base_ + kFrameInstructions;
  outcomes = writer_->frame().outcomes;
  recent = writer_->recent();
  followers = &writer_->followers();
  undo.site = nullptr;
  surprises = surprise_buffer_.data(), surprises_end = surprises + surprise_buffer_.size();
}

void ProgramRecorder::take_surprises() {
  writer_->surprises({surprise_buffer_.data(), surprises}, base_, undo, recent);
  surprises = surprise_buffer_.data();
}
void ProgramRecorder::space(std::uint64_t instruction, AddressSite& site, std::uint64_t sbm_base) {
  writer_->space(static_cast<std::uint32_t>(instruction - base_), site, sbm_base);
}
void ProgramRecorder::take_back(std::uint64_t instruction, AddressSite& site) {
  take_surprises();
  writer_->take_back(static_cast<std::uint32_t>(instruction - base_), site);
  recent = writer_->recent();
}

void ProgramRecorder::left(const CpuState& state) {
  take_surprises();
  writer_->frame().outcomes = outcomes;
  writer_->end(path_of(process_.executor), static_cast<std::uint32_t>(state.instructions - base_));
}

void ProgramRecorder::step(const InstructionRecord& record) {
  if (record.kind == RecordKind::Instruction && is_region_marker(record.instruction->word)) {
    marker(read_region_marker(record.instruction->word, process_.executor.state(), process_.memory), record);
    return;
  }
  if (phase_ != Phase::Inside) return;
  if (process_.is_child()) {  // the trace is the parent's
    phase_ = Phase::After;
    return;
  }
  const bool moves = record.instruction->latency == LatencyClass::BlockTransfer;
  const BlockTransfer transfer = moves ? process_.executor.transfer(record) : BlockTransfer{};
  writer_->add(record, nullptr, &transfer);
  capture_->refresh();
}

void ProgramRecorder::marker(const RegionMarker& marker, const InstructionRecord& record) {
  const bool ours = !window_.region.empty() && marker.name == window_.region;
  if (ours && marker.begin) {
    if (phase_ == Phase::Before && ++begun_ == window_.execution)
      start({record.pc, record.pc + 4, record.window, record.simd != 0, record.pes});
    if (phase_ == Phase::Inside) ++depth_;
  }
  if (phase_ != Phase::Inside) return;
  InstructionRecord marked = record;
  marked.region_marker = true;
  writer_->add(marked, &marker);
  if (ours && !marker.begin && --depth_ == 0) phase_ = Phase::After;
}

}  // namespace psim::isa::trace
