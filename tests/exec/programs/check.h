/* SPDX-License-Identifier: Apache-2.0
 * Prints what calls return, in a form that is the same on every machine. */
#ifndef CHECK_H
#define CHECK_H
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The call, 0–1000 of its result (large ones are addresses or host-dependent), and the error by name. */
#define CALL(x)                                                                 \
  do {                                                                          \
    errno = 0;                                                                  \
    long result_ = (long)(x);                                                   \
    printf("%s: %ld %s\n", #x, result_<0 ? -1 : result_> 1000 ? 1000 : result_, \
           result_ < 0 ? strerror(errno) : "");                                 \
  } while (0)
#define SHOW(x) printf("%s = %ld\n", #x, (long)(x))
#endif
