/* SPDX-License-Identifier: Apache-2.0
 * Attributes and generalized requests. Callbacks take all arguments by reference and return their error in the last one.
 * Values are integers of the size of an address, or of default size in MPI_KEYVAL_CREATE and MPI_ATTR_… (MPI-3.1 section 17.2.7). */
#include <stdint.h>
#include <stdlib.h>

#include "mpi/fortran/binding.h"

typedef void Copy(int *object, int *key, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, MPI_Fint *flag, MPI_Fint *error);
typedef void Delete(int *object, int *key, MPI_Aint *value, MPI_Aint *extra, MPI_Fint *error);
typedef void OldCopy(int *object, int *key, MPI_Fint *extra, MPI_Fint *in, MPI_Fint *out, MPI_Fint *flag, MPI_Fint *error);
typedef void OldDelete(int *object, int *key, MPI_Fint *value, MPI_Fint *extra, MPI_Fint *error);

/* A keyval made in Fortran. Never freed, because attributes may outlive their keyval. */
struct keyval {
  Copy *copy;
  Delete *remove;
  OldCopy *old_copy;
  OldDelete *old_remove;
  MPI_Aint extra;
};

/* The integers of attributes set in Fortran. C sees a pointer to an integer of the size of an address (MPI-3.1 section 17.2.7).
 * An attribute set in C is not in this list; its value in Fortran is the pointer's. */
struct integer {
  MPI_Aint value;
  struct integer *next;
};
static struct integer *integers;

static void *keep(MPI_Aint value) {
  struct integer *kept = malloc(sizeof *kept);
  kept->value = value;
  kept->next = integers;
  integers = kept;
  return kept;
}
static MPI_Aint integer_of(const void *attribute) {
  for (const struct integer *i = integers; i; i = i->next)
    if (i == attribute) return i->value;
  return (MPI_Aint)(intptr_t)attribute;
}
static void forget(const void *attribute) {
  for (struct integer **i = &integers; *i; i = &(*i)->next)
    if (*i == attribute) {
      struct integer *gone = *i;
      *i = gone->next;
      free(gone);
      return;
    }
}
static MPI_Fint kept(int result, void *attribute) {
  if (result != MPI_SUCCESS) forget(attribute);
  return result;
}

static int copy(int object, int key, void *extra, void *in, void *out, int *flag) {
  const struct keyval *k = extra;
  MPI_Aint state = k->extra, from = integer_of(in), to = 0;
  MPI_Fint error = MPI_SUCCESS, copied = 0;
  if (k->copy) {
    k->copy(&object, &key, &state, &from, &to, &copied, &error);
  } else {
    MPI_Fint old_state = (MPI_Fint)state, old_from = (MPI_Fint)from, old_to = 0;
    k->old_copy(&object, &key, &old_state, &old_from, &old_to, &copied, &error);
    to = old_to;
  }
  *flag = copied != 0;
  if (*flag) *(void **)out = keep(to);
  return error;
}

static int discard(int object, int key, void *value, void *extra) {
  const struct keyval *k = extra;
  MPI_Aint state = k->extra, gone = integer_of(value);
  MPI_Fint error = MPI_SUCCESS;
  if (k->remove) {
    k->remove(&object, &key, &gone, &state, &error);
  } else {
    MPI_Fint old_state = (MPI_Fint)state, old_gone = (MPI_Fint)gone;
    k->old_remove(&object, &key, &old_gone, &old_state, &error);
  }
  if (error == MPI_SUCCESS) forget(value);
  return error;
}

