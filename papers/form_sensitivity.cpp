// SPDX-License-Identifier: Apache-2.0
#include "papers/form_sensitivity.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "papers/peak.h"

namespace psim::reproduce {
namespace {

unsigned order_of(const std::string& kernel) { return kernel == "fft" ? 1024 : 128; }

Case kept_form(const std::string& kernel, bool simd) { return {"paper/" + kernel, simd, order_of(kernel)}; }

Case other_form(const Variant& variant, bool simd) {
  return {"variants/" + variant.name, simd, order_of(variant.kernel)};
}

bool differs(const Variant& variant, bool simd) { return simd ? variant.simd : variant.scalar; }

}  // namespace

void FormSensitivity::request() {
  variants_ = variants();
  for (const Variant& variant : variants_)
    for (const bool simd : {false, true})
      if (differs(variant, simd)) {
        measured_.request(kept_form(variant.kernel, simd));
        measured_.request(other_form(variant, simd));
      }
}

std::string FormSensitivity::table(const Machine& scalar, const Machine& simd) const {
  std::string text = fmt::format("{:<34}{:>10}{:>9}{:>9}{:>10}{:>9}{:>9}\n", "forms of the kernels",
                                 "scalar ms", "of peak", "change", "SIMD ms", "of peak", "change");
  const auto cells = [&](const Case& form, const Case& kept) {
    const KernelCost& cost = measured_.of(form);
    const double peak = part_of_peak(cost, form.simd ? simd : scalar);
    const std::string change =
        form == kept ? "kept"
                     : fmt::format("{:+.1f} %", 100 * (cost.seconds / measured_.of(kept).seconds - 1));
    return fmt::format("{:>10.4g}{:>7.1f} %{:>9}", 1e3 * cost.seconds, 100 * peak, change);
  };
  std::string before;
  for (const Variant& variant : variants_) {
    const std::string heading = fmt::format("{}, N = {}", variant.kernel, order_of(variant.kernel));
    if (variant.kernel != before) {
      text += fmt::format("{:<34}", heading);
      for (const bool mode : {false, true})
        text += cells(kept_form(variant.kernel, mode), kept_form(variant.kernel, mode));
      text += '\n';
    }
    before = variant.kernel;
    text += fmt::format("  {:<32}", variant.flags);
    for (const bool mode : {false, true})
      text += differs(variant, mode) ? cells(other_form(variant, mode), kept_form(variant.kernel, mode))
                                     : fmt::format("{:>10}{:>9}{:>9}", "-", "", "");
    text += '\n';
  }
  return text;
}

nlohmann::ordered_json FormSensitivity::json() const {
  nlohmann::ordered_json forms = nlohmann::ordered_json::array();
  for (const Variant& variant : variants_)
    for (const bool simd : {false, true}) {
      if (!differs(variant, simd)) continue;
      const Case form = other_form(variant, simd);
      const double seconds = measured_.of(form).seconds;
      forms.push_back({{"kernel", variant.kernel},
                       {"flags", variant.flags},
                       {"mode", form.mode()},
                       {"order", form.order},
                       {"seconds", seconds},
                       {"change", seconds / measured_.of(kept_form(variant.kernel, simd)).seconds - 1}});
    }
  return forms;
}

}  // namespace psim::reproduce
