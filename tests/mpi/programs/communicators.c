/* SPDX-License-Identifier: Apache-2.0
 * Groups, communicators, intercommunicators, attributes, info. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int me, size;

static int sum_over(MPI_Comm comm) {
  int sum = 0;
  MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
  return sum;
}

static void splits(void) {
  MPI_Comm comm, dup, none;
  int rank, n, result;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  printf("%d split %d of %d sum %d\n", me, rank, n, sum_over(comm));
  MPI_Comm_dup(comm, &dup);
  MPI_Comm_compare(comm, dup, &result);
  printf("%d dup %d sum %d\n", me, result == MPI_CONGRUENT, sum_over(dup));
  MPI_Comm_compare(MPI_COMM_WORLD, comm, &result);
  printf("%d compare %d\n", me, result == MPI_UNEQUAL || size == 1);
  MPI_Comm_split(MPI_COMM_WORLD, me == 0 ? MPI_UNDEFINED : 1, 0, &none);
  printf("%d undefined %d\n", me, none == MPI_COMM_NULL);
  if (none != MPI_COMM_NULL) MPI_Comm_free(&none);
  MPI_Comm idup;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &idup, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  printf("%d idup %d\n", me, sum_over(idup));
  MPI_Comm_free(&idup);
  MPI_Comm_free(&dup);
  MPI_Comm_free(&comm);
  printf("%d freed %d self %d\n", me, comm == MPI_COMM_NULL, sum_over(MPI_COMM_SELF));
}

static void groups(void) {
  MPI_Group world, even, rest, both, common, range, empty;
  int ranks[64], n = 0, rank, result, all[64], translated[64];
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (int i = 0; i < size; i += 2) ranks[n++] = i;
  MPI_Group_incl(world, n, ranks, &even);
  MPI_Group_excl(world, n, ranks, &rest);
  MPI_Group_size(rest, &result);
  MPI_Group_rank(even, &rank);
  printf("%d even %d rest %d\n", me, rank == MPI_UNDEFINED ? -1 : rank, result);
  MPI_Group_union(rest, even, &both);
  MPI_Group_compare(both, world, &result);
  printf("%d union %d\n", me, result == MPI_SIMILAR || (size == 1 && result == MPI_IDENT));
  MPI_Group_intersection(world, even, &common);
  MPI_Group_compare(common, even, &result);
  printf("%d intersection %d\n", me, result == MPI_IDENT);
  MPI_Group_difference(even, world, &empty);
  printf("%d empty %d\n", me, empty == MPI_GROUP_EMPTY);
  int triplet[1][3] = {{size - 1, 0, -2}};
  MPI_Group_range_incl(world, 1, triplet, &range);
  for (int i = 0; i < size; ++i) all[i] = i;
  MPI_Group_translate_ranks(world, size, all, range, translated);
  for (int i = 0; i < size; ++i) printf("%d translate %d: %d\n", me, i, translated[i] == MPI_UNDEFINED ? -1 : translated[i]);
  MPI_Comm comm, group_comm;
  MPI_Comm_create(MPI_COMM_WORLD, range, &comm);
  if (comm != MPI_COMM_NULL) {
    MPI_Comm_rank(comm, &rank);
    printf("%d create %d sum %d\n", me, rank, sum_over(comm));
    MPI_Comm_create_group(MPI_COMM_WORLD, range, 3, &group_comm);
    printf("%d create_group sum %d\n", me, sum_over(group_comm));
    MPI_Comm_free(&group_comm);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&even);
  MPI_Group_free(&rest);
  MPI_Group_free(&both);
  MPI_Group_free(&common);
  MPI_Group_free(&range);
}

static void inter(void) {
  if (size < 2) return;
  MPI_Comm half, comm, merged, dup;
  int rank, n, remote, flag, value, all[64], result[64];
  const int color = me < size / 2 ? 0 : 1;
  MPI_Comm_split(MPI_COMM_WORLD, color, me, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, color == 0 ? size / 2 : 0, 9, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  MPI_Comm_remote_size(comm, &remote);
  MPI_Comm_test_inter(comm, &flag);
  printf("%d inter %d of %d, %d, %d\n", me, rank, n, remote, flag);
  MPI_Status status;
  if (rank < remote && rank < n) {
    MPI_Sendrecv(&me, 1, MPI_INT, rank, 1, &value, 1, MPI_INT, rank, 1, comm, &status);
    printf("%d partner %d source %d\n", me, value, status.MPI_SOURCE);
  }
  MPI_Barrier(comm);
  value = me + 50;
  MPI_Bcast(&value, 1, MPI_INT, color == 0 ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, comm);
  printf("%d inter bcast %d\n", me, value);
  value = -1;
  MPI_Allreduce(&me, &value, 1, MPI_INT, MPI_SUM, comm);
  printf("%d inter allreduce %d\n", me, value);
  memset(all, 0, sizeof all);
  MPI_Allgather(&me, 1, MPI_INT, all, 1, MPI_INT, comm);
  for (int i = 0; i < remote; ++i) printf("%d inter allgather %d: %d\n", me, i, all[i]);
  for (int i = 0; i < remote; ++i) all[i] = me * 100 + i;
  memset(result, 0, sizeof result);
  MPI_Alltoall(all, 1, MPI_INT, result, 1, MPI_INT, comm);
  for (int i = 0; i < remote; ++i) printf("%d inter alltoall %d: %d\n", me, i, result[i]);
  value = -1;
  MPI_Reduce(&me, &value, 1, MPI_INT, MPI_MAX, color == 1 ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, comm);
  printf("%d inter reduce %d\n", me, value);
  memset(all, 0, sizeof all);
  MPI_Gather(&me, 1, MPI_INT, all, 1, MPI_INT, color == 0 ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, comm);
  printf("%d inter gather %d\n", me, all[0] + all[remote - 1]);
  for (int i = 0; i < remote; ++i) all[i] = 1000 + i;
  value = -1;
  MPI_Scatter(all, 1, MPI_INT, &value, 1, MPI_INT, color == 0 ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, comm);
  printf("%d inter scatter %d\n", me, value);
  /* Split: ranks of both sides by color, in another order; then a color of one side only. */
  MPI_Comm part, created;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_split(comm, rank % 2 == 1 && remote > 1 && n > 1 ? 1 : 0, -me, &part);
  int part_rank, part_size, part_remote;
  MPI_Comm_rank(part, &part_rank);
  MPI_Comm_size(part, &part_size);
  MPI_Comm_remote_size(part, &part_remote);
  value = -1;
  MPI_Allreduce(&me, &value, 1, MPI_INT, MPI_SUM, part);
  printf("%d inter split %d of %d, %d: %d\n", me, part_rank, part_size, part_remote, value);
  MPI_Comm_free(&part);
  MPI_Comm_split(comm, rank == 0 ? 3 : color == 0 ? 1 : MPI_UNDEFINED, 0, &part);
  printf("%d inter split with %d\n", me, part != MPI_COMM_NULL);
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  MPI_Group whole, first;
  int zero = 0;
  MPI_Comm_group(comm, &whole);
  MPI_Group_incl(whole, 1, &zero, &first);
  MPI_Comm_create(comm, first, &created);
  printf("%d inter create %d\n", me, created != MPI_COMM_NULL);
  if (created != MPI_COMM_NULL) {
    MPI_Comm_remote_size(created, &part_remote);
    MPI_Sendrecv(&me, 1, MPI_INT, 0, 3, &value, 1, MPI_INT, 0, 3, created, MPI_STATUS_IGNORE);
    printf("%d created %d partner %d\n", me, part_remote, value);
    MPI_Comm_free(&created);
  }
  MPI_Group_free(&first);
  MPI_Group_free(&whole);
  MPI_Comm_dup(comm, &dup);
  MPI_Intercomm_merge(dup, color == 0, &merged);
  MPI_Comm_rank(merged, &rank);
  printf("%d merged %d sum %d\n", me, rank, sum_over(merged));
  MPI_Comm_free(&merged);
  MPI_Intercomm_merge(dup, 0, &merged);
  MPI_Comm_size(merged, &n);
  printf("%d merged size %d sum %d\n", me, n, sum_over(merged));
  MPI_Comm_free(&merged);
  MPI_Comm_free(&dup);
  MPI_Comm_free(&comm);
  MPI_Comm_free(&half);
}

