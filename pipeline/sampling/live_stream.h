// SPDX-License-Identifier: Apache-2.0
// The windows of a program that runs functionally between them and keeps the core's state warm. It may save
// the state and the records of each window.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "guest/live_source.h"
#include "guest/process.h"
#include "guest/trace/recording_source.h"
#include "pipeline/sampling/sampled_stream.h"
#include "pipeline/sampling/warm_file.h"
#include "pipeline/sampling/warmer.h"

namespace psim::pipeline {

class LiveStream final : public SampledStream {
 public:
  /// Chooses the windows.
  class Plan {
   public:
    struct Window {
      std::uint64_t at;      ///< the instruction at which it begins, counted from the program's start
      std::uint64_t weight;  ///< instructions that its unit stands for
    };
    /// Returns the next window. The program has executed `instructions`.
    virtual Window next_window(std::uint64_t instructions) = 0;
    /// The program has executed the next `part` functionally, and `instructions` in all. Returns the next
    /// window, which was `planned`, as it is now.
    virtual Window on_part(const Work& part, std::uint64_t instructions, const Window& planned) = 0;
    /// Returns true if an episode of block transfers of this kind shall run functionally.
    virtual bool passes(std::uint64_t kind) = 0;
    /// Returns the cycles per instruction of functional execution after `instructions`, × 65536.
    virtual std::uint64_t pace(std::uint64_t instructions) = 0;

   protected:
    ~Plan() = default;
  };

  /// `process` must be made with ProcessOptions::timed. The run ends after `limit` instructions. All outlive
  /// the stream.
  /// `wait`: cycles of a wait for memory.
  LiveStream(isa::Process& process, Plan& plan, std::uint64_t limit, std::uint64_t wait);
  ~LiveStream() override;

  /// Instructions after those that the core fetches here, which a saved window has, too: another core may
  /// fetch further.
  static constexpr std::uint64_t kAfterWindow = 1'024;
  /// Saves each window from now on. Call it before the program starts. `file` outlives the stream.
  void save(WarmFileWriter& file, const isa::trace::Properties& properties);
  /// Completes the trace of the saved windows. Returns the summary of the program.
  WarmSummary finish_saving(const isa::trace::Properties& ending);

  /// Ends the run with the instructions executed so far, when a window is about to be chosen.
  void end_here() { limit_ = process_.instructions(); }

  isa::Pull next(std::uint64_t cycle, bool oldest, isa::InstructionRecord& out) override;
  std::uint32_t next_straight(std::uint64_t cycle, std::uint64_t pc, std::uint64_t block_bytes,
                              std::uint32_t count, isa::RecordSlots out) override;
  const isa::StaticInstruction* text(std::uint64_t pc, bool simd = false) override {
    return live_.text(pc, simd);
  }
  std::uint32_t texts(std::uint64_t pc, bool simd, std::span<const isa::StaticInstruction*> out) override {
    return live_.texts(pc, simd, out);
  }
  isa::BlockTransfer transfer(const isa::InstructionRecord& record) const override {
    return live_.transfer(record);
  }

  void attach(WiredCore& core, RegionFollower& regions) override;
  Window skip(bool counted, bool late) override;
  void passed(std::uint64_t cycles) override { live_.passed(cycles); }
  std::uint64_t position() const override { return process_.instructions(); }
  bool between_instructions() const override { return live_.between_instructions(); }
  bool at_transfer() override {
    const isa::StaticInstruction* const next = process_.executor.next_transfer();
    return next != nullptr && next->latency == isa::LatencyClass::BlockTransfer;
  }
  bool exhausted() const override { return false; }
  bool first_run(const isa::InstructionRecord& record) override;
  isa::RegionMarker take_region() override { return live_.take_region(); }
  std::size_t row_of(const isa::RegionMarker& marker) override { return regions_.region_of(marker); }
  const std::vector<MeasuredRegion>& regions() const override { return regions_.regions(); }
  std::vector<std::string> notes() const override { return regions_.notes(); }
  std::uint64_t instructions() const override { return process_.instructions(); }
  L2Counts l2() const override;
  bool limit_reached() const override { return process_.instructions() >= limit_ && !process_.ending(); }

 private:
  void count(const isa::RegionMarker& marker, std::uint64_t instructions);
  void save_step(const isa::InstructionRecord& record, const isa::CpuState& state);

  isa::Process& process_;
  Plan& plan_;
  std::uint64_t limit_;
  isa::LiveSource live_;
  WiredCore* core_ = nullptr;
  RegionFollower* follower_ = nullptr;
  std::unique_ptr<Warmer> warmer_;
  isa::RegionMarker marker_;  // for regions_
  RegionAccount regions_;     // by instructions, in program order

  WarmFileWriter* file_ = nullptr;
  std::optional<isa::trace::RecordingSource> recorded_;
  std::uint64_t most_found() const;
  bool may_find_bursts() const;
  void execute(std::uint64_t to, std::uint64_t pace);
  bool go(std::uint64_t to, std::uint64_t pace);
  Work work();
  std::uint64_t kind_of_episode(const isa::StaticInstruction& first) const;
  bool pass_transfer(std::uint64_t pace);
  void close_episode(std::uint64_t now);

  bool finds_ = true;                     // new code and loops
  bool in_start_ = true;                  // no window has begun
  std::uint64_t found_from_ = 0;          // of the window of new code or of a loop, or 0
  std::uint64_t found_instructions_ = 0;  // in such windows before
  BurstFinder bursts_;
  std::uint64_t burst_from_ = 0;          // of the window of a burst, or 0
  std::uint64_t burst_instructions_ = 0;  // in such windows before
  unsigned bursts_in_turn_ = 0;           // windows of bursts since the last unit, close to each other
  bool unit_next_ = false;                // the window has a unit
  std::uint64_t detect_from_ = 0;         // instructions from which new code and bursts are found
  // The episode that runs functionally: its kind, or 0, its first instruction, and its end; 0: not known yet.
  std::uint64_t episode_ = 0, episode_from_ = 0, episode_to_ = 0;
  std::vector<Passed> passed_;           // since the last window
  Work last_work_;                       // after the last window
  Work part_;                            // functional, not yet shown to the plan
  std::vector<std::uint64_t> new_code_;  // first instructions of lines of code, by their numbers in the trace
  std::optional<Plan::Window> planned_;  // a window with transfers may come first
  std::vector<std::uint64_t> state_;
  bool skipped_to_end_ = false;
};

}  // namespace psim::pipeline
