// SPDX-License-Identifier: Apache-2.0
#include "cosim/rank_stretches.h"

#include <cstddef>

namespace psim::cosim {

RankCounts& RankCounts::operator+=(const RankCounts& other) {
  cycles += other.cycles;
  asleep += other.asleep;
  instructions += other.instructions;
  flops += other.flops;
  memory_bytes += other.memory_bytes;
  sent_bytes += other.sent_bytes;
  received_bytes += other.received_bytes;
  for (std::size_t part = 0; part < cpi.size(); ++part) cpi[part] += other.cpi[part];
  return *this;
}

RankCounts RankCounts::between(const RankCounts& from, const RankCounts& to) {
  return {.cycles = to.cycles - from.cycles,
          .asleep = to.asleep - from.asleep,
          .instructions = to.instructions - from.instructions,
          .flops = to.flops - from.flops,
          .memory_bytes = to.memory_bytes - from.memory_bytes,
          .sent_bytes = to.sent_bytes - from.sent_bytes,
          .received_bytes = to.received_bytes - from.received_bytes,
          .cpi = pipeline::CpiAccount::between(from.cpi, to.cpi)};
}

void join_stretches(Stretch& into, const Stretch& next) {
  if (into.place == next.place) {
    into.there += next.there;
  } else if (next.there > into.there) {
    into.place = next.place;
    into.there = next.there;
  }
  into.end = next.end;
  into.counts += next.counts;
}

void RankStretches::write(net::Parcel& parcel) const {
  parcel.put(std::uint64_t{places.size()});
  for (const auto& [region, call] : places) {
    parcel.put_text(region);
    parcel.put_text(call);
  }
  parcel.put_all(stretches);
}

RankStretches RankStretches::read(net::Parcel& parcel) {
  RankStretches all;
  all.places.resize(parcel.take<std::uint64_t>());
  for (auto& [region, call] : all.places) {
    region = parcel.take_text();
    call = parcel.take_text();
  }
  all.stretches = parcel.take_all<Stretch>();
  return all;
}

}  // namespace psim::cosim
