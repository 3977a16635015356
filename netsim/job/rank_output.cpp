// SPDX-License-Identifier: Apache-2.0
#include "netsim/job/rank_output.h"

namespace psim::net {

void RankOutput::write(std::uint32_t rank, Stream stream, std::string_view text) {
  const Picoseconds now{static_cast<std::int64_t>(engine_->now() + *ahead_)};
  if (prints_)
    order_.add(now, RankId{rank}, stream, text);
  else
    for_first_.push_back({now, RankId{rank}, stream, std::string(text)});
}

void RankOutput::print_before(std::uint64_t time) {
  for (const Printed& piece : order_.take_before(Picoseconds{static_cast<std::int64_t>(time)}))
    print_(piece.rank, piece.stream, piece.text);
}

void RankOutput::write(Parcel& parcel) {
  parcel.put(std::uint64_t{for_first_.size()});
  for (const Printed& piece : for_first_) {
    parcel.put(piece.time);
    parcel.put(piece.rank);
    parcel.put(piece.stream);
    parcel.put_text(piece.text);
  }
  for_first_.clear();
}

void RankOutput::read(Parcel& parcel) {
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    const auto time = parcel.take<Picoseconds>();
    const auto rank = parcel.take<RankId>();
    const auto stream = parcel.take<Stream>();
    order_.add(time, rank, stream, parcel.take_text());
  }
}

}  // namespace psim::net
