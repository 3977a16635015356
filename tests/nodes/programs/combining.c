/* SPDX-License-Identifier: Apache-2.0
 * Predefined operations at buffers of any alignment: MPI_Reduce_local and MPI_Accumulate give the elements that C computes, and change no
 * other byte. Then: combining doubles takes at most a few times the time of a loop (where computing takes time). Each line ends with 1 if what
 * it says holds. */
#include <float.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kElements = 5, kRoom = 32 };
static double from_room[kRoom], to_room[kRoom], wanted_room[kRoom]; /* aligned for every type */
static MPI_Win window;                                              /* of to_room */

static void accumulate(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Accumulate(from, count, type, 0, (char *)to - (char *)to_room, count, type, op, window);
  MPI_Win_unlock(0, window);
}

/* Combines `from` with `to` at several pairs of alignments. Returns 1 if the result is always `wanted`. Each element has `size` bytes. */
static int gives(const void *wanted, const void *from, const void *to, int size, MPI_Datatype type, MPI_Op op) {
  static const int skews[] = {0, 1, 2, 4, 8};
  const size_t bytes = (size_t)(size * kElements);
  int good = 1;
  for (int pair = 0; pair < 25; ++pair)
    for (int locally = op != MPI_REPLACE; locally >= 0; --locally) {
      char *const a = (char *)from_room + skews[pair / 5], *const b = (char *)to_room + skews[pair % 5];
      memset(to_room, 77, sizeof to_room);
      memset(wanted_room, 77, sizeof wanted_room);
      memcpy(a, from, bytes);
      memcpy(b, to, bytes);
      memcpy((char *)wanted_room + (b - (char *)to_room), wanted, bytes);
      if (locally)
        MPI_Reduce_local(a, b, kElements, type, op);
      else
        accumulate(a, b, kElements, type, op);
      good &= !memcmp(to_room, wanted_room, sizeof to_room);
    }
  return good;
}

#define NUMBERS(T, TYPE)                                                                                         \
  static int numbers_##TYPE(void) {                                                                              \
    T a[kElements], b[kElements], sum[kElements], product[kElements], most[kElements], least[kElements];         \
    for (int i = 0; i < kElements; ++i) {                                                                        \
      a[i] = (T)(i * 5 % 7 + 1), b[i] = (T)(i * 3 % 5 + 2);                                                      \
      sum[i] = (T)(a[i] + b[i]), product[i] = (T)(a[i] * b[i]);                                                  \
      most[i] = a[i] > b[i] ? a[i] : b[i], least[i] = a[i] < b[i] ? a[i] : b[i];                                 \
    }                                                                                                            \
    return gives(sum, a, b, sizeof(T), TYPE, MPI_SUM) && gives(product, a, b, sizeof(T), TYPE, MPI_PROD) &&      \
           gives(most, a, b, sizeof(T), TYPE, MPI_MAX) && gives(least, a, b, sizeof(T), TYPE, MPI_MIN) &&        \
           gives(a, a, b, sizeof(T), TYPE, MPI_REPLACE);                                                         \
  }
NUMBERS(signed char, MPI_SIGNED_CHAR)
NUMBERS(short, MPI_SHORT)
NUMBERS(int, MPI_INT)
NUMBERS(long, MPI_LONG)
NUMBERS(float, MPI_FLOAT)
NUMBERS(double, MPI_DOUBLE)
NUMBERS(long double, MPI_LONG_DOUBLE)

/* Pairs, whose packed elements have 6, 8, 12 or 20 bytes. Their padding keeps its contents. */
#define PAIRS(T, TYPE)                                                                                            \
  static int pairs_##TYPE(void) {                                                                                 \
    struct {                                                                                                      \
      T value;                                                                                                    \
      int location;                                                                                               \
    } a[kElements], b[kElements], most[kElements], least[kElements];                                              \
    memset(a, 5, sizeof a), memset(b, 6, sizeof b);                                                               \
    for (int i = 0; i < kElements; ++i) {                                                                         \
      a[i].value = (T)(i * 5 % 7), b[i].value = (T)(i % 3 == 0 ? i * 5 % 7 : i * 3 % 5);                          \
      a[i].location = 4 - i, b[i].location = i;                                                                   \
    }                                                                                                             \
    memcpy(most, b, sizeof b), memcpy(least, b, sizeof b);                                                        \
    for (int i = 0; i < kElements; ++i) {                                                                         \
      const int lower = a[i].location < b[i].location, equal = a[i].value == b[i].value;                          \
      if (equal ? lower : a[i].value > b[i].value) most[i].value = a[i].value, most[i].location = a[i].location;  \
      if (equal ? lower : a[i].value < b[i].value) least[i].value = a[i].value, least[i].location = a[i].location; \
    }                                                                                                             \
    return gives(most, a, b, sizeof a[0], TYPE, MPI_MAXLOC) && gives(least, a, b, sizeof a[0], TYPE, MPI_MINLOC); \
  }
PAIRS(short, MPI_SHORT_INT)
PAIRS(int, MPI_2INT)
PAIRS(long, MPI_LONG_INT)
PAIRS(float, MPI_FLOAT_INT)
PAIRS(double, MPI_DOUBLE_INT)

enum { kMany = 4096 };
static double values[kMany], totals[kMany];

/* Returns 1 if the second of two calls takes at most `most` times the time of a loop. */
static int fast(void (*call)(void), double most) {
  double by_library = 0, by_loop = 0;
  for (int pass = 0; pass < 2; ++pass) { /* the first warms caches */
    double t = MPI_Wtime();
    call();
    by_library = MPI_Wtime() - t;
    t = MPI_Wtime();
    for (int i = 0; i < kMany; ++i) totals[i] += values[i];
    by_loop = MPI_Wtime() - t;
  }
  if (by_loop < 1e-7) return 1; /* computing takes no time */
  if (by_library > most * by_loop) printf("%g s, and %g s by a loop\n", by_library, by_loop);
  return by_library <= most * by_loop;
}
static void reduce_many(void) { MPI_Reduce_local(values, totals, kMany, MPI_DOUBLE, MPI_SUM); }
static void accumulate_many(void) {
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Accumulate(values, kMany, MPI_DOUBLE, 0, 0, kMany, MPI_DOUBLE, MPI_SUM, window);
  MPI_Win_unlock(0, window);
}

int main(int argc, char **argv) {
  const int padded = LDBL_MANT_DIG != 113; /* x86's long double has 10 bytes of 16 */
  MPI_Init(&argc, &argv);
  MPI_Win_create(to_room, sizeof to_room, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window);
  printf("integers: %d\n", numbers_MPI_SIGNED_CHAR() && numbers_MPI_SHORT() && numbers_MPI_INT() && numbers_MPI_LONG());
  printf("reals: %d\n", numbers_MPI_FLOAT() && numbers_MPI_DOUBLE() && (padded || numbers_MPI_LONG_DOUBLE()));
  printf("pairs of integers: %d\n", pairs_MPI_SHORT_INT() && pairs_MPI_2INT() && pairs_MPI_LONG_INT());
  printf("pairs with reals: %d\n", pairs_MPI_FLOAT_INT() && pairs_MPI_DOUBLE_INT());
  MPI_Win_free(&window);
  printf("doubles are reduced fast: %d\n", fast(reduce_many, 3));
  MPI_Win_create(totals, sizeof totals, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window);
  printf("doubles are accumulated fast: %d\n", fast(accumulate_many, 9));
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
