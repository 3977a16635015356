// SPDX-License-Identifier: Apache-2.0
// Sizes, bounds, names, contents and freeing of datatypes (MPI-3.1 sections 4.1.5 to 4.1.13, 6.8).
#include <climits>
#include <cstring>

#include "mpi/datatype/registry.h"
#include "mpi/functions/datatype/build.h"
#include "mpi/object/keyval.h"

using namespace psim::net::mpi;

namespace {

template <class Body>
int with(const char* function, MPI_Datatype handle, Body body) {
  return guarded(function, [&] { body(datatype(handle)); });
}

constexpr const char* kOnlyLarge =
    "the datatype was made with large counts: only the function with _c can return its contents";

/// Returns the types of the contents, which the user frees.
void give_types(Datatype& t, MPI_Datatype* types) {
  for (std::size_t i = 0; i < t.contents.types.size(); ++i) {
    types[i] = t.contents.types[i];
    if (!t.parts[i]->predefined) ++t.parts[i]->refs;
  }
}

/// The contents as MPI_Type_get_contents_c returns them (MPI-4.1 section 5.1.13). Constructors with large
/// counts keep as integers only the numbers that are int there, too.
struct LargeContents {
  std::vector<MPI_Count> integers, large;
  std::vector<MPI_Aint> addresses;
  explicit LargeContents(const Datatype& t) {
    const Contents& c = t.contents;
    if (!c.large) {
      integers = c.integers;
      addresses = c.addresses;
      return;
    }
    const auto all = c.integers.begin(), end = c.integers.end();
    if (t.combiner == MPI_COMBINER_SUBARRAY) {  // n, sizes, subsizes, starts, order
      integers = {c.integers.front(), c.integers.back()};
      large.assign(all + 1, end - 1);
    } else if (t.combiner ==
               MPI_COMBINER_DARRAY) {  // size, rank, n, sizes, kinds, arguments, processes, order
      const auto n = static_cast<std::ptrdiff_t>(c.integers[2]);
      integers.assign(all, all + 3);
      integers.insert(integers.end(), all + 3 + n, end);
      large.assign(all + 3, all + 3 + n);
    } else {
      large = c.integers;
      large.insert(large.end(), c.addresses.begin(), c.addresses.end());
    }
  }
};

}  // namespace

PSIM_MPI_CALL(Type_commit, (MPI_Datatype * type), with, type != nullptr ? *type : MPI_DATATYPE_NULL,
              [](Datatype& t) { t.committed = true; })
PSIM_MPI(int, Type_free, (MPI_Datatype * type)) {
  return with("MPI_Type_free", type != nullptr ? *type : MPI_DATATYPE_NULL, [&](Datatype& t) {
    require(!t.predefined, MPI_ERR_TYPE, "a predefined datatype cannot be freed");
    if (t.attributes) delete_attributes(*type, *t.attributes);
    release_datatype(t);
    *type = MPI_DATATYPE_NULL;
    if (Rank& me = self(); me.datatypes != 0) --me.datatypes;
  });
}
PSIM_MPI_COUNTED_CALL(Type_size, (MPI_Datatype type, Number* size), with, type, [=](Datatype& t) {
  out(size) = !kLarge && t.size > INT_MAX ? MPI_UNDEFINED : static_cast<Number>(t.size);
})
PSIM_MPI_CALL(Type_size_x, (MPI_Datatype type, MPI_Count* size), with, type,
              [=](Datatype& t) { out(size) = static_cast<MPI_Count>(t.size); })
PSIM_MPI_COUNTED_CALL(Type_get_extent, (MPI_Datatype type, Reach* lb, Reach* extent), with, type,
                      [=](Datatype& t) {
                        out(lb) = t.lb;
                        out(extent) = t.extent();
                      })
PSIM_MPI(int, Type_get_extent_x, (MPI_Datatype type, MPI_Count* lb, MPI_Count* extent)) {
  return with("MPI_Type_get_extent_x", type, [=](Datatype& t) {
    out(lb) = t.lb;
    out(extent) = t.extent();
  });
}
PSIM_MPI_COUNTED_CALL(Type_get_true_extent, (MPI_Datatype type, Reach* lb, Reach* extent), with, type,
                      [=](Datatype& t) {
                        out(lb) = t.true_lb;
                        out(extent) = t.true_ub - t.true_lb;
                      })
PSIM_MPI(int, Type_get_true_extent_x, (MPI_Datatype type, MPI_Count* lb, MPI_Count* extent)) {
  return with("MPI_Type_get_true_extent_x", type, [=](Datatype& t) {
    out(lb) = t.true_lb;
    out(extent) = t.true_ub - t.true_lb;
  });
}
PSIM_MPI_CALL(Type_extent, (MPI_Datatype type, MPI_Aint* extent), with, type,
              [=](Datatype& t) { out(extent) = t.extent(); })
PSIM_MPI_CALL(Type_lb, (MPI_Datatype type, MPI_Aint* lb), with, type, [=](Datatype& t) { out(lb) = t.lb; })
PSIM_MPI_CALL(Type_ub, (MPI_Datatype type, MPI_Aint* ub), with, type, [=](Datatype& t) { out(ub) = t.ub; })
PSIM_MPI_CALL(Get_address, (const void* location, MPI_Aint* address), unobserved,
              [&] { out(address) = reinterpret_cast<MPI_Aint>(location); })
PSIM_MPI_CALL(Address, (void* location, MPI_Aint* address), unobserved,
              [&] { out(address) = reinterpret_cast<MPI_Aint>(location); })
PSIM_MPI_CALL(Type_set_name, (MPI_Datatype type, const char* name), with, type,
              [=](Datatype& t) { t.name = std::string(&out(name)).substr(0, MPI_MAX_OBJECT_NAME - 1); })
