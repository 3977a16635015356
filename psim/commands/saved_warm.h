// SPDX-License-Identifier: Apache-2.0
// psim run --save-warm and --from-warm: the warm state of a sampled run's windows in a file, and the checks
// that a file belongs to the run that uses it (docs/warm-state.md).
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/result_document.h"
#include "guest/guest_program.h"
#include "machines/machine.h"
#include "pipeline/sampling/warm_file.h"
#include "psim/commands/guest_result.h"
#include "psim/commands/sample_options.h"

namespace psim::commands {

/// The identity of a run for its warm state: everything that its windows depend on, except for the plan of
/// the sample.
nlohmann::ordered_json warm_identity(const std::vector<std::string>& words, const GuestProgram& guest,
                                     const isa::Process& process, const Machine& machine, std::uint64_t seed,
                                     std::uint64_t max_instructions);

/// Returns the file of --save-warm or --from-warm: `path`, or, if it is a folder, a name in it that follows
/// from program and identity.
std::string warm_path(const std::string& path, const std::vector<std::string>& words,
                      const nlohmann::ordered_json& identity);

/// A run that saves its windows.
struct WarmSaving {
  std::string path;
  std::unique_ptr<pipeline::WarmFileWriter> file;
  isa::trace::Properties properties;
  pipeline::WarmSummary summary;  ///< set by CoreRun::sample()
};
/// Publishes the file of a run that has ended. `result` holds its inputs.
void finish_saving(WarmSaving& saving, const nlohmann::ordered_json& identity, const SampleOptions& options,
                   std::uint64_t last_period, ResultDocument& result, const GuestEnding& ending);

/// A file whose windows replace the program.
struct WarmSource {
  explicit WarmSource(const std::string& path);
  pipeline::WarmFile file;
  nlohmann::ordered_json description;

  /// Throws UserError with one line unless the file is of the same program, inputs and warm state, and takes
  /// the plan of the sample over into `options`. Reads standard input as the program did.
  void check(const nlohmann::ordered_json& identity, isa::Process& process, SampleOptions& options) const;
  GuestEnding ending() const;
  std::uint64_t last_period() const { return description.at("sample").at("last_period"); }
};

}  // namespace psim::commands
