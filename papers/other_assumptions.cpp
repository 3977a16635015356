// SPDX-License-Identifier: Apache-2.0
#include "papers/other_assumptions.h"

#include <nlohmann/json.hpp>

#include "papers/kernel_files.h"

namespace psim::reproduce {
namespace {

constexpr const char* kSlowMemory = "memory.bytes_per_second=10.667 GB/s";  // DDR3-1333: one channel

std::vector<std::string> with(std::vector<std::string> settings, const char* one) {
  settings.emplace_back(one);
  return settings;
}

/// Returns the OpenMP form of a kernel of paper/: "openmp/dgemm".
Case openmp_form(const Case& one) {
  return {"openmp/" + one.kernel.substr(one.kernel.find('/') + 1), one.simd, one.order};
}

}  // namespace

OtherAssumptions::OtherAssumptions(Measurements& chosen, std::vector<std::string> settings,
                                   const std::string& only, bool whole)
    : chosen_(chosen),
      slow_memory_("sparc64v", "simd16", with(settings, kSlowMemory)),
      openmp_("sparc64v", "simd16", settings) {
  if (whole)
    for (const char* name : {"paper/zgemm", "paper/dgemm"}) cases_.push_back({name, true, 1024});
  for (const char* name : {"paper/zgemm", "paper/dgemm"}) cases_.push_back({name, true, 128});
  cases_.push_back({"paper/fft", true, 1024});
  if (!only.empty()) std::erase_if(cases_, [&](const Case& one) { return one.kernel != "paper/" + only; });
}

void OtherAssumptions::request() {
  for (const Case& one : cases_) {
    chosen_.request(one);
    slow_memory_.request(one);
    if (has_kernel(openmp_form(one).kernel)) openmp_.request(openmp_form(one));
  }
}

void OtherAssumptions::simulate(const SimulationOptions& options) {
  slow_memory_.simulate(options);
  openmp_.simulate(options);
}

std::vector<OtherAssumptions::Row> OtherAssumptions::rows() const {
  std::vector<Row> all;
  for (const Case& one : cases_) {
    const std::string kernel = one.kernel.substr(one.kernel.find('/') + 1);
    const double chosen = chosen_.of(one).seconds;
    all.push_back({kernel, "memory of 10.667 GB/s", one.order, slow_memory_.of(one).seconds, chosen});
    if (openmp_.has(openmp_form(one)))
      all.push_back({kernel, "OpenMP form", one.order, openmp_.of(openmp_form(one)).seconds, chosen});
  }
  return all;
}

nlohmann::ordered_json OtherAssumptions::json() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Row& row : rows())
    all.push_back({{"kernel", row.kernel},
                   {"assumption", row.assumption},
                   {"order", row.order},
                   {"seconds", row.seconds},
                   {"chosen_seconds", row.chosen},
                   {"change", row.seconds / row.chosen - 1}});
  return all;
}

}  // namespace psim::reproduce