static int copied, deleted;
static int copy_twice(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
  (void)comm; (void)key;
  ++copied;
  *(char **)out = (char *)in + (long)extra;
  *flag = 1;
  return MPI_SUCCESS;
}
static int count_delete(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm; (void)key; (void)value; (void)extra;
  ++deleted;
  return MPI_SUCCESS;
}

static void caching(void) {
  int key, flag, *bound;
  void *value;
  MPI_Comm dup;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Comm_create_keyval(copy_twice, count_delete, &key, (void *)3);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, (void *)40);
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  MPI_Comm_get_attr(dup, key, &value, &flag);
  printf("%d attribute %d %ld copied %d\n", me, flag, (long)value, copied);
  MPI_Comm_free(&dup);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  printf("%d deleted %d\n", me, deleted);
  MPI_Comm_free_keyval(&key);
  printf("%d invalid %d\n", me, key == MPI_KEYVAL_INVALID);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
  printf("%d tag bound %d %d\n", me, flag, *bound >= 32767);
  int length;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  printf("%d %s %d\n", me, name, length);
  MPI_Info info, second;
  MPI_Info_create(&info);
  MPI_Info_set(info, "colour", "red");
  MPI_Info_set(info, "size", "12");
  MPI_Info_set(info, "colour", "blue");
  MPI_Info_dup(info, &second);
  MPI_Info_delete(info, "colour");
  int keys, keys2;
  char text[64] = "";
  MPI_Info_get_nkeys(info, &keys);
  MPI_Info_get_nkeys(second, &keys2);
  MPI_Info_get(second, "colour", 63, text, &flag);
  printf("%d info %d %d %s %d\n", me, keys, keys2, text, flag);
  MPI_Info_free(&info);
  MPI_Info_free(&second);
}

