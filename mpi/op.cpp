// SPDX-License-Identifier: Apache-2.0
#include "mpi/op.h"

#include <complex>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>

#include "mpi/datatype/aligned.h"
#include "mpi/library.h"
#include "mpi/object/failure.h"
#include "mpi/object/pool.h"
#include "mpi/protocol.h"

namespace psim::net::mpi {
namespace {

using Kernel = void(const std::byte*, std::byte*, std::uint64_t);
/// IEEE 754 binary128, of MPI_REAL16.
#ifdef __sparc__
using Quad = long double;
#else
using Quad = __float128;
#endif

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// The largest power of two, at most 8, that divides the size: the alignment of elements in aligned data.
template <class T>
constexpr std::size_t kUnitOf = (sizeof(T) | 8) & -(sizeof(T) | 8);

/// Applies F to each pair of elements; both addresses are multiples of `kUnit`.
template <class T, auto F, std::size_t kUnit>
void combine(const std::byte* in, std::byte* inout, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    alignas(T) alignas(kUnit) T a, b;
    copy_aligned<sizeof(T), kUnit>(&a, in + i * sizeof(T));
    copy_aligned<sizeof(T), kUnit>(&b, inout + i * sizeof(T));
    b = static_cast<T>(F(a, b));
    copy_aligned<sizeof(T), kUnit>(inout + i * sizeof(T), &b);
  }
}

/// Returns the function that applies F to each pair of elements of packed data, which may be unaligned.
template <class T, auto F>
constexpr Kernel* kernel() {
  return [](const std::byte* in, std::byte* inout, std::uint64_t count) {
    constexpr std::size_t kUnit = kMustAlign ? kUnitOf<T> : 1;
    if constexpr (kUnit > 1) {
      const auto address = reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(inout);
      if (address % kUnit == 0) [[likely]]
        return combine<T, F, kUnit>(in, inout, count);
    }
    combine<T, F, 1>(in, inout, count);
  };
}

/// Integers wrap around as the processor's do, signed ones too.
template <class T, class Operation>
T wrapping(T a, T b, Operation operation) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    using Bits = std::make_unsigned_t<decltype(a + b)>;
    return static_cast<T>(operation(static_cast<Bits>(a), static_cast<Bits>(b)));
  } else {
    return static_cast<T>(operation(a, b));
  }
}
constexpr auto kMax = [](auto a, auto b) { return a > b ? a : b; };
constexpr auto kMin = [](auto a, auto b) { return a < b ? a : b; };
constexpr auto kSum = [](auto a, auto b) { return wrapping(a, b, std::plus<>()); };
constexpr auto kProduct = [](auto a, auto b) { return wrapping(a, b, std::multiplies<>()); };
constexpr auto kLogicalXor = [](auto a, auto b) { return !a != !b; };

#pragma pack(push, 1)
template <class V, class P>
struct Located {
  V value;
  P location;
};
#pragma pack(pop)
template <bool kGreatest>
constexpr auto kLocate = [](const auto& a, const auto& b) {
  if (a.value == b.value) return a.location < b.location ? a : b;
  return (a.value > b.value) == kGreatest ? a : b;
};

// Kernels of groups of operations, by MPI's code of the operation; null for another group's.

template <class T>
Kernel* arithmetic(int code) {
  return code == 3 ? kernel<T, kSum>() : code == 4 ? kernel<T, kProduct>() : nullptr;
}

template <class T>
Kernel* ordered(int code) {
  return code == 1 ? kernel<T, kMax>() : code == 2 ? kernel<T, kMin>() : arithmetic<T>(code);
}

template <class T>
Kernel* logical(int code) {
  return code == 5   ? kernel<T, std::logical_and{}>()
         : code == 7 ? kernel<T, std::logical_or{}>()
         : code == 9 ? kernel<T, kLogicalXor>()
                     : nullptr;
}

template <class T>
Kernel* bitwise(int code) {
  return code == 6    ? kernel<T, std::bit_and{}>()
         : code == 8  ? kernel<T, std::bit_or{}>()
         : code == 10 ? kernel<T, std::bit_xor{}>()
                      : nullptr;
}

