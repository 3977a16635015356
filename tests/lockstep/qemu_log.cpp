// SPDX-License-Identifier: Apache-2.0
#include "tests/lockstep/qemu_log.h"

#include <cinttypes>
#include <cstring>

namespace psim::lockstep {

namespace {

// "%o0-3: a b c d": four registers from the named one on.
bool read_row(const char* line, unsigned first, std::array<std::uint64_t, 32>& into) {
  const char* values = std::strchr(line, ':');
  return values && std::sscanf(values + 1, "%" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64, &into[first],
                               &into[first + 1], &into[first + 2], &into[first + 3]) == 4;
}

std::string describe(const std::string& name, std::uint64_t qemu, std::uint64_t ours) {
  char text[128];
  std::snprintf(text, sizeof text, "%s: qemu %016" PRIx64 ", psim %016" PRIx64, name.c_str(), qemu, ours);
  return text;
}

}  // namespace

std::optional<std::string> first_difference(const StrandState& qemu, const StrandState& ours) {
  const auto check = [](const std::string& name, std::uint64_t a, std::uint64_t b) {
    return a == b ? std::optional<std::string>() : describe(name, a, b);
  };
  if (auto text = check("pc", qemu.pc, ours.pc)) return text;
  if (auto text = check("npc", qemu.npc, ours.npc)) return text;
  for (unsigned i = 0; i < 32; ++i)
    if (auto text = check(std::string("%") + "goli"[i / 8] + std::to_string(i % 8), qemu.r[i], ours.r[i]))
      return text;
  if (auto text = check("ccr", qemu.ccr, ours.ccr)) return text;
  if (auto text = check("%y", qemu.y, ours.y)) return text;
  if (auto text = check("%asi", qemu.asi, ours.asi)) return text;
  if (auto text = check("cansave", qemu.cansave, ours.cansave)) return text;
  if (auto text = check("canrestore", qemu.canrestore, ours.canrestore)) return text;
  if (auto text = check("cwp", qemu.cwp, ours.cwp)) return text;
  for (unsigned i = 0; i < 32; ++i)
    if (auto text = check("%d" + std::to_string(2 * i), qemu.f[i], ours.f[i])) return text;
  return check("%fsr", qemu.fsr, ours.fsr);
}

bool QemuLog::next(StrandState& state) {
  char line[256];
  bool inside = false;
  while (std::fgets(line, sizeof line, log_)) {
    if (std::sscanf(line, "pc: %" SCNx64 " npc: %" SCNx64, &state.pc, &state.npc) == 2) {
      inside = true;
    } else if (!inside) {
      continue;  // notes of the log about other things
    } else if (line[0] == '%' && line[1] == 'f') {
      unsigned first = 0;
      if (std::sscanf(line, "%%f%u", &first) == 1) read_row(line, first / 2, state.f);
    } else if (line[0] == '%') {
      const char* banks = "goli";
      const char* bank = std::strchr(banks, line[1]);
      if (bank)
        read_row(line, static_cast<unsigned>(bank - banks) * 8 + static_cast<unsigned>(line[2] - '0'),
                 state.r);
    } else if (std::strncmp(line, "pstate", 6) == 0) {
      if (const char* ccr = std::strstr(line, "ccr: "))
        state.ccr = static_cast<std::uint8_t>(std::strtoul(ccr + 5, nullptr, 16));
      if (const char* asi = std::strstr(line, "asi: "))
        state.asi = static_cast<std::uint8_t>(std::strtoul(asi + 5, nullptr, 16));
    } else if (std::strncmp(line, "cansave", 7) == 0) {
      unsigned cansave = 0, canrestore = 0, cwp = 0;
      std::sscanf(line, "cansave: %u canrestore: %u", &cansave, &canrestore);
      if (const char* text = std::strstr(line, "cwp: "))
        cwp = static_cast<unsigned>(std::strtoul(text + 5, nullptr, 10));
      state.cansave = static_cast<std::uint8_t>(cansave),
      state.canrestore = static_cast<std::uint8_t>(canrestore);
      state.cwp = static_cast<std::uint8_t>(cwp);
    } else if (std::sscanf(line, "fsr: %" SCNx64 " y: %" SCNx64, &state.fsr, &state.y) == 2) {
      return true;  // the last line of a block
    }
  }
  return false;
}

}  // namespace psim::lockstep
