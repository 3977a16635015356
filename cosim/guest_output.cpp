// SPDX-License-Identifier: Apache-2.0
#include "cosim/guest_output.h"

#include "cosim/present.h"

namespace psim::cosim {
namespace {

constexpr std::size_t kMostHeldText = 64 * 1024;
constexpr std::uint64_t kEndOfText = ~std::uint64_t{0} >> 2;

Picoseconds at_time(std::uint64_t ps) { return Picoseconds{static_cast<std::int64_t>(ps)}; }

}  // namespace

GuestOutput::GuestOutput(std::uint32_t ranks, net::HostProcesses& processes, Print print)
    : ranks_(ranks), processes_(processes), print_(std::move(print)) {}

void GuestOutput::add(net::Printed piece) {
  if (processes_.first())
    order_.add(piece.time, piece.rank, piece.stream, piece.text);
  else
    for_first_.push_back(std::move(piece));
}

void GuestOutput::write_node(std::uint64_t time, std::uint32_t node, net::Stream stream,
                             std::string_view text) {
  const net::RankId source{ranks_ + node};
  if (stream == net::Stream::Error) return add({at_time(time), source, stream, std::string(text)});
  std::string& held = held_[node];
  held += text;
  const std::size_t lines = held.size() < kMostHeldText ? held.rfind('\n') + 1 : held.size();  // 0: none ends
  if (lines == 0) return;
  add({at_time(time), source, stream, held.substr(0, lines)});
  held.erase(0, lines);
}

void GuestOutput::write_rank(std::uint64_t time, std::uint32_t rank, net::Stream stream,
                             std::string_view text) {
  add({at_time(time), net::RankId{rank}, stream, std::string(text)});
}

void GuestOutput::print_before(std::uint64_t time) {
  for (const net::Printed& piece : order_.take_before(at_time(time)))
    print_(net::index(piece.rank), piece.stream, piece.text);
}

void GuestOutput::flush() {
  if (ranks_ == 0 && processes_.size() == 1) print_before(present_ps());
}

void GuestOutput::finish() {
  for (const auto& [node, text] : held_)
    if (!text.empty()) add({at_time(kEndOfText), net::RankId{ranks_ + node}, net::Stream::Out, text});
  held_.clear();
  processes_.gather([&](net::Parcel& parcel) { write(0, parcel); },
                    [&](net::Parcel& parcel) { read(0, parcel); });
  print_before(kEndOfText + 1);
}

// Every node has run up to SystemC's present, at which processes agree on a window.
net::Votes GuestOutput::votes() {
  complete_ = present_ps();
  return {};
}

bool GuestOutput::should_continue(std::uint64_t, const net::Votes&) {
  print_before(complete_);
  return true;
}

void GuestOutput::write(std::uint32_t process, net::Parcel& parcel) {
  if (process != 0) return;
  parcel.put(std::uint64_t{for_first_.size()});
  for (const net::Printed& piece : for_first_) {
    parcel.put(piece.time);
    parcel.put(piece.rank);
    parcel.put(piece.stream);
    parcel.put_text(piece.text);
  }
  for_first_.clear();
}

void GuestOutput::read(std::uint32_t, net::Parcel& parcel) {
  if (!processes_.first()) return;
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    net::Printed piece;
    piece.time = parcel.take<Picoseconds>();
    piece.rank = parcel.take<net::RankId>();
    piece.stream = parcel.take<net::Stream>();
    piece.text = parcel.take_text();
    add(std::move(piece));
  }
}

}  // namespace psim::cosim