template <class T>
Kernel* integer(int code) {
  if (Kernel* k = ordered<T>(code)) return k;
  if (Kernel* k = logical<T>(code)) return k;
  return bitwise<T>(code);
}

/// Returns the kernel for real numbers. MPI-3.1 defines logical operations for integers and logicals only,
/// but programs use them on reals too.
template <class T>
Kernel* real(int code) {
  if (Kernel* k = ordered<T>(code)) return k;
  return logical<T>(code);
}

template <class V, class P>
Kernel* located(int code) {
  using L = Located<V, P>;
  return code == 11 ? kernel<L, kLocate<true>>() : code == 12 ? kernel<L, kLocate<false>>() : nullptr;
}

Kernel* find_kernel(int code, Basic basic) {
  switch (basic) {
    case Basic::Int8:
    case Basic::Character:
      return integer<std::int8_t>(code);
    case Basic::Uint8:
      return integer<std::uint8_t>(code);
    case Basic::Int16:
      return integer<std::int16_t>(code);
    case Basic::Uint16:
      return integer<std::uint16_t>(code);
    case Basic::Int32:
      return integer<std::int32_t>(code);
    case Basic::Uint32:
      return integer<std::uint32_t>(code);
    case Basic::Int64:
    case Basic::Long:
      return integer<std::int64_t>(code);
    case Basic::Uint64:
    case Basic::UnsignedLong:
      return integer<std::uint64_t>(code);
    case Basic::Int128:  // only unsigned sums and products wrap around
      return code == 3 || code == 4 ? arithmetic<Uint128>(code) : integer<Int128>(code);
    case Basic::Float:
      return real<float>(code);
    case Basic::Double:
      return real<double>(code);
    case Basic::LongDouble:
      return real<long double>(code);
    case Basic::Quad:
      return ordered<Quad>(code);
    case Basic::ComplexFloat:
      return arithmetic<std::complex<float>>(code);
    case Basic::ComplexDouble:
      return arithmetic<std::complex<double>>(code);
    case Basic::ComplexLongDouble:
      return arithmetic<std::complex<long double>>(code);
    case Basic::ComplexQuad:
      return nullptr;
    case Basic::Bool8:
      return logical<bool>(code);
    case Basic::Logical:
      return logical<std::int32_t>(code);
    case Basic::Byte:
      return bitwise<std::uint8_t>(code);
    case Basic::IntInt:
      return located<int, int>(code);
    case Basic::ShortInt:
      return located<short, int>(code);
    case Basic::LongInt:
      return located<long, int>(code);
    case Basic::FloatInt:
      return located<float, int>(code);
    case Basic::DoubleInt:
      return located<double, int>(code);
    case Basic::LongDoubleInt:
      return located<long double, int>(code);
    case Basic::FloatFloat:
      return located<float, float>(code);
    case Basic::DoubleDouble:
      return located<double, double>(code);
    case Basic::None:
    case Basic::WideCharacter:
      return nullptr;
  }
  return nullptr;
}

/// Returns the element that a predefined operation combines: the type itself or, for windows only, the type
/// that a derived one repeats.
Basic element(const Datatype& type) { return type.basic != Basic::None ? type.basic : type.only; }

template <class Count>
void call(Rank& rank, void (*function)(void*, void*, Count*, MPI_Datatype*), void* in, void* inout,
          Count count, MPI_Datatype handle) {
  if (!library->in_callback) {
    function(in, inout, &count, &handle);
    return;
  }
  struct Errand {
    void (*function)(void*, void*, Count*, MPI_Datatype*);
    void *in, *inout;
    Count* count;
    MPI_Datatype* handle;
  } errand{function, in, inout, &count, &handle};
  library->serving = &rank;
  library->host.call(
      RankId{rank.id},
      [](void* argument) {
        const auto& e = *static_cast<Errand*>(argument);
        e.function(e.in, e.inout, e.count, e.handle);
      },
      &errand);
  library->serving = nullptr;
}