static int class_of(int code) {
  int result;
  MPI_Error_class(code, &result);
  return result;
}

static void errors(void) {
  int *last, flag, added, sum = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Add_error_class(&added);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  printf("%d last code %d\n", me, flag && *last >= added);
  printf("%d nowhere: %d %d %d %d\n", me, class_of(MPI_Comm_size(MPI_COMM_WORLD, NULL)) == MPI_ERR_ARG,
         class_of(MPI_Comm_rank(MPI_COMM_WORLD, NULL)) == MPI_ERR_ARG,
         class_of(MPI_Comm_group(MPI_COMM_WORLD, NULL)) == MPI_ERR_ARG,
         class_of(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, NULL)) == MPI_ERR_ARG);
  printf("%d operation: %d\n", me,
         class_of(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_REPLACE, MPI_COMM_WORLD)) == MPI_ERR_OP);
}

/* Overlapping groups one after the other, without a call by other ranks. */
static void groups_in_a_row(void) {
  MPI_Group everyone;
  MPI_Comm_group(MPI_COMM_WORLD, &everyone);
  long long sum = 0;
  for (unsigned round = 0; round < 60; ++round) {
    int ranks[64], n = 0, member = 0;
    for (int i = 0; i < size; ++i)
      if ((round * 2654435761u >> (i % 20 + 4)) & 1) {
        ranks[n++] = i;
        member |= i == me;
      }
    if (!member) continue;
    MPI_Group some;
    MPI_Comm comm;
    int value = me + (int)round, total, rank;
    MPI_Group_incl(everyone, n, ranks, &some);
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 3, &comm);
    MPI_Allreduce(&value, &total, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_rank(comm, &rank);
    sum += (long long)total * (rank + 1);
    MPI_Comm_free(&comm);
    MPI_Group_free(&some);
  }
  MPI_Group_free(&everyone);
  printf("rank %d groups in a row %lld\n", me, sum);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  splits();
  groups();
  inter();
  caching();
  errors();
  groups_in_a_row();
  MPI_Finalize();
  return 0;
}
