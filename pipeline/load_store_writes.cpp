// SPDX-License-Identifier: Apache-2.0
// The writes of the committed stores of LoadStoreUnit, in order: to L1, the SBM or a device.
#include "pipeline/activity_counter.h"
#include "pipeline/load_store_unit.h"

namespace psim::pipeline {

bool LoadStoreUnit::drain(std::uint64_t now) { return store_waits_ ? request_ahead(now) : write_oldest(now); }

/// Returns true if a store goes to the device. No stretch with one is repeated, as it leaves the core.
inline bool LoadStoreUnit::to_device(const StoreQueue::Store& store) const {
  if (!leads_to_device(store.address)) return false;
  if (tape_ != nullptr) tape_->lose();
  return true;
}

bool LoadStoreUnit::write_oldest(std::uint64_t now) {
  if (stores_.oldest().sbm) {
    for (std::uint32_t n = 0; n < sbm_stores_ && stores_.any_committed() && stores_.oldest().sbm; ++n)
      written();
    return true;
  }
  if (store_arrived_) {  // written with the fill of its line, which L2 may have taken back already
    store_arrived_ = false;
    written();
    return true;
  }
  if (store_retry_.cycle > now) return false;
  const StoreQueue::Store& store = stores_.oldest();
  if (to_device(store)) {
    store_to_device(store.address, store.bytes, now);
    written();
    return true;
  }
  const Access access = to_cache(store.sequence, store.address, store.bytes, AccessKind::Store, now,
                                 kStoreToken, store_retry_.translated <= now);
  if (access.outcome == Outcome::Refused) {
    store_retry_.refused(access, now);
    return false;
  }
  if (activity_) ++activity_->counts.data_writes[static_cast<std::size_t>(isa::LatencyClass::Store)];
  if (access.outcome == Outcome::Hit) {
    written();
    return true;
  }
  stores_.missed(0);
  store_waits_ = true;
  if (requested_ahead_ == 0) requested_ahead_ = 1, ahead_retry_ = {};
  return true;
}

/// Requests the line of the next committed store, for ownership, while the oldest store waits for its own.
bool LoadStoreUnit::request_ahead(std::uint64_t now) {
  if (requested_ahead_ >= stores_.committed() || ahead_retry_.cycle > now) return false;
  const StoreQueue::Store& next = stores_.committed_at(requested_ahead_);
  if (!next.sbm && !to_device(next)) {
    const Access access = to_cache(next.sequence, next.address, next.bytes, AccessKind::PrefetchWrite, now, 0,
                                   ahead_retry_.translated <= now);
    if (access.outcome == Outcome::Refused) {
      ahead_retry_.refused(access, now);
      return false;
    }
    if (access.outcome == Outcome::Miss) stores_.missed(requested_ahead_);
    if (activity_) ++activity_->counts.data_reads[static_cast<std::size_t>(isa::LatencyClass::Store)];
  }
  ++requested_ahead_;
  ahead_retry_ = {};
  return true;
}

/// Removes the oldest store after it has been written.
void LoadStoreUnit::written() {
  if (profile_ && stores_.oldest().missed)
    profile_->store_missed(stores_.oldest().pc, stores_.oldest().from_memory);
  stores_.written();
  if (requested_ahead_)
    --requested_ahead_;
  else
    ahead_retry_ = {};
  store_retry_ = {};
}

}  // namespace psim::pipeline