void call(Rank& rank, const Op& operation, void* in, void* inout, std::uint64_t count, MPI_Datatype handle) {
  if (operation.large != nullptr)
    call(rank, operation.large, in, inout, static_cast<MPI_Count>(count), handle);
  else
    call(rank, operation.function, in, inout, static_cast<int>(count), handle);
}

void apply_user(Rank& rank, const Op& operation, Datatype& type, const std::byte* in, std::byte* inout,
                std::uint64_t count) {
  // Counts may exceed the function's int: of functions with large counts, and as sums in MPI_Reduce_scatter.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  for (; operation.large == nullptr && count > kMost; count -= kMost) {
    apply_user(rank, operation, type, in, inout, kMost);
    in += kMost * type.size;
    inout += kMost * type.size;
  }
  if (type.contiguous) {
    call(rank, operation, const_cast<std::byte*>(in), inout, count, type.handle);
    return;
  }
  const auto room = static_cast<std::size_t>(type.extent()) * (count - 1) +
                    static_cast<std::size_t>(type.true_ub - type.true_lb);
  const auto a = std::make_unique<std::byte[]>(room), b = std::make_unique<std::byte[]>(room);
  std::byte *in_layout = a.get() - type.true_lb, *inout_layout = b.get() - type.true_lb;
  const std::uint64_t bytes = count * type.size;
  unpack(type, count, in_layout, in, 0, bytes);
  unpack(type, count, inout_layout, inout, 0, bytes);
  call(rank, operation, in_layout, inout_layout, count, type.handle);
  pack(type, count, inout_layout, inout, 0, bytes);
}

/// The operations of all ranks of the host process.
struct OpSlot {
  Ref<Op> op;
};
using Ops = Pool<OpSlot, 6>;
Ops& ops() {
  static Ops pool;
  if (pool.in_use() == 0)
    for (int code = 1; code <= 14; ++code) {
      const std::uint32_t index = pool.take();
      pool[index].op = Ref<Op>(new Op);
      pool[index].op->code = code;
      pool[index].op->commutative = code != 13;
    }
  return pool;
}

}  // namespace

Op& op(MPI_Op handle) {
  Ops& pool = ops();
  const std::uint32_t index = handle_index(handle);
  require(is_handle(handle, HandleKind::Op) && pool.holds(index) && pool[index].op, MPI_ERR_OP,
          handle == MPI_OP_NULL ? "MPI_OP_NULL" : "no operation has this handle");
  return *pool[index].op;
}

MPI_Op new_op(MPI_User_function* function, MPI_User_function_c* large, bool commutative) {
  const std::uint32_t index = ops().take();
  ops()[index].op = Ref<Op>(new Op);
  ops()[index].op->function = function;
  ops()[index].op->large = large;
  ops()[index].op->commutative = commutative;
  return make_handle(HandleKind::Op, index);
}

void free_op(MPI_Op handle) {
  require(!op(handle).predefined(), MPI_ERR_OP, "a predefined operation cannot be freed");
  ops().give(handle_index(handle));
}

void require_defined(const Op& operation, const Datatype& type) {
  if (!operation.predefined() || operation.code >= 13 || type.size == 0) return;
  require(find_kernel(operation.code, element(type)) != nullptr, MPI_ERR_OP,
          "the operation is not defined for the datatype");
}

void apply(Rank& rank, const Op& operation, Datatype& type, const std::byte* in, std::byte* inout,
           std::uint64_t count) {
  if (count == 0 || size_only()) return;
  if (!operation.predefined()) return apply_user(rank, operation, type, in, inout, count);
  const std::uint64_t bytes = count * type.size;
  if (operation.code == 14) return;                                      // MPI_NO_OP
  if (operation.code == 13) return void(std::memcpy(inout, in, bytes));  // MPI_REPLACE
  const Basic basic = element(type);
  find_kernel(operation.code, basic)(in, inout, bytes / size_of(basic));
}

}  // namespace psim::net::mpi
