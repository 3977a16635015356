/* SPDX-License-Identifier: Apache-2.0
 * Derived datatypes: extents, contents, packing, and messages with holes. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int me, size;

struct particle {
  char kind;
  double x[3];
  int id;
};

static void describe(const char *name, MPI_Datatype type) {
  MPI_Aint lb, extent, true_lb, true_extent;
  int bytes, integers, addresses, types, combiner;
  MPI_Type_size(type, &bytes);
  MPI_Type_get_extent(type, &lb, &extent);
  MPI_Type_get_true_extent(type, &true_lb, &true_extent);
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (me == 0)
    printf("%s: size %d lb %ld extent %ld true %ld %ld contents %d %d %d\n", name, bytes, (long)lb, (long)extent,
           (long)true_lb, (long)true_extent, integers, addresses, types);
}

/* Sends `count` of `type` from a numbered buffer to itself and the next rank, received as the same type and as
 * bytes. */
static void travel(const char *name, MPI_Datatype type, int count) {
  enum { kRoom = 8192 };
  static unsigned char out[kRoom], in[kRoom], packed[kRoom];
  int bytes, position = 0, elements, n;
  MPI_Status status;
  MPI_Type_commit(&type);
  for (int i = 0; i < kRoom; ++i) out[i] = (unsigned char)(i * 7 + i / 256 + 1);
  memset(in, 0, sizeof in);
  memset(packed, 0, sizeof packed);
  MPI_Sendrecv(out + 1024, count, type, (me + 1) % size, 1, in + 1024, count, type, (me + size - 1) % size, 1,
               MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &n);
  MPI_Get_elements(&status, type, &elements);
  unsigned long hash = 5381;
  for (int i = 0; i < kRoom; ++i) hash = hash * 33 + in[i];
  MPI_Pack_size(count, type, MPI_COMM_WORLD, &bytes);
  MPI_Pack(out + 1024, count, type, packed, kRoom, &position, MPI_COMM_WORLD);
  unsigned long packed_hash = 5381;
  for (int i = 0; i < position; ++i) packed_hash = packed_hash * 33 + packed[i];
  position = 0;
  memset(in, 0, sizeof in);
  MPI_Unpack(packed, kRoom, &position, in + 1024, count, type, MPI_COMM_WORLD);
  unsigned long again = 5381;
  for (int i = 0; i < kRoom; ++i) again = again * 33 + in[i];
  memset(in, 0, sizeof in);
  MPI_Bcast(me == 0 ? out + 1024 : in + 1024, count, type, 0, MPI_COMM_WORLD);
  unsigned long cast = 5381;
  for (int i = 1024; i < kRoom; ++i) cast = cast * 33 + in[i];
  if (strcmp(name, "pair") == 0) elements = 0; /* Open MPI 4.1 counts a pair as one, MPI-3.1 and MPICH as two */
  printf("%d %s x%d: count %d elements %d packed %d %lx %lx %d\n", me, name, count, n, elements, position, hash,
         packed_hash, again == hash);
  if (me != 0) printf("%d %s bcast %lx\n", me, name, cast);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype t, u, v;

  MPI_Type_contiguous(5, MPI_INT, &t);
  describe("contiguous", t);
  travel("contiguous", t, 3);
  MPI_Type_vector(3, 2, 4, MPI_DOUBLE, &u);
  describe("vector", u);
  travel("vector", u, 2);
  MPI_Type_vector(3, 2, -4, t, &v);
  describe("back", v);
  travel("back", v, 1);
  MPI_Type_create_hvector(2, 1, 100, u, &v);
  describe("hvector", v);
  travel("hvector", v, 2);
  MPI_Type_contiguous(0, MPI_INT, &v);
  describe("none", v);
  travel("none", v, 4);

  int lengths[] = {2, 0, 3, 1}, places[] = {5, 1, 0, 10};
  MPI_Aint addresses[] = {40, 8, 0, 96};
  MPI_Type_indexed(4, lengths, places, MPI_SHORT, &v);
  describe("indexed", v);
  travel("indexed", v, 2);
  MPI_Type_create_hindexed(4, lengths, addresses, MPI_FLOAT, &v);
  describe("hindexed", v);
  travel("hindexed", v, 2);
  MPI_Type_create_indexed_block(4, 2, places, MPI_CHAR, &v);
  describe("indexed_block", v);
  travel("indexed_block", v, 3);
  MPI_Type_create_hindexed_block(4, 2, addresses, MPI_INT, &v);
  describe("hindexed_block", v);
  travel("hindexed_block", v, 3);

  int blocks[] = {1, 3, 1};
  MPI_Aint offsets[] = {offsetof(struct particle, kind), offsetof(struct particle, x), offsetof(struct particle, id)};
  MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Type_create_struct(3, blocks, offsets, types, &v);
  describe("struct", v);
  travel("struct", v, 4);
  MPI_Type_create_resized(v, -8, 64, &u);
  describe("resized", u);
  travel("resized", u, 4);
  MPI_Type_vector(2, 1, 3, u, &t);
  describe("vector of resized", t);
  travel("vector of resized", t, 2);
  MPI_Type_dup(t, &u);
  describe("dup", u);
  travel("dup", u, 1);

  int sizes[] = {6, 7, 5}, sub[] = {2, 3, 4}, starts[] = {1, 2, 0};
  MPI_Type_create_subarray(3, sizes, sub, starts, MPI_ORDER_C, MPI_INT, &v);
  describe("subarray", v);
  travel("subarray", v, 2);
  MPI_Type_create_subarray(3, sizes, sub, starts, MPI_ORDER_FORTRAN, MPI_SHORT, &v);
  describe("subarray f", v);
  travel("subarray f", v, 1);
  int kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE},
      arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2, MPI_DISTRIBUTE_DFLT_DARG}, processes[] = {2, 2, 1};
  for (int rank = 0; rank < 4; ++rank) {
    char name[16];
    sprintf(name, "darray %d", rank);
    MPI_Type_create_darray(4, rank, 3, sizes, kinds, arguments, processes, MPI_ORDER_C, MPI_INT, &v);
    describe(name, v);
    travel(name, v, 1);
  }

  MPI_Datatype pairs[] = {MPI_2INT, MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_FLOAT_INT};
  for (int i = 0; i < 5; ++i) travel("pair", pairs[i], 2);

  /* A receive of fewer elements than a whole type. */
  int out[3] = {1, 2, 3}, in[10] = {0}, n, elements;
  MPI_Status status;
  MPI_Type_contiguous(2, MPI_INT, &t);
  MPI_Type_commit(&t);
  MPI_Sendrecv(out, 3, MPI_INT, me, 1, in, 4, t, me, 1, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, t, &n);
  MPI_Get_elements(&status, t, &elements);
  printf("%d part: %d %d\n", me, n == MPI_UNDEFINED, elements);

  char external[64];
  MPI_Aint position = 0, room;
  double number = 1.5;
  int value = 258;
  MPI_Pack_external("external32", &value, 1, MPI_INT, external, 64, &position);
  MPI_Pack_external("external32", &number, 1, MPI_DOUBLE, external, 64, &position);
  MPI_Pack_external_size("external32", 2, MPI_DOUBLE, &room);
  printf("%d external %ld %ld:", me, (long)position, (long)room);
  for (int i = 0; i < (int)position; ++i) printf(" %02x", (unsigned char)external[i]);
  printf("\n");
  position = 0;
  value = 0;
  MPI_Unpack_external("external32", external, 64, &position, &value, 1, MPI_INT);
  MPI_Unpack_external("external32", external, 64, &position, &number, 1, MPI_DOUBLE);
  printf("%d back %d %g\n", me, value, number);

  /* Absolute addresses. */
  static int first[4], second[4];
  MPI_Aint where[2];
  int four[2] = {4, 4};
  MPI_Get_address(first, &where[0]);
  MPI_Get_address(second, &where[1]);
  MPI_Type_create_hindexed(2, four, where, MPI_INT, &t);
  MPI_Type_commit(&t);
  for (int i = 0; i < 4; ++i) first[i] = me * 10 + i, second[i] = me * 100 + i;
  int flat[8];
  MPI_Sendrecv(MPI_BOTTOM, 1, t, (me + 1) % size, 2, flat, 8, MPI_INT, (me + size - 1) % size, 2, MPI_COMM_WORLD, &status);
  MPI_Sendrecv(flat, 8, MPI_INT, (me + size - 1) % size, 2, MPI_BOTTOM, 1, t, (me + 1) % size, 2, MPI_COMM_WORLD, &status);
  printf("%d bottom %d %d %d %d\n", me, flat[0], flat[7], first[3], second[3]);

  char name[MPI_MAX_OBJECT_NAME];
  MPI_Type_get_name(MPI_DOUBLE, name, &n);
  printf("%d %s\n", me, name);
  MPI_Type_free(&t);
  printf("%d freed %d\n", me, t == MPI_DATATYPE_NULL);

  /* Types that are never freed, some made of others. */
  MPI_Datatype kept = MPI_INT, next;
  for (int i = 0; i < 600; ++i) {
    MPI_Type_contiguous(1, i % 20 == 0 ? MPI_INT : kept, &next);
    kept = next;
  }
  MPI_Type_size(kept, &n);
  printf("%d kept %d\n", me, n);
  int code;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Type_contiguous(-1, MPI_INT, &t), &code);
  printf("%d negative: %d\n", me, code == MPI_ERR_COUNT);
  MPI_Finalize();
  return 0;
}
