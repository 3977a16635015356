// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/memory_controller.h"

#include <algorithm>

namespace psim::pipeline {

using sc_core::sc_time;

namespace {
constexpr std::uint64_t kBankBytes = 64;  // of neighbouring addresses in a bank
}

ControllerStats::ControllerStats(Ticks period)
    : bus_busy(*this, "bus_busy", "share of time", "the bus carries data", {bus_ticks}, {Run::Cycles},
               1.0 / static_cast<double>(period)) {}

MemoryController::MemoryController(const sc_core::sc_module_name& name, const MemoryConfig& config,
                                   const sc_time& period)
    : MemoryModel(name),
      config_(config),
      period_(period.value()),
      latency_(config.latency * period.value()),
      ticks_per_second_(sc_time(1, sc_core::SC_SEC).value()),
      bank_busy_(config.bank_busy * period.value()),
      bank_free_(config.banks, 0),
      answers_(config.outstanding, 0),
      stats_(period.value()) {
  in_requests.register_nb_transport_fw(this, &MemoryController::nb_transport_fw);
  in_requests.register_b_transport(this, &MemoryController::b_transport);
}

Ticks MemoryController::bus_time(std::uint64_t bytes) {
  if (bytes != bus_bytes_) {
    using Wide = unsigned __int128;
    const Wide scaled = static_cast<Wide>(bytes) * ticks_per_second_;
    bus_bytes_ = bytes;
    bus_ticks_ = static_cast<Ticks>((scaled + config_.bytes_per_second - 1) / config_.bytes_per_second);
  }
  return bus_ticks_;
}

void MemoryController::serve(tlm::tlm_generic_payload& payload, sc_time& delay) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  const Ticks now = kernel_ticks();
  const Ticks arrival = now + delay.value();
  const Ticks busy = bus_time(payload.get_data_length());
  Ticks start = std::max(arrival, bus_free_);
  Ticks done = 0;
  Ticks* bank = nullptr;
  if (bank_busy_ != 0) {
    bank = &bank_free_[payload.get_address() / kBankBytes % bank_free_.size()];
    start = std::max(start, *bank);
  }
  if (payload.is_read()) {
    Ticks& slot = answers_[oldest_answer_];
    if (++oldest_answer_ == answers_.size()) oldest_answer_ = 0;
    start = std::max(start, slot);
    done = slot = start + std::max(latency_, busy);
  } else {
    done = start + busy;
  }
  bus_free_ = start + busy;
  if (bank != nullptr) *bank = start + bank_busy_;
  stats_.bus_ticks += busy;
  stats_.count(payload, (start - arrival) / period_);
  if (auto* info = payload.get_extension<LineInfo>()) info->level = Level::Memory;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  delay = sc_time::from_value(done - now);
}

tlm::tlm_sync_enum MemoryController::nb_transport_fw(int, tlm::tlm_generic_payload& payload,
                                                     tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) serve(payload, delay);
  return tlm::TLM_COMPLETED;
}

void MemoryController::b_transport(int, tlm::tlm_generic_payload& payload, sc_time& delay) {
  serve(payload, delay);
}

}  // namespace psim::pipeline
