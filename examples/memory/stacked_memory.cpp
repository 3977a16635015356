// SPDX-License-Identifier: Apache-2.0
#include "stacked_memory.h"

#include <algorithm>

using sc_core::sc_time;

namespace {
sc_time nanoseconds(std::uint64_t count) { return sc_time(static_cast<double>(count), sc_core::SC_NS); }
}  // namespace

StackedMemory::StackedMemory(const sc_core::sc_module_name& name, const StackConfig& config,
                             const sc_time& period)
    : MemoryModel(name),
      config_(config),
      period_(period),
      path_(nanoseconds(config.path_ns)),
      precharge_(nanoseconds(config.precharge_ns)),
      activate_(nanoseconds(config.activate_ns)),
      access_(nanoseconds(config.access_ns)),
      channels_(config.channels, Channel{std::vector<Bank>(config.banks), {}}) {
  in_requests.register_nb_transport_fw(this, &StackedMemory::nb_transport_fw);
  in_requests.register_b_transport(this, &StackedMemory::b_transport);
}

sc_time StackedMemory::open(Bank& bank, std::uint64_t row) {
  const bool closed = bank.row == kClosed, hit = bank.row == row;
  bank.row = row;
  if (hit) ++stats_.row_hits;
  if (!hit && !closed) ++stats_.row_conflicts;
  return hit ? sc_core::SC_ZERO_TIME : closed ? activate_ : precharge_ + activate_;
}

/// All times are known when a request arrives, so that it is answered at once, with an annotated delay.
void StackedMemory::b_transport(int, tlm::tlm_generic_payload& payload, sc_time& delay) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  const std::uint64_t block = payload.get_address() / config_.interleave;
  const std::uint64_t row_of_channel = block / config_.channels * config_.interleave / config_.row_bytes;
  Channel& channel = channels_[block % config_.channels];
  Bank& bank = channel.banks[row_of_channel % config_.banks];

  const sc_time now = sc_core::sc_time_stamp(), arrival = now + delay + path_;
  const sc_time opening = open(bank, row_of_channel / config_.banks);
  const sc_time data = std::max(std::max(arrival, bank.free) + opening + access_, channel.bus_free);
  const sc_time burst(
      static_cast<double>(payload.get_data_length()) / static_cast<double>(config_.bytes_per_second),
      sc_core::SC_SEC);
  channel.bus_free = data + burst;
  bank.free = data - access_ + burst;  // the next column of the row follows on the bus
  stats_.count(payload, static_cast<std::uint64_t>((data - arrival - opening - access_) / period_));
  delay = data + burst + path_ - now;
}

tlm::tlm_sync_enum StackedMemory::nb_transport_fw(int initiator, tlm::tlm_generic_payload& payload,
                                                  tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) b_transport(initiator, payload, delay);
  return tlm::TLM_COMPLETED;
}
