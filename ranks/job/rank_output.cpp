// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/rank_output.h"

namespace psim::net {

void RankOutput::write(std::uint32_t rank, Stream stream, std::string_view text) {
  if (stream == Stream::Error) return add(now(), rank, stream, text);
  const std::size_t lines = text.rfind('\n') + 1;  // 0: none ends
  const auto held = held_.find(rank);
  if (held != held_.end()) {
    held->second += text.substr(0, lines == 0 ? text.size() : lines);
    if (lines == 0 && held->second.size() < kMostHeld) return;
    add(now(), rank, stream, held->second);
    held_.erase(held);
    if (lines == 0) return;
  } else if (lines != 0) {
    add(now(), rank, stream, text.substr(0, lines));
  }
  if (lines < text.size()) held_[rank] = text.substr(lines);
}

void RankOutput::end(std::uint32_t rank) {
  const auto held = held_.find(rank);
  if (held == held_.end()) return;
  add(now(), rank, Stream::Out, held->second);
  held_.erase(held);
}

void RankOutput::end_all() {
  for (const auto& [rank, text] : held_) add(Picoseconds::max() / 2, rank, Stream::Out, text);
  held_.clear();
}

void RankOutput::add(Picoseconds time, std::uint32_t rank, Stream stream, std::string_view text) {
  if (prints_)
    order_.add(time, RankId{rank}, stream, text);
  else
    for_first_.push_back({time, RankId{rank}, stream, std::string(text)});
}

void RankOutput::print_before(std::uint64_t time) {
  for (const Printed& piece : order_.take_before(Picoseconds{static_cast<std::int64_t>(time)})) {
    printed_at_ = static_cast<std::uint64_t>(piece.time.count());
    print_(piece.rank, piece.stream, piece.text);
  }
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
