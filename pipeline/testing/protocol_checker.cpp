// SPDX-License-Identifier: Apache-2.0
#include "pipeline/testing/protocol_checker.h"

namespace psim::pipeline::testing {

using sc_core::sc_time;
using sc_core::sc_time_stamp;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

ProtocolChecker::ProtocolChecker(const sc_core::sc_module_name& name) : sc_module(name) {
  in.register_nb_transport_fw(this, &ProtocolChecker::nb_transport_fw);
  out.register_nb_transport_bw(this, &ProtocolChecker::nb_transport_bw);
}

void ProtocolChecker::expect(bool holds, const char* rule) {
  if (!holds) violations.push_back(sc_time_stamp().to_string() + " " + name() + ": " + rule);
}

void ProtocolChecker::begin(tlm_generic_payload& payload, const sc_time& at) {
  expect(!state_.contains(&payload), "BEGIN_REQ of a payload in flight");
  expect(requesting_ == nullptr, "BEGIN_REQ before END_REQ of the request before");
  expect(payload.has_mm(), "a non-blocking payload needs a memory manager");
  expect(payload.get_ref_count() >= 1, "the initiator holds no reference");
  expect(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE,
         "response status set before the request");
  expect(payload.get_data_ptr() != nullptr && payload.get_data_length() > 0, "no data");
  expect(payload.get_streaming_width() > 0, "streaming width 0");
  state_[&payload] = {State::Requested, payload.get_command(), payload.get_address(),
                      payload.get_data_length(), at};
  requesting_ = &payload;
  ++transactions;
}

void ProtocolChecker::from_target(tlm_generic_payload& payload, const tlm_phase& phase, const sc_time& at) {
  const auto found = state_.find(&payload);
  if (found == state_.end()) return expect(false, "a phase of a payload that is not in flight");
  Seen& seen = found->second;
  expect(payload.get_ref_count() >= 1, "the payload was freed in flight");
  expect(at >= seen.at, "annotated time went back");
  expect(payload.get_command() == seen.command && payload.get_address() == seen.address &&
             payload.get_data_length() == seen.length,
         "an attribute changed in flight");
  seen.at = at;
  if (phase == tlm::END_REQ) {
    expect(seen.state == State::Requested, "END_REQ twice or after BEGIN_RESP");
    seen.state = State::Accepted;
  } else if (phase == tlm::BEGIN_RESP) {
    expect(seen.state != State::Responding, "BEGIN_RESP twice");
    expect(responding_ == nullptr, "BEGIN_RESP before END_RESP of the response before");
    expect(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE,
           "BEGIN_RESP without a response status");
    seen.state = State::Responding;
    responding_ = &payload;
  } else {
    expect(false, "a target may send END_REQ and BEGIN_RESP only");
  }
  if (requesting_ == &payload) requesting_ = nullptr;
}

void ProtocolChecker::finish(tlm_generic_payload& payload) {
  expect(payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE,
         "completed without a response status");
  state_.erase(&payload);
  if (requesting_ == &payload) requesting_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase,
                                                    sc_time& delay) {
  const sc_time called = sc_time_stamp() + delay;
  const bool begins = phase == tlm::BEGIN_REQ;
  if (begins) {
    begin(payload, called);
  } else {
    const auto found = state_.find(&payload);
    expect(phase == tlm::END_RESP, "an initiator may send BEGIN_REQ and END_RESP only");
    expect(found != state_.end() && found->second.state == State::Responding, "END_RESP without BEGIN_RESP");
    expect(found == state_.end() || called >= found->second.at, "annotated time went back");
    finish(payload);
  }
  const tlm::tlm_sync_enum status = out->nb_transport_fw(payload, phase, delay);
  expect(sc_time_stamp() + delay >= called, "the target took time back");
  if (!begins) return status;
  if (status == tlm::TLM_COMPLETED) {
    ++completed_at_once;
    finish(payload);
  } else if (status == tlm::TLM_UPDATED) {
    from_target(payload, phase, sc_time_stamp() + delay);
  }
  return status;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase,
                                                    sc_time& delay) {
  from_target(payload, phase, sc_time_stamp() + delay);
  payload.acquire();  // the initiator releases it within the call
  const tlm::tlm_sync_enum status = in->nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) finish(payload);
  payload.release();
  return status;
}

}  // namespace psim::pipeline::testing
