/* SPDX-License-Identifier: Apache-2.0
 * Data in pieces: random datatypes at buffers of any alignment are packed, unpacked, received in part and in partitions, put and got as their
 * type maps say. Then: packing takes at most twice the time of a loop (where computing takes time). Each line ends with 1 if what it says holds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRoom = 1 << 13, kMost = 600 };
/* The offset of each packed byte, and whether a basic element begins there. */
typedef struct {
  MPI_Datatype type;
  int n, at[kMost];
  char begins[kMost];
} Map;

static unsigned state = 1;
static int below(int n) { return (int)((state = state * 1664525 + 1013904223) >> 8) % n; }

static long extent_of(MPI_Datatype type) {
  MPI_Aint low, extent;
  MPI_Type_get_extent(type, &low, &extent);
  return extent;
}

static void add(Map *to, const Map *part, int count, long offset, long stride) {
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < part->n && to->n < kMost; ++k) {
      to->begins[to->n] = part->begins[k];
      to->at[to->n++] = (int)(offset + i * stride) + part->at[k];
    }
}

static Map basic(void) {
  static const struct {
    MPI_Datatype type;
    int size;
  } kinds[] = {{MPI_CHAR, 1}, {MPI_SHORT, 2}, {MPI_INT, 4}, {MPI_DOUBLE, 8}, {MPI_DOUBLE, 8}, {MPI_C_DOUBLE_COMPLEX, 16}};
  Map m = {.n = 0};
  const int kind = below(7);
  if (kind == 6) {
    m.type = MPI_DOUBLE_INT;
    for (int i = 0; i < 12; ++i) m.at[i] = i, m.begins[i] = i % 8 == 0;
    m.n = 12;
    return m;
  }
  m.type = kinds[kind].type;
  m.n = kinds[kind].size;
  for (int i = 0; i < m.n; ++i) m.at[i] = i, m.begins[i] = i == 0;
  return m;
}

static int tried; /* types that were not empty and fitted into the memory */

static Map random_map(int depth) {
  if (depth == 0) return basic();
  Map part = random_map(depth - 1);
  Map m = {.n = 0};
  const long extent = extent_of(part.type);
  const int kind = below(5), count = 1 + below(5);
  if (kind == 0) {
    const int length = 1 + below(3), stride = length + below(4) - 1;
    MPI_Type_vector(count, length, stride, part.type, &m.type);
    for (int i = 0; i < count; ++i) add(&m, &part, length, i * stride * extent, extent);
  } else if (kind == 1) {
    int lengths[5], displacements[5];
    for (int i = 0; i < count; ++i) {
      lengths[i] = below(3), displacements[i] = below(12) - 2;
      add(&m, &part, lengths[i], displacements[i] * extent, extent);
    }
    MPI_Type_indexed(count, lengths, displacements, part.type, &m.type);
  } else if (kind == 2) {
    const Map other = basic();
    int lengths[2] = {count, 1 + below(3)};
    MPI_Aint displacements[2] = {below(9), below(40)};
    MPI_Datatype types[2] = {part.type, other.type};
    MPI_Type_create_struct(2, lengths, displacements, types, &m.type);
    add(&m, &part, lengths[0], displacements[0], extent);
    add(&m, &other, lengths[1], displacements[1], extent_of(other.type));
  } else if (kind == 3) {
    MPI_Type_create_resized(part.type, 0, extent + below(3) * 8 + below(2), &m.type);
    add(&m, &part, 1, 0, 0);
  } else {
    int displacements[5];
    for (int i = 0; i < count; ++i) add(&m, &part, 1, (displacements[i] = below(12)) * extent, extent);
    MPI_Type_create_indexed_block(count, 1, displacements, part.type, &m.type);
  }
  if (depth > 1) MPI_Type_free(&part.type);
  return m;
}

static char memory[2][kRoom], packed[kRoom], wanted[kRoom], pattern[kRoom];

static int agree(const char *what, int round, int good) {
  if (!good) printf("%s in round %d: 0\n", what, round);
  return good;
}

/* Fills both memories alike, and copies `bytes` of the packed data to the second by the type map. */
static void expect_unpacked(const Map *all, const char *data, int bytes, char *user) {
  memcpy(memory[0], pattern, kRoom);
  memcpy(memory[1], pattern, kRoom);
  for (int i = 0; i < bytes; ++i) memory[1][user - memory[0] + all->at[i]] = data[i];
}

