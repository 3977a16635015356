// SPDX-License-Identifier: Apache-2.0
#include "guest/errno_numbers.h"

#include <array>
#include <cerrno>
#include <cstdint>

namespace psim::isa {

namespace {

struct ErrnoPair {
  int host, guest;
};
// 1–34 are the same on all systems; EDEADLOCK is EDEADLK on the host.
constexpr ErrnoPair kDifferent[] = {
    {EINPROGRESS, 36},
    {EALREADY, 37},
    {ENOTSOCK, 38},
    {EDESTADDRREQ, 39},
    {EMSGSIZE, 40},
    {EPROTOTYPE, 41},
    {ENOPROTOOPT, 42},
    {EPROTONOSUPPORT, 43},
    {ESOCKTNOSUPPORT, 44},
    {EOPNOTSUPP, 45},
    {EPFNOSUPPORT, 46},
    {EAFNOSUPPORT, 47},
    {EADDRINUSE, 48},
    {EADDRNOTAVAIL, 49},
    {ENETDOWN, 50},
    {ENETUNREACH, 51},
    {ENETRESET, 52},
    {ECONNABORTED, 53},
    {ECONNRESET, 54},
    {ENOBUFS, 55},
    {EISCONN, 56},
    {ENOTCONN, 57},
    {ESHUTDOWN, 58},
    {ETOOMANYREFS, 59},
    {ETIMEDOUT, 60},
    {ECONNREFUSED, 61},
    {ELOOP, 62},
    {ENAMETOOLONG, 63},
    {EHOSTDOWN, 64},
    {EHOSTUNREACH, 65},
    {ENOTEMPTY, 66},
    {EUSERS, 68},
    {EDQUOT, 69},
    {ESTALE, 70},
    {EREMOTE, 71},
    {ENOSTR, 72},
    {ETIME, 73},
    {ENOSR, 74},
    {ENOMSG, 75},
    {EBADMSG, 76},
    {EIDRM, 77},
    {EDEADLK, 78},
    {ENOLCK, 79},
    {ENONET, 80},
    {ENOLINK, 82},
    {EADV, 83},
    {ESRMNT, 84},
    {ECOMM, 85},
    {EPROTO, 86},
    {EMULTIHOP, 87},
    {EDOTDOT, 88},
    {EREMCHG, 89},
    {ENOSYS, 90},
    {ESTRPIPE, 91},
    {EOVERFLOW, 92},
    {EBADFD, 93},
    {ECHRNG, 94},
    {EL2NSYNC, 95},
    {EL3HLT, 96},
    {EL3RST, 97},
    {ELNRNG, 98},
    {EUNATCH, 99},
    {ENOCSI, 100},
    {EL2HLT, 101},
    {EBADE, 102},
    {EBADR, 103},
    {EXFULL, 104},
    {ENOANO, 105},
    {EBADRQC, 106},
    {EBADSLT, 107},
    {EBFONT, 109},
    {ELIBEXEC, 110},
    {ENODATA, 111},
    {ELIBBAD, 112},
    {ENOPKG, 113},
    {ELIBACC, 114},
    {ENOTUNIQ, 115},
    {ERESTART, 116},
    {EUCLEAN, 117},
    {ENOTNAM, 118},
    {ENAVAIL, 119},
    {EISNAM, 120},
    {EREMOTEIO, 121},
    {EILSEQ, 122},
    {ELIBMAX, 123},
    {ELIBSCN, 124},
    {ENOMEDIUM, 125},
    {EMEDIUMTYPE, 126},
    {ECANCELED, 127},
    {ENOKEY, 128},
    {EKEYEXPIRED, 129},
    {EKEYREVOKED, 130},
    {EKEYREJECTED, 131},
    {EOWNERDEAD, 132},
    {ENOTRECOVERABLE, 133},
    {ERFKILL, 134},
    {EHWPOISON, 135},
};

constexpr auto kTable = [] {
  std::array<std::uint8_t, 134> table{};
  for (int i = 0; i < 134; ++i) table[i] = i < 35 ? static_cast<std::uint8_t>(i) : EINVAL;
  for (const ErrnoPair& pair : kDifferent) table[pair.host] = static_cast<std::uint8_t>(pair.guest);
  return table;
}();

}  // namespace

int guest_errno(int host) {
  return host >= 0 && host < static_cast<int>(kTable.size()) ? kTable[host] : EINVAL;
}

}  // namespace psim::isa
