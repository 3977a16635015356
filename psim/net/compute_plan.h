// SPDX-License-Identifier: Apache-2.0
// The options --compute, --compute-factor, --force-model and --record-compute of `psim net`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machines/network_machine.h"
#include "predict/model_file.h"
#include "psim/net/program_options.h"
#include "ranks/job/rank_load.h"
#include "report/net/compute_result.h"

namespace psim {

/// Reads the options and the files that they name. Outlives the runs that use computing().
class ComputePlan {
 public:
  /// Throws UserError.
  explicit ComputePlan(const ProgramOptions& options);
  ComputePlan(const ComputePlan&) = delete;
  ComputePlan& operator=(const ComputePlan&) = delete;

  const net::Computing& computing() const { return computing_; }
  /// Returns the file of models or of recorded times; nothing if there is none.
  struct Input {
    std::string role, path, bytes;
  };
  const std::optional<Input>& input() const { return input_; }
  /// Returns true if at least one of the models states its errors.
  bool has_intervals() const;
  /// Returns the regions whose models state no errors.
  std::vector<std::string> without_errors() const;
  /// Compares the machines of the models with each other, and with that of node.core. Returns assumptions for
  /// the result. Throws UserError for models of different machines, or of another one, unless they are
  /// forced.
  std::vector<std::string> check_machines(const NetworkMachine& network) const;
  /// Returns what the result states on computing; `machines` as check_machines() returned them.
  ComputeOf stated(const ProgramOptions& options, std::vector<std::string> machines) const;

 private:
  class Models final : public net::RegionModels {
   public:
    Models(predict::ModelFile file, ModelBound bound) : file(std::move(file)), bound_(bound) {}
    std::optional<Value> time(std::string_view region,
                              std::span<const std::int64_t> arguments) const override;
    std::span<const double> of_ranks(std::string_view region) const override {
      const predict::Model* const model = file.find(region);
      return model == nullptr ? std::span<const double>() : model->fit().of_ranks;
    }
    std::span<const std::vector<double>> at_steps(std::string_view region) const override {
      const predict::Model* const model = file.find(region);
      return model == nullptr ? std::span<const std::vector<double>>() : model->fit().at_steps;
    }
    void require(std::string_view region) const override { static_cast<void>(file.find(region, 0)); }
    const predict::ModelFile file;

   private:
    ModelBound bound_;
  };
  void take_factors(const std::vector<std::string>& factors);
  const std::string& read(const char* role, const std::string& path);

  net::Computing computing_;
  std::optional<Input> input_;
  net::ComputeRecord record_;
  std::unique_ptr<Models> models_;
  bool force_ = false;
};

}  // namespace psim