#define KEYVAL(kind, Kind)                                                                                                    \
  FORTRAN(void, kind##_create_keyval, (Copy * copier, Delete *remover, int *key, MPI_Aint *extra, MPI_Fint *error)) {         \
    struct keyval *k = calloc(1, sizeof *k);                                                                                  \
    k->copy = copier, k->remove = remover, k->extra = *extra;                                                                 \
    set_error(MPI_##Kind##_create_keyval(copy, discard, key, k), error);                                                         \
  }                                                                                                                           \
  FORTRAN(void, kind##_set_attr, (int *object, int *key, MPI_Aint *value, MPI_Fint *error)) {                                 \
    void *attribute = keep(*value);                                                                                           \
    set_error(kept(MPI_##Kind##_set_attr(*object, *key, attribute), attribute), error);                                          \
  }                                                                                                                           \
  FORTRAN(void, kind##_get_attr, (int *object, int *key, MPI_Aint *value, int *flag, MPI_Fint *error)) {                      \
    void *found = 0;                                                                                                          \
    set_error(MPI_##Kind##_get_attr(*object, *key, &found, flag), error);                                                        \
    if (*flag) *value = value_of(*key, found);                                                                                \
  }                                                                                                                           \
  void mpi_##kind##_null_copy_fn_(int *object, int *k, MPI_Aint *e, MPI_Aint *in, MPI_Aint *out, MPI_Fint *flag, MPI_Fint *error) { \
    (void)object, (void)k, (void)e, (void)in, (void)out;                                                                      \
    *flag = 0;                                                                                                                \
    *error = MPI_SUCCESS;                                                                                                     \
  }                                                                                                                           \
  void mpi_##kind##_dup_fn_(int *object, int *k, MPI_Aint *e, MPI_Aint *in, MPI_Aint *out, MPI_Fint *flag, MPI_Fint *error) { \
    (void)object, (void)k, (void)e;                                                                                           \
    *out = *in;                                                                                                               \
    *flag = 1;                                                                                                                \
    *error = MPI_SUCCESS;                                                                                                     \
  }                                                                                                                           \
  void mpi_##kind##_null_delete_fn_(int *object, int *k, MPI_Aint *value, MPI_Aint *e, MPI_Fint *error) {                     \
    (void)object, (void)k, (void)value, (void)e;                                                                              \
    *error = MPI_SUCCESS;                                                                                                     \
  }

/* Returns the Fortran value of a predefined attribute, which in C is a pointer to it. A window's base is an address in both. */
static MPI_Aint value_of(int key, const void *found) {
  if (key == MPI_WIN_SIZE) return *(const MPI_Aint *)found;
  if (key >= MPI_TAG_UB && key <= MPI_WIN_MODEL && key != MPI_WIN_BASE) return *(const int *)found;
  return integer_of(found);
}

KEYVAL(comm, Comm)
KEYVAL(type, Type)
KEYVAL(win, Win)

FORTRAN(void, keyval_create, (OldCopy * copier, OldDelete *remover, int *key, MPI_Fint *extra, MPI_Fint *error)) {
  struct keyval *k = calloc(1, sizeof *k);
  k->old_copy = copier, k->old_remove = remover, k->extra = *extra;
  set_error(MPI_Comm_create_keyval(copy, discard, key, k), error);
}
FORTRAN(void, attr_put, (MPI_Comm * comm, int *key, MPI_Fint *value, MPI_Fint *error)) {
  void *attribute = keep(*value);
  set_error(kept(MPI_Comm_set_attr(*comm, *key, attribute), attribute), error);
}
FORTRAN(void, attr_get, (MPI_Comm * comm, int *key, MPI_Fint *value, int *flag, MPI_Fint *error)) {
  void *found = 0;
  set_error(MPI_Comm_get_attr(*comm, *key, &found, flag), error);
  if (*flag) *value = (MPI_Fint)value_of(*key, found);
}
void mpi_null_copy_fn_(int *object, int *k, MPI_Fint *e, MPI_Fint *in, MPI_Fint *out, MPI_Fint *flag, MPI_Fint *error) {
  (void)object, (void)k, (void)e, (void)in, (void)out;
  *flag = 0;
  *error = MPI_SUCCESS;
}
void mpi_dup_fn_(int *object, int *k, MPI_Fint *e, MPI_Fint *in, MPI_Fint *out, MPI_Fint *flag, MPI_Fint *error) {
  (void)object, (void)k, (void)e;
  *out = *in;
  *flag = 1;
  *error = MPI_SUCCESS;
}
void mpi_null_delete_fn_(int *object, int *k, MPI_Fint *value, MPI_Fint *e, MPI_Fint *error) {
  (void)object, (void)k, (void)value, (void)e;
  *error = MPI_SUCCESS;
}

typedef void Query(MPI_Aint *extra, MPI_Status *status, MPI_Fint *error);
typedef void Free(MPI_Aint *extra, MPI_Fint *error);
typedef void Cancel(MPI_Aint *extra, MPI_Fint *complete, MPI_Fint *error);

struct generalized {
  Query *query;
  Free *free;
  Cancel *cancel;
  MPI_Aint *extra; /* the program's variable, which its functions may change */
};
static int query(void *extra, MPI_Status *status) {
  struct generalized *g = extra;
  MPI_Fint error = MPI_SUCCESS;
  g->query(g->extra, status, &error);
  return error;
}
static int release(void *extra) {
  struct generalized *g = extra;
  MPI_Fint error = MPI_SUCCESS;
  g->free(g->extra, &error);
  free(g);
  return error;
}
static int cancel(void *extra, int complete) {
  struct generalized *g = extra;
  MPI_Fint error = MPI_SUCCESS;
  g->cancel(g->extra, &complete, &error);
  return error;
}
FORTRAN(void, grequest_start, (Query * q, Free *f, Cancel *c, MPI_Aint *extra, MPI_Request *request, MPI_Fint *error)) {
  struct generalized *g = malloc(sizeof *g);
  g->query = q, g->free = f, g->cancel = c, g->extra = extra;
  set_error(MPI_Grequest_start(query, release, cancel, g, request), error);
}
