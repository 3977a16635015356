// SPDX-License-Identifier: Apache-2.0
#include "pipeline/memory/l2_cache.h"

#include <algorithm>
#include <bit>

namespace psim::pipeline {

using sc_core::sc_time;
using tlm::tlm_generic_payload;

L2Stats::L2Stats(const L2Config& config, Ticks period)
    : outstanding(*this, "outstanding", "lines", "miss registers in use when a miss has taken one, with it",
                  config.miss_registers),
      path_busy(*this, "path_busy", "share of time", "the path to L1 carries a line", {path_ticks},
                {Run::Cycles}, 1.0 / static_cast<double>(period)) {}

L2Cache::L2Cache(const sc_core::sc_module_name& name, const L2Config& config, sc_time period)
    : LineRequester(name, config.line_bytes),
      config_(config),
      period_(period.value()),
      latency_(config.latency * period.value()),
      snoop_latency_(config.snoop_latency * period.value()),
      path_time_((config.line_bytes + config.bytes_per_cycle - 1) / config.bytes_per_cycle * period.value()),
      line_shift_(static_cast<std::uint32_t>(std::countr_zero(config.line_bytes))),
      tags_(config.bytes / config.line_bytes / config.ways, config.ways),
      miss_registers_(config.miss_registers),
      stats_(config, period.value()) {
  if (config.coherent) directory_.emplace(config.bytes / config.line_bytes / config.ways, config.ways);
  in_requests.register_nb_transport_fw(this, &L2Cache::nb_transport_fw);
  SC_HAS_PROCESS(L2Cache);
  SC_METHOD(respond_waiting);
  sensitive << respond_event_;
  dont_initialize();
}

tlm::tlm_sync_enum L2Cache::nb_transport_fw(int initiator, tlm_generic_payload& payload,
                                            tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return begin_request(initiator, payload, phase, delay);
  if (phase == tlm::END_RESP) {
    payload.release();
    channels_[static_cast<std::size_t>(initiator)].busy = false;
    respond_event_.notify(delay);
  }
  return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum L2Cache::begin_request(int initiator, tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                          sc_time& delay) {
  const Ticks now = kernel_ticks();
  const Ticks arrival = now + delay.value();
  const std::uint64_t line = payload.get_address() >> line_shift_;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_COMPLETED;
  if ((payload.get_address() + payload.get_data_length() - 1) >> line_shift_ != line) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  if (payload.is_write()) {
    delay = sc_time::from_value(write(line, arrival) - now);
    return tlm::TLM_COMPLETED;
  }
  const Ticks start = take_path(arrival);
  const Answer answer = read({&payload, initiator, start + latency_});
  if (answer.at != kUnknown) {
    if (auto* info = payload.get_extension<LineInfo>()) info->level = answer.level;
    delay = sc_time::from_value(answer.at - now);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  phase = tlm::END_REQ;
  delay = sc_time::from_value(start - now);
  return tlm::TLM_UPDATED;
}

Ticks L2Cache::take_path(Ticks arrival) {
  const Ticks start = std::max(arrival, path_free_);
  path_free_ = start + path_time_;
  stats_.path_ticks += path_time_;
  return start;
}

/// Returns the miss register of a line that is not there at `at`, or null.
L2Cache::MissRegister* L2Cache::under_way(std::uint64_t line, Ticks at) {
  if (latest_ready_ <= at && unknown_ == 0) return nullptr;
  for (MissRegister& reg : miss_registers_)
    if (reg.ready > at && reg.line == line) return &reg;
  return nullptr;
}

TagArray::Victim L2Cache::warm_read(std::uint64_t address) {
  const std::uint64_t line = address >> line_shift_;
  TagArray::Victim victim{};
  if (tags_.touch(line, false)) return victim;
  tags_.insert_over(
      line, [](std::uint64_t) { return true; }, victim);
  ++stats_.misses;
  if (victim.valid) ++stats_.evictions;
  return victim;
}

L2Cache::Answer L2Cache::read(const Reader& reader) {
  return directory_ ? read_coherent(reader) : look_up(reader);
}

/// Takes the line from the caches that the request conflicts with. Returns the earliest time of its answer.
Ticks L2Cache::settle_copies(std::uint64_t line, std::uint32_t own, bool write, Ticks at) {
  Directory::Entry* const entry = directory_->find(line);
  if (entry == nullptr) return at;
  if (write && (entry->holders & own) != 0 && !entry->exclusive) ++coherence_stats_.upgrades;
  const std::uint32_t others = entry->holders & ~own;
  if (others == 0 || (!write && !entry->exclusive)) return at;
  const Ticks settled = std::max(at, entry->settled) + snoop_latency_;
  bool dirty = false;
  for (std::uint32_t left = others; left != 0; left &= left - 1) {
    BackInvalidate& cache = *out_back_invalidate[std::countr_zero(left)];
    const std::uint64_t address = line << line_shift_;
    ++(write ? coherence_stats_.invalidations : coherence_stats_.downgrades);
    dirty |= write ? cache.back_invalidate(address, settled) : cache.share(address);
  }
  if (dirty) {
    ++coherence_stats_.forwards;
    tags_.touch(line, true);
  }
  entry->exclusive = false;
  if (write) entry->holders &= own;
  if (entry->settled > at) ++coherence_stats_.waits;
  return settled;
}

L2Cache::Answer L2Cache::read_coherent(Reader reader) {
  const std::uint64_t line = reader.payload->get_address() >> line_shift_;
  LineInfo* const info = reader.payload->get_extension<LineInfo>();
  const AccessKind kind = info != nullptr ? info->kind : AccessKind::Load;
  const bool write = kind == AccessKind::Store || kind == AccessKind::PrefetchWrite;
  const std::uint32_t own = std::uint32_t{1} << reader.initiator;
  reader.earliest = settle_copies(line, own, write, reader.earliest);
  const Answer answer = look_up(reader);
  if (!tags_.contains(line)) return answer;  // it waits for a way, and comes here again
  Directory::Entry& entry = directory_->of(line);
  entry.holders |= own;
  entry.exclusive = write || (entry.holders == own && kind != AccessKind::Fetch);
  if (answer.at != kUnknown) entry.settled = answer.at;
  if (info != nullptr) info->shared = !entry.exclusive;
  return answer;
}

L2Cache::Answer L2Cache::look_up(const Reader& reader) {
  const std::uint64_t line = reader.payload->get_address() >> line_shift_;
  const LineInfo* info = reader.payload->get_extension<LineInfo>();
  MissRegister* reg = nullptr;
  if (tags_.touch(line, false)) {
    reg = under_way(line, reader.earliest);
    ++(reg == nullptr ? stats_.hits : stats_.merges);
    if (reg == nullptr) return {reader.earliest, Level::L2};
  } else {
    std::uint32_t taken = config_.miss_registers;
    const Answer answer = miss(line, info != nullptr ? info->kind : AccessKind::Load, reader.earliest, taken);
    if (answer.at != kUnknown) return answer;
    if (taken == config_.miss_registers) {
      stalled_.push_back(reader);
      return answer;
    }
    reg = &miss_registers_[taken];
  }
  if (reg->ready != kUnknown) return {std::max(reg->ready, reader.earliest), reg->level};
  reg->readers.push_back(reader);
  return {kUnknown, Level::Memory};
}

/// Leaves `taken` unchanged if the times of the next free miss register and way are unknown.
L2Cache::Answer L2Cache::miss(std::uint64_t line, AccessKind kind, Ticks at, std::uint32_t& taken) {
  const auto free = std::min_element(miss_registers_.begin(), miss_registers_.end(),
                                     [](const auto& a, const auto& b) { return a.ready < b.ready; });
  if (free->ready == kUnknown) return {kUnknown, Level::Memory};
  Ticks leaves = std::max({at, free->ready, latest_to_memory_});
  // A line under way keeps its way, since L1 cannot yet be notified of its eviction.
  Ticks way_ready = kUnknown;
  TagArray::Victim victim{};
  for (;;) {
    const auto settled = [&](std::uint64_t old) {
      const MissRegister* reg = under_way(old, leaves);
      if (reg != nullptr) way_ready = std::min(way_ready, reg->ready);
      return reg == nullptr;
    };
    if (tags_.insert_over(line, settled, victim)) break;
    if (way_ready == kUnknown) return {kUnknown, Level::Memory};
    leaves = way_ready;
  }
  if (leaves > at) ++stats_.misses_delayed;
  ++stats_.misses;
  latest_to_memory_ = leaves;
  taken = static_cast<std::uint32_t>(free - miss_registers_.begin());
  stats_.outstanding.add(1 + static_cast<std::uint64_t>(std::count_if(
                                 miss_registers_.begin(), miss_registers_.end(),
                                 [leaves](const MissRegister& reg) { return reg.ready > leaves; })));
  free->line = line;
  free->missed = at - latency_;
  free->ready = kUnknown;
  ++unknown_;
  LineRequester::read(line << line_shift_, kind, taken, leaves);
  if (victim.valid) evict(victim, leaves);
  return {free->ready, free->level};
}

void L2Cache::evict(const TagArray::Victim& victim, Ticks at) {
  ++stats_.evictions;
  const std::uint64_t address = victim.line << line_shift_;
  bool above = false;
  const std::uint32_t holders = directory_ ? directory_->remove(victim.line) : ~std::uint32_t{0};
  for (int i = 0; i < out_back_invalidate.size(); ++i)
    if (holders >> i & 1) above |= out_back_invalidate[i]->back_invalidate(address, at);
  if (above) ++stats_.back_invalidates;
  if (!above && !victim.dirty) return;
  ++stats_.write_backs;
  LineRequester::write(address, at);
}

Ticks L2Cache::snoop(std::uint64_t address, Snoop kind, Ticks at) {
  const std::uint64_t line = address >> line_shift_;
  if (!tags_.contains(line)) return at;  // not in the caches above either
  ++stats_.snoops;
  bool dirty = tags_.clean(line);
  for (int i = 0; i < out_back_invalidate.size(); ++i)
    dirty |= out_back_invalidate[i]->back_invalidate(line << line_shift_, at);
  if (directory_) directory_->remove(line);
  if (kind != Snoop::Read) tags_.remove(line);
  if (!dirty || kind == Snoop::Overwrite) return at;
  ++stats_.write_backs;
  latest_to_memory_ = std::max(latest_to_memory_, at);
  LineRequester::write(line << line_shift_, latest_to_memory_);
  return latest_to_memory_;
}

/// Returns the time at which the path has accepted the line.
Ticks L2Cache::write(std::uint64_t line, Ticks arrival) {
  ++stats_.writes;
  const Ticks start = take_path(arrival);
  if (!tags_.touch(line, true)) {
    ++stats_.write_backs;
    latest_to_memory_ = std::max(latest_to_memory_, start + latency_);
    LineRequester::write(line << line_shift_, latest_to_memory_);
  }
  return start + path_time_;
}

void L2Cache::arrived(std::uint32_t miss_register, Level level, Ticks at, bool at_once) {
  MissRegister& reg = miss_registers_[miss_register];
  reg.ready = at;
  reg.level = level;
  stats_.miss_latency.add((at - reg.missed) / period_);
  --unknown_;
  latest_ready_ = std::max(latest_ready_, at);
  if (at_once) return;
  for (const Reader& reader : reg.readers)
    respond({reader.payload, reader.initiator, std::max(reader.earliest, at)});
  reg.readers.clear();
  serve_stalled();
}

void L2Cache::serve_stalled() {
  for (std::size_t left = stalled_.size(); left > 0; --left) {
    const Reader reader = stalled_.front();
    stalled_.pop_front();
    const Answer answer = read(reader);
    if (answer.at == kUnknown) continue;
    if (auto* info = reader.payload->get_extension<LineInfo>()) info->level = answer.level;
    respond({reader.payload, reader.initiator, answer.at});
  }
}

void L2Cache::respond(const Reader& reader) {
  const auto initiator = static_cast<std::size_t>(reader.initiator);
  if (channels_.size() <= initiator) channels_.resize(initiator + 1);
  if (channels_[initiator].busy) {
    channels_[initiator].waiting.push_back(reader);
    return;
  }
  const Ticks now = kernel_ticks();
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = sc_time::from_value(std::max(reader.earliest, now) - now);
  reader.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  const tlm::tlm_sync_enum status =
      in_requests[reader.initiator]->nb_transport_bw(*reader.payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    reader.payload->release();
  else
    channels_[initiator].busy = true;
}

void L2Cache::respond_waiting() {
  for (ResponseChannel& channel : channels_) {
    while (!channel.busy && !channel.waiting.empty()) {
      const Reader reader = channel.waiting.front();
      channel.waiting.pop_front();
      respond(reader);
    }
  }
}

}  // namespace psim::pipeline
