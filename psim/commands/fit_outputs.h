// SPDX-License-Identifier: Apache-2.0
// Makes models of the regions of measured points, prints them, and writes the result and the files of
// `psim fit`.
#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "base/result_document.h"
#include "predict/fit.h"
#include "predict/model.h"
#include "psim/commands/command.h"
#include "psim/commands/fit_plan.h"
#include "psim/commands/fit_points.h"

namespace psim::commands {

/// A fitted region.
struct FittedRegion {
  predict::RegionFit fit;
  predict::CostFit time;
  std::size_t pieces = 1;
};

/// The files that a command writes: a name is empty without the option.
struct FitFiles {
  std::string header, module;  ///< of functions in C and in Fortran
};

/// The files and the result of a command; they are opened before any point runs. The arguments must outlive
/// it.
class FitOutputs {
 public:
  FitOutputs(const FitPlan& plan, const CommonOptions& options, const FitFiles& names);

  /// Fits the regions of the programs that ran on a machine, prints them, and writes its files.
  void fit_machine(std::size_t number, const std::vector<std::pair<const FitProgram*, MeasuredProgram>>& ran);
  /// Writes the result and its pages.
  void finish();

 private:
  struct Files {
    std::optional<OutputFile> out, header, module, page;
  };

  void open(std::optional<OutputFile>& file, const std::string& path, const char* option,
            const FitMachine& machine);
  void add_region(std::size_t number, const FittedRegion& fitted, const predict::Model& model,
                  const FitProgram& program, const RegionPoints& points);
  nlohmann::ordered_json of_machine(std::size_t number) const;
  void describe(const std::vector<std::pair<const FitProgram*, MeasuredProgram>>& ran);

  const FitPlan& plan_;
  const CommonOptions& options_;
  const FitFiles& names_;
  ResultDocument result_;
  std::deque<Files> files_;
  std::string title_;
  std::vector<std::size_t> machines_;  ///< by region
  nlohmann::json regions_ = nlohmann::json::array(), pages_ = nlohmann::json::array();
};

}  // namespace psim::commands
