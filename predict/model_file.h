// SPDX-License-Identifier: Apache-2.0
// fits.toml: models of the time and energy of regions, written by `psim fit` or by hand.
//
//     format = 1
//
//     [region.zgemm]                      # the name in PSIM_REGION_BEGIN; quoted if it is no bare TOML key
//     parameters = "n"                    # names of the region's arguments, in their order; "" for none
//     cycles = "2.01 * n^3 + 35 * n^2"    # expression.h; of one execution. Or `seconds`, without `clock`
//     clock = "2 GHz"                     # seconds = cycles / clock
//     ranges = "64..256"                  # the fitted range of each argument; others extrapolate
//     joules = "…"                        # optional: the energy of one execution
//     machine = "simd16"                  # optional, for reports and checks, as the next three
//     machine_sha256 = "…"
//     program = "zgemm"
//     program_sha256 = "…"
//
//     of_ranks = "1.1 0.9"                # optional: factors of the time on ranks 0, 1, …; rank r has
//                                         # that with the number r modulo their count
//     at_steps = "0.1 0.9; 0.2 0.8"       # optional, by rank as of_ranks: shares of the time that have
//                                         # passed when the first, second, … step of an execution begins:
//                                         # an MPI call, or a region inside
//
// The keys that follow give the error of the values; all or none of them. With the prefix `joules_` they are
// those of the energy.
//
//     points = 5                          # measured points
//     terms = "n^3; n^2"                  # the expression is the sum of coefficient × term
//     coefficients = "2.01 35"
//     covariance = "1e-6 -2e-4 0.05"      # of the coefficients: the lower triangle, row by row
//     residual_variance = 1e-5            # of the relative errors of single points
//     degrees_of_freedom = 3
//     growth_error = 0.02                 # optional: of values outside of the ranges: model.h
//     alternatives = "2.0 * n^3 + …; …"   # optional: expressions that fit about as well, and their
//     weights = "0.2 0.1"                 # weights; the expression itself has the rest of 1
//
// Three optional keys, all or none: the range of data in which the interval holds (model.h).
//
//     data_bytes = "81000 + 24 * n^2"     # data of the program
//     cache_bytes = 6291456               # all points fit in this cache
//     memory_wait = 4.5                   # most cycles of waits for memory, per cycle, once they do not fit
//
//     const ModelFile file = ModelFile::read("fits.toml");       // UserError with every problem
//     const Model& zgemm = file.find("zgemm", 1);                // UserError: unknown, or argument count
//     const Estimate time = zgemm.seconds(std::array{std::int64_t{512}});
//     time.value, time.standard_error, time.low, time.high, time.has_interval, time.extrapolated
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config/file_keys.h"
#include "predict/model.h"

namespace psim::predict {

/// Returns the keys of a table, "region.NAME.cycles".
FileKeys model_file_keys();

class ModelFile {
 public:
  /// Reads a file. Throws UserError with every problem: "fits.toml:4: region.zgemm.cycles = "…": column 7:
  /// …".
  static ModelFile read(const std::string& path);
  /// Does the same with the text of a file; `path` is for messages.
  static ModelFile parse(std::string_view text, const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<Model>& models() const { return models_; }
  /// Returns the model of a region, or null if there is none.
  const Model* find(std::string_view region) const;
  /// Does the same, but throws UserError if there is none (with the nearest name), or it has not this number
  /// of arguments.
  const Model& find(std::string_view region, std::size_t arguments) const;

 private:
  std::string path_;
  std::vector<Model> models_;  ///< in the order of the file
};

/// Returns the text of a file that reads back as the same models.
std::string model_file_text(const std::vector<RegionFit>& fits);

}  // namespace psim::predict
