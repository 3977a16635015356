// SPDX-License-Identifier: Apache-2.0
// For tests: a memory model that answers by all four phases of the base protocol, of any number of
// initiators: END_REQ after 4 ns, BEGIN_RESP 60 ns after the request. b_transport() annotates 60 ns.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include <map>
#include <systemc>

#include "pipeline/memory/memory_model.h"

namespace psim::pipeline::testing {

class LateMemory final : public MemoryModel {
 public:
  explicit LateMemory(const sc_core::sc_module_name& name)
      : MemoryModel(name), queue_(this, &LateMemory::phase_due) {
    in_requests_.register_nb_transport_fw(this, &LateMemory::nb_transport_fw);
    in_requests_.register_b_transport(this, &LateMemory::b_transport);
  }
  Requests& requests() override { return in_requests_; }
  const MemoryStats& stats() const override { return stats_; }

 private:
  static sc_core::sc_time latency() { return {60, sc_core::SC_NS}; }

  tlm::tlm_sync_enum nb_transport_fw(int initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    payload.acquire();
    initiators_[&payload] = initiator;
    stats_.count(payload, 0);
    queue_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    stats_.count(payload, 0);
    delay += latency();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void phase_due(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& due) {
    if (due == tlm::BEGIN_REQ) {
      queue_.notify(payload, tlm::END_REQ, sc_core::sc_time(4, sc_core::SC_NS));
      queue_.notify(payload, tlm::BEGIN_RESP, latency());
      return;
    }
    if (due == tlm::BEGIN_RESP) payload.set_response_status(tlm::TLM_OK_RESPONSE);
    sc_core::sc_time none = sc_core::SC_ZERO_TIME;
    tlm::tlm_phase phase = due;
    in_requests_[initiators_.at(&payload)]->nb_transport_bw(payload, phase, none);
    if (due != tlm::BEGIN_RESP) return;
    initiators_.erase(&payload);
    payload.release();
  }

  tlm_utils::multi_passthrough_target_socket<LateMemory> in_requests_{"in_requests"};
  tlm_utils::peq_with_cb_and_phase<LateMemory> queue_;
  std::map<tlm::tlm_generic_payload*, int> initiators_;
  MemoryStats stats_;
};

}  // namespace psim::pipeline::testing
