// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/line_requester.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace psim::pipeline {

using sc_core::sc_time;

namespace {
constexpr std::uint32_t kUnanswered = ~std::uint32_t{0};
}

LineRequester::LineRequester(const sc_core::sc_module_name& name, std::uint32_t line_bytes)
    : sc_module(name), line_bytes_(line_bytes) {
  out_lines.register_nb_transport_bw(this, &LineRequester::nb_transport_bw);
  SC_HAS_PROCESS(LineRequester);
  SC_METHOD(transmit_queued);
  sensitive << transmit_event_;
  dont_initialize();
}

void LineRequester::read(std::uint64_t address, AccessKind kind, std::uint32_t user, Ticks at) {
  tlm::tlm_generic_payload& payload = pool_.acquire(tlm::TLM_READ_COMMAND, address, line_bytes_);
  LineInfo* info = payload.get_extension<LineInfo>();
  info->kind = kind;
  info->user = user;
  info->shared = false;
  info->level = Level::Memory;  // the value of a target without our extension
  submit(payload, at);
}

void LineRequester::write(std::uint64_t address, Ticks at) { write_answered(address, kUnanswered, at); }

void LineRequester::write_answered(std::uint64_t address, std::uint32_t user, Ticks at) {
  tlm::tlm_generic_payload& payload = pool_.acquire(tlm::TLM_WRITE_COMMAND, address, line_bytes_);
  payload.get_extension<LineInfo>()->user = user;
  submit(payload, at);
}

void LineRequester::submit(tlm::tlm_generic_payload& payload, Ticks at) {
  if (unaccepted_ != nullptr || !queue_.empty())
    queue_.push_back({&payload, at});
  else
    transmit(payload, std::max(at, accepted_at_));
}

void LineRequester::transmit(tlm::tlm_generic_payload& payload, Ticks at) {
  const Ticks now = kernel_ticks();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = sc_time::from_value(std::max(at, now) - now);
  unaccepted_ = &payload;
  const tlm::tlm_sync_enum status = out_lines->nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  unaccepted_ = nullptr;
  const Ticks then = now + delay.value();
  if (status == tlm::TLM_COMPLETED) {
    answered(payload, then, true);
  } else if (phase == tlm::END_REQ) {
    accepted_at_ = then;
  } else if (phase == tlm::BEGIN_RESP) {
    phase = tlm::END_RESP;
    out_lines->nb_transport_fw(payload, phase, delay);
    answered(payload, then, true);
  } else {
    throw std::logic_error(std::string(name()) + ": a target answered BEGIN_REQ by an unknown phase");
  }
}

void LineRequester::request_accepted(Ticks at) {
  unaccepted_ = nullptr;
  accepted_at_ = at;
  // By an event, since the target is still in the middle of its call here.
  if (!queue_.empty()) transmit_event_.notify(sc_time::from_value(at - kernel_ticks()));
}

void LineRequester::transmit_queued() {
  while (unaccepted_ == nullptr && !queue_.empty()) {
    const Queued next = queue_.front();
    queue_.pop_front();
    transmit(*next.payload, std::max(next.at, accepted_at_));
  }
}

void LineRequester::answered(tlm::tlm_generic_payload& payload, Ticks at, bool at_once) {
  if (payload.is_response_error())
    throw std::runtime_error(std::string(name()) + ": " + payload.get_response_string() +
                             " for the line at " + std::to_string(payload.get_address()));
  const LineInfo info = *payload.get_extension<LineInfo>();
  payload.release();
  shared_ = info.shared;
  if (info.user != kUnanswered) arrived(info.user, info.level, at, at_once);
}

tlm::tlm_sync_enum LineRequester::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_time& delay) {
  const Ticks at = kernel_ticks() + delay.value();
  if (unaccepted_ == &payload) request_accepted(at);  // by END_REQ, or by BEGIN_RESP, which implies it
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  answered(payload, at, false);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

}  // namespace psim::pipeline
