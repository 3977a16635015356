// SPDX-License-Identifier: Apache-2.0
#include "ranks/job/out_of_band_messages.h"

#include <utility>

namespace psim::net {

std::uint64_t OutOfBandMessages::send(std::uint32_t process, Message message) {
  const std::uint64_t token = kMark | std::uint64_t{here_} << kCountBits | sent_++;
  if (process == here_) {
    coming_.emplace(token, std::move(message));
    return token;
  }
  Leaving& leaving = leaving_[process];
  ++leaving.count;
  leaving.parcel.put(token);
  leaving.parcel.put(message.envelope);
  leaving.parcel.put(message.sent);
  leaving.parcel.put_all(message.data);
  return token;
}

OutOfBandMessages::Message OutOfBandMessages::take(std::uint64_t token) {
  return std::move(coming_.extract(token).mapped());
}

void OutOfBandMessages::write(std::uint32_t process, Parcel& parcel) {
  Leaving& leaving = leaving_[process];
  parcel.put(leaving.count);
  parcel.put(leaving.parcel.bytes().data(), leaving.parcel.bytes().size());
  leaving.count = 0;
  leaving.parcel.clear();
}

void OutOfBandMessages::read(Parcel& parcel) {
  for (auto left = parcel.take<std::uint64_t>(); left != 0; --left) {
    const auto token = parcel.take<std::uint64_t>();
    Message& message = coming_[token];
    message.envelope = parcel.take<Envelope>();
    message.sent = parcel.take<std::uint64_t>();
    message.data = parcel.take_all<std::byte>();
  }
}

}  // namespace psim::net