PSIM_MPI(int, Type_get_name, (MPI_Datatype type, char* name, int* length)) {
  if (type == MPI_DATATYPE_NULL)
    return unobserved("MPI_Type_get_name", [&] {
      std::strcpy(&out(name), "MPI_DATATYPE_NULL");
      out(length) = static_cast<int>(std::strlen(name));
    });
  return with("MPI_Type_get_name", type, [=](Datatype& t) {
    std::strcpy(&out(name), t.name.c_str());
    out(length) = static_cast<int>(t.name.size());
  });
}
PSIM_MPI(int, Type_get_envelope,
         (MPI_Datatype type, int* integers, int* addresses, int* types, int* combiner)) {
  return with("MPI_Type_get_envelope", type, [=](Datatype& t) {
    require(!t.contents.large, MPI_ERR_TYPE, kOnlyLarge);
    out(integers) = static_cast<int>(t.contents.integers.size());
    out(addresses) = static_cast<int>(t.contents.addresses.size());
    out(types) = static_cast<int>(t.contents.types.size());
    out(combiner) = t.combiner;
  });
}
PSIM_MPI(int, Type_get_contents,
         (MPI_Datatype type, int max_integers, int max_addresses, int max_types, int* integers,
          MPI_Aint* addresses, MPI_Datatype* types)) {
  return with("MPI_Type_get_contents", type, [=](Datatype& t) {
    const Contents& c = t.contents;
    require(t.combiner != MPI_COMBINER_NAMED, MPI_ERR_TYPE, "a predefined datatype has no contents");
    require(!c.large, MPI_ERR_TYPE, kOnlyLarge);
    require(max_integers >= static_cast<int>(c.integers.size()) &&
                max_addresses >= static_cast<int>(c.addresses.size()) &&
                max_types >= static_cast<int>(c.types.size()),
            MPI_ERR_ARG);
    check_array(integers, static_cast<int>(c.integers.size()), "array_of_integers");
    check_array(addresses, static_cast<int>(c.addresses.size()), "array_of_addresses");
    check_array(types, static_cast<int>(c.types.size()), "array_of_datatypes");
    std::copy(c.integers.begin(), c.integers.end(), integers);
    std::copy(c.addresses.begin(), c.addresses.end(), addresses);
    give_types(t, types);
  });
}
PSIM_MPI(int, Type_get_envelope_c,
         (MPI_Datatype type, MPI_Count* integers, MPI_Count* addresses, MPI_Count* large, MPI_Count* types,
          int* combiner)) {
  return with("MPI_Type_get_envelope_c", type, [=](Datatype& t) {
    const LargeContents c(t);
    out(integers) = static_cast<MPI_Count>(c.integers.size());
    out(addresses) = static_cast<MPI_Count>(c.addresses.size());
    out(large) = static_cast<MPI_Count>(c.large.size());
    out(types) = static_cast<MPI_Count>(t.contents.types.size());
    out(combiner) = t.combiner;
  });
}
PSIM_MPI(int, Type_get_contents_c,
         (MPI_Datatype type, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large,
          MPI_Count max_types, int* integers, MPI_Aint* addresses, MPI_Count* large, MPI_Datatype* types)) {
  return with("MPI_Type_get_contents_c", type, [=](Datatype& t) {
    require(t.combiner != MPI_COMBINER_NAMED, MPI_ERR_TYPE, "a predefined datatype has no contents");
    const LargeContents c(t);
    const auto give = [](const auto& from, MPI_Count room, auto* to, const char* argument) {
      const auto n = static_cast<MPI_Count>(from.size());
      require(room >= n, MPI_ERR_ARG, "a list is shorter than its part of the contents");
      check_array(to, n, argument);
      std::copy(from.begin(), from.end(), to);
    };
    give(c.integers, max_integers, integers, "array_of_integers");
    give(c.addresses, max_addresses, addresses, "array_of_addresses");
    give(c.large, max_large, large, "array_of_large_counts");
    give(t.contents.types, max_types, types, "array_of_datatypes");
    give_types(t, types);
  });
}

PSIM_MPI_CALL(Type_match_size, (int type_class, int size, MPI_Datatype* result), guarded, [&] {
  struct Row {
    int type_class, size;
    MPI_Datatype type;
  };
  constexpr Row kRows[] = {
      {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},   {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
      {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},   {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
      {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16}, {MPI_TYPECLASS_REAL, 4, MPI_REAL4},
      {MPI_TYPECLASS_REAL, 8, MPI_REAL8},         {MPI_TYPECLASS_REAL, 16, MPI_REAL16},
      {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},   {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
      {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32}};
  for (const Row& row : kRows)
    if (row.type_class == type_class && row.size == size) {
      out(result) = row.type;
      return;
    }
  fail(MPI_ERR_ARG);
})

/// Returns the type of MPI_MINLOC and MPI_MAXLOC for a pair, or MPI_DATATYPE_NULL if there is none.
PSIM_MPI(int, Type_get_value_index, (MPI_Datatype value, MPI_Datatype index, MPI_Datatype* pair)) {
  return guarded("MPI_Type_get_value_index", [&] {
    struct Row {
      MPI_Datatype value, index, pair;
    };
    constexpr Row kRows[] = {{MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
                             {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
                             {MPI_LONG, MPI_INT, MPI_LONG_INT},
                             {MPI_INT, MPI_INT, MPI_2INT},
                             {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
                             {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
                             {MPI_REAL, MPI_REAL, MPI_2REAL},
                             {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
                             {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER}};
    datatype(value);
    datatype(index);
    out(pair) = MPI_DATATYPE_NULL;
    for (const Row& row : kRows)
      if (row.value == value && row.index == index) *pair = row.pair;
  });
}