static int round_of(int round) {
  Map one = random_map(1 + below(3)), all = {.n = 0};
  const int count = 1 + below(3), skew = below(2) ? below(16) : 0, lead = below(2) ? below(16) : 0;
  MPI_Type_commit(&one.type);
  add(&all, &one, count, 0, extent_of(one.type));
  int size, position = lead, good = 1;
  MPI_Type_size(one.type, &size);
  int fits = all.n > 0 && all.n < kMost;
  for (int i = 0; i < all.n; ++i)
    if (all.at[i] < -kRoom / 4 || all.at[i] >= kRoom / 2) fits = 0;
  if (!fits) {
    MPI_Type_free(&one.type);
    return 1;
  }
  ++tried;
  char *const user = memory[0] + kRoom / 4 + skew;
  memcpy(memory[0], pattern, kRoom);
  for (int i = 0; i < all.n; ++i) wanted[i] = user[all.at[i]];
  MPI_Pack(user, count, one.type, packed, kRoom, &position, MPI_COMM_SELF);
  good &= agree("pack", round, position == lead + all.n && !memcmp(packed + lead, wanted, (size_t)all.n));
  for (int i = 0; i < all.n; ++i) packed[lead + i] = wanted[i] = (char)(100 + i * 3);
  position = lead;
  expect_unpacked(&all, wanted, all.n, user);
  MPI_Unpack(packed, kRoom, &position, user, count, one.type, MPI_COMM_SELF);
  good &= agree("unpack", round, !memcmp(memory[0], memory[1], kRoom));
  int part = below(all.n);
  while (!all.begins[part]) --part;
  expect_unpacked(&all, wanted, part, user);
  MPI_Sendrecv(wanted, part, MPI_PACKED, 0, 0, user, count, one.type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  good &= agree("receive in part", round, !memcmp(memory[0], memory[1], kRoom));
  /* Of elements that overlap, the last is wanted, so that they arrive in one partition. */
  memset(packed, 0, kRoom);
  int parts = all.n % 3 == 0 ? 3 : all.n % 2 == 0 ? 2 : 1;
  for (int i = 0; i < all.n; ++i)
    if (packed[user - memory[0] + all.at[i]]++ != 0) parts = 1;
  MPI_Request requests[2];
  expect_unpacked(&all, wanted, all.n, user);
  MPI_Precv_init(user, 1, count, one.type, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &requests[0]);
  MPI_Psend_init(wanted, parts, all.n / parts, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]);
  MPI_Startall(2, requests);
  for (int i = parts - 1; i >= 0; --i) MPI_Pready(i, requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  good &= agree("partitions", round, !memcmp(memory[0], memory[1], kRoom));
  MPI_Win window;
  MPI_Win_create(memory[0], kRoom, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window);
  expect_unpacked(&all, wanted, all.n, user);
  MPI_Win_fence(0, window);
  MPI_Put(wanted, all.n, MPI_BYTE, 0, user - memory[0], count, one.type, window);
  MPI_Win_fence(0, window);
  good &= agree("put", round, !memcmp(memory[0], memory[1], kRoom));
  for (int i = 0; i < all.n; ++i) wanted[i] = user[all.at[i]];
  MPI_Get(packed + lead, all.n, MPI_BYTE, 0, user - memory[0], count, one.type, window);
  MPI_Win_fence(0, window);
  good &= agree("get", round, !memcmp(packed + lead, wanted, (size_t)all.n));
  MPI_Win_free(&window);
  MPI_Type_free(&one.type);
  return good;
}

enum { kSide = 64, kElements = kSide * kSide };
static double matrix[kElements], copy[kElements];
static int places[kElements];

/* Returns 1 if packing takes at most twice the time of the loop of `places`. */
static int fast(MPI_Datatype type) {
  double by_library = 0, by_loop = 0;
  MPI_Type_commit(&type);
  for (int pass = 0; pass < 3; ++pass) {  /* the first warms caches */
    int position = 0;
    double t = MPI_Wtime();
    MPI_Pack(matrix, 1, type, copy, sizeof copy, &position, MPI_COMM_SELF);
    by_library = MPI_Wtime() - t;
    t = MPI_Wtime();
    for (int i = 0; i < kElements; ++i) copy[i] = matrix[places[i]];
    by_loop = MPI_Wtime() - t;
  }
  MPI_Type_free(&type);
  if (by_library > 2 * by_loop) printf("%g s, and %g s by a loop\n", by_library, by_loop);
  return by_library <= 2 * by_loop;
}

static void speed(void) {
  MPI_Datatype column, columns, scattered;
  MPI_Type_vector(kSide, 1, kSide, MPI_DOUBLE, &column);
  MPI_Type_create_hvector(kSide, 1, sizeof(double), column, &columns);
  for (int i = 0; i < kElements; ++i) places[i] = i % kSide * kSide + i / kSide;
  printf("columns of a matrix are packed fast: %d\n", fast(columns));
  for (int i = 0; i < kElements; ++i) places[i] = i * 37 % kElements;
  MPI_Type_create_indexed_block(kElements, 1, places, MPI_DOUBLE, &scattered);
  printf("single elements by index are packed fast: %d\n", fast(scattered));
  for (int i = 0; i < kElements; ++i) places[i] = (int)((unsigned)i * 40503u >> 4) % kElements;
  MPI_Type_create_indexed_block(kElements, 1, places, MPI_DOUBLE, &scattered);
  printf("single elements at random are packed fast: %d\n", fast(scattered));
  MPI_Type_free(&column);
}

int main(int argc, char **argv) {
  int good = 0;
  for (int i = 0; i < kRoom; ++i) pattern[i] = (char)(i * 7 + i / 256);
  const int rounds = argc > 1 ? atoi(argv[1]) : 40;
  MPI_Init(&argc, &argv);
  for (int i = 0; i < rounds; ++i) good += round_of(i);
  printf("%d random datatypes: %d\n", tried, good == rounds && tried > rounds / 2);
  speed();
  MPI_Finalize();
  return 0;
}
