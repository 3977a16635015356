// SPDX-License-Identifier: Apache-2.0
#include "isa/state/simd_config_schema.h"

namespace psim::isa {

void describe(Schema& schema, SimdConfig& config) {
  constexpr const char* kPaper = "paper 003 table 1";
  schema.section("simd", "SIMD-PEs");
  schema.add("simd.pes", config.pes, {0, kMostPes}, "SIMD-PEs, in pairs; 0: a core without", kPaper);
  schema.add("simd.sbm_bytes", config.sbm_bytes, Dimension::Size, {4096, 1 << 20, kPowerOfTwo},
             "SBM of each PE", kPaper);
  schema.add("simd.data_window", config.data_window, {0xF000'0000, 0xF01F'F000},
             "address of the data window, a multiple of sbm_bytes", kAssumption);
  schema.add(
      "simd.divergence", config.divergence, {{"error", Divergence::Error}, {"pe0", Divergence::Pe0}},
      "when PEs disagree on a condition or a value that the scalar part needs: a precise exception, or the "
      "value of the lowest enabled PE for all; pe0 gives wrong results in general, without a message",
      kAssumption);
  schema.add("simd.transfer_race", config.transfer_race,
             {{"error", TransferRace::Error}, {"ignore", TransferRace::Ignore}},
             "when a program touches SBM that a transfer, not yet waited for, reads or writes", kAssumption);
  schema.rule(
      {"simd.pes"}, [&config] { return config.pes % 2 == 0; }, "the number of PEs must be even");
  schema.rule(
      {"simd.data_window", "simd.sbm_bytes"},
      [&config] {
        return config.data_window % config.sbm_bytes == 0 &&
               config.data_window + config.sbm_bytes <= 0xF020'0000;
      },
      "the window must be a multiple of sbm_bytes and end below 0xF0200000");
}

}  // namespace psim::isa
