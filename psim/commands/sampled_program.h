// SPDX-License-Identifier: Apache-2.0
// The measurements of a sampled run, and the plan of its units.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "energy/sampled_energy.h"
#include "pipeline/sampling/live_stream.h"
#include "pipeline/sampling/sampler.h"
#include "predict/episode_sample.h"
#include "predict/late_units.h"
#include "predict/loop_states.h"
#include "predict/regression_sum.h"
#include "predict/sample_plan.h"
#include "predict/work_kinds.h"
#include "psim/commands/sampled_counts.h"

namespace psim::commands {

using pipeline::MeasuredUnit;

/// The estimates of a sampled run, and the plan of its units.
class SampledProgram final : public pipeline::Sampler::Client, public pipeline::LiveStream::Plan {
 public:
  explicit SampledProgram(const predict::SamplePlan::Config& plan)
      : plan_(plan), episodes_(plan.seed, plan.error) {
    for (const std::size_t miss : pipeline::Work::kMisses) regression_.mark_hidden(miss);
  }

  void on_start(const MeasuredUnit& start) override;
  void on_new_code(const MeasuredUnit& part) override;
  void on_start_of_burst(const MeasuredUnit& part, std::uint64_t lost) override;
  void on_episode(std::uint64_t kind, const MeasuredUnit& episode) override;
  void on_passed(const std::vector<pipeline::SampledStream::Passed>& passed) override;
  bool passes(std::uint64_t kind) override { return episodes_.passes(kind); }

  void on_unit(const MeasuredUnit& unit) override;
  std::uint64_t late_unit(std::uint64_t instructions) override {
    return uses_work_ ? late_units_.next(instructions) : 0;
  }
  void on_late_unit(const MeasuredUnit& unit, const pipeline::MeasuredLateUnit& late) override;
  void on_entered_loop(const pipeline::MeasuredLoop& loop) override;
  Window next_window(std::uint64_t instructions) override;
  Window on_part(const pipeline::Work& part, std::uint64_t instructions, const Window& planned) override;
  void on_waits(const pipeline::MeasuredWaits& waits, const std::vector<std::size_t>& rows) override;
  std::uint64_t pace(std::uint64_t instructions) override;

  /// Estimates energy, too. `energy` outlives the sample.
  void set_energy(const SampledEnergy& energy) { energy_ = &energy; }
  const SampledEnergy* energy() const { return energy_; }
  /// Uses the work of units, too: the plan needs fewer of them, and correct() can be called.
  void use_work() { uses_work_ = true; }
  /// Corrects the estimate by the work of all instructions for which units stand.
  void correct(const pipeline::Work& sampled);
  /// Returns the part by which that changed the cost per instruction.
  double correction() const;
  /// Calls `progress` before each window.
  void set_progress(std::function<void(std::uint64_t)> progress) { progress_ = std::move(progress); }

  /// Lets the intervals reach to the cost of late units if they differ from units, outside of loops whose
  /// states they hold. Call it after the run.
  void allow_for_late_units(const UnsteadyLoops& unsteady);
  /// Returns the late units, and the relative change of the cost that they show.
  std::uint64_t late_units() const { return late_units_.pairs(); }
  double late_units_differ() const;

  const SampledCounts& program() const { return program_; }
  SampledCounts& of_region(std::size_t row);
  std::uint64_t period() const { return plan_.period(); }
  /// Returns the instructions of the measured start.
  std::uint64_t start_instructions() const { return start_instructions_; }
  /// Returns the instructions of bursts, which are measured completely, too.
  std::uint64_t burst_instructions() const { return burst_instructions_; }
  /// Returns the instructions of episodes that were measured, and of those that were not.
  std::uint64_t episode_instructions() const { return episode_instructions_; }
  std::uint64_t passed_instructions() const { return whole(episodes_.passed()); }
  /// Returns the loops whose states can change the cycles of `all` instructions by more than the allowance
  /// for bias.
  UnsteadyLoops unsteady_loops(std::uint64_t all) const;
  /// Returns the ratio of the estimates of two halves of the sample, minus 1.
  double halves_differ() const;
  double unit_halves_differ() const;

 private:
  /// Lets the episodes that were measured stand for the others.
  void scale_episodes();
  /// Returns the cycles per instruction of a loop without waits outside of the core's steady state.
  static double inside_of(const pipeline::MeasuredLoop& loop);
  /// Returns the same with all waits but those for block transfers.
  static double cost_of(const pipeline::MeasuredLoop& loop);
  double weight_of(const MeasuredUnit& unit);
  double share_of_units() const;
  void add_loop(double weight, const MeasuredUnit& unit, const pipeline::MeasuredLoop& loop);
  void add_energy(SampledCounts& to, std::uint64_t number, double weight, const Totals& unit,
                  const pipeline::Activity& activity) const;

  predict::SamplePlan plan_;
  predict::WorkKinds kinds_;
  predict::EpisodeSample episodes_;
  predict::LoopStates loop_states_;
  predict::LateUnits late_units_;
  const SampledEnergy* energy_ = nullptr;
  SampledCounts program_;
  bool uses_work_ = false, unsteady_ = false;
  predict::RegressionSum regression_;               // of the cycles of program_
  std::vector<SampledCounts> regions_;              // by the row of SampledStream::regions()
  std::array<predict::RatioSum, 2> halves_;         // units of even and odd number
  predict::RatioSum first_halves_, second_halves_;  // of each unit
  std::uint64_t executed_ = 0, start_instructions_ = 0, burst_instructions_ = 0, episode_instructions_ = 0;
  std::uint64_t due_ = 0;  // instructions of the periods since the last unit
  double elsewhere_ = 0;   // instructions that were not for units, when the last unit was measured
  std::function<void(std::uint64_t)> progress_ = [](std::uint64_t) {};
};

}  // namespace psim::commands
