// SPDX-License-Identifier: Apache-2.0
#include "mpi/file/representation.h"

#include <limits>
#include <map>

#include "mpi/api.h"
#include "mpi/datatype/external32.h"
#include "mpi/datatype/file_layout.h"
#include "mpi/object/run_state.h"

namespace psim::net::mpi {
namespace {

/// The representations that the running rank has registered. Without functions, their files are as memory.
std::map<std::string, Conversion, std::less<>>& registered() {
  static RunState<std::map<std::uint32_t, std::map<std::string, Conversion, std::less<>>>> all;  // by rank
  return all.value[self().id];
}

bool is_of_library(std::string_view name) {
  return name == "native" || name == "internal" || name == "external32";
}

/// Returns the numbers of an element.
std::uint64_t numbers_of(const Datatype& type) {
  std::uint64_t numbers = 0;
  for (const Segment& s : type.segments) numbers += s.repeats * s.count;
  return numbers * type.copies;
}

void convert(const Conversion& by, const Conversion::Function& function, Datatype& type, std::byte* user,
             std::uint64_t numbers, std::byte* file) {
  require(function.large != nullptr || numbers <= static_cast<std::uint64_t>(std::numeric_limits<int>::max()),
          MPI_ERR_COUNT, "a conversion of more than 2^31 - 1 numbers by a function with int counts");
  const int code = function.large != nullptr
                       ? function.large(user, type.handle, static_cast<MPI_Count>(numbers), file, 0, by.extra)
                       : function.small(user, type.handle, static_cast<int>(numbers), file, 0, by.extra);
  require(code == MPI_SUCCESS, MPI_ERR_CONVERSION, "a conversion function of the program failed");
}

}  // namespace

Representation::Representation(std::string_view name) : name_(name), external32_(name == "external32") {
  if (is_of_library(name)) return;
  const auto found = registered().find(name);
  require(found != registered().end(), MPI_ERR_UNSUPPORTED_DATAREP);
  if (found->second.read || found->second.write) conversion_ = &found->second;
}

std::uint64_t Representation::size_of(const Datatype& type) const {
  return external32_ ? external32_size(type) : conversion_ != nullptr ? layout(type)->size : type.size;
}

std::unique_ptr<Datatype> Representation::layout(const Datatype& type) const {
  if (external32_) return file_layout(type, external32_size);
  if (conversion_ == nullptr) return nullptr;
  return file_layout(type, [this](const Datatype& predefined) {
    MPI_Aint extent = 0;
    const int code = conversion_->extent(predefined.handle, &extent, conversion_->extra);
    require(code == MPI_SUCCESS && extent >= 0, MPI_ERR_CONVERSION,
            "an extent function of the program failed");
    return static_cast<std::uint64_t>(extent);
  });
}

void Representation::check_native(const Datatype& type) const {
  require(size_of(type) == type.size, MPI_ERR_CONVERSION,
          "types have other sizes in the file, and there is no conversion function for this direction");
}

void Representation::write(Datatype& type, std::uint64_t count, const std::byte* user,
                           std::byte* file) const {
  if (external32_) return pack_external32(type, count, user, file);
  if (conversion_ != nullptr && conversion_->write)
    return convert(*conversion_, conversion_->write, type, const_cast<std::byte*>(user),
                   count * numbers_of(type), file);
  check_native(type);
  pack(type, count, user, file, 0, count * type.size);
}

std::uint64_t Representation::read(Datatype& type, std::uint64_t count, std::byte* user, std::byte* file,
                                   std::uint64_t bytes) const {
  if (external32_) return unpack_external32(type, count, user, file, bytes);
  if (conversion_ == nullptr || !conversion_->read) {
    check_native(type);
    return unpack(type, count, user, file, 0, bytes);
  }
  const std::uint64_t whole = bytes / size_of(type);
  convert(*conversion_, conversion_->read, type, user, whole * numbers_of(type), file);
  return whole * type.size;
}

}  // namespace psim::net::mpi

using namespace psim::net::mpi;

namespace {

int register_representation(const char* function, const char* name, const Conversion& by) {
  const Failure wrong = [&]() -> Failure {
    try {
      const std::string_view text = &out(name);
      require(!text.empty() && text.size() < MPI_MAX_DATAREP_STRING, MPI_ERR_ARG);
      require(by.extent != nullptr || (!by.read && !by.write), MPI_ERR_ARG,
              "dtype_file_extent_fn is a null pointer");
      require(!is_of_library(text) && !registered().contains(text), MPI_ERR_DUP_DATAREP);
      registered().emplace(text, by);
      return {MPI_SUCCESS, nullptr};
    } catch (const Failure& failure) {
      return failure;
    }
  }();
  return wrong.code == MPI_SUCCESS ? MPI_SUCCESS
                                   : raise_file(function, MPI_FILE_NULL, wrong.code, wrong.note);
}

}  // namespace

PSIM_MPI_CALL(Register_datarep,
              (const char* name, MPI_Datarep_conversion_function* read,
               MPI_Datarep_conversion_function* write, MPI_Datarep_extent_function* extent, void* extra),
              register_representation, name, {{read, nullptr}, {write, nullptr}, extent, extra})
PSIM_MPI_CALL(Register_datarep_c,
              (const char* name, MPI_Datarep_conversion_function_c* read,
               MPI_Datarep_conversion_function_c* write, MPI_Datarep_extent_function* extent, void* extra),
              register_representation, name, {{nullptr, read}, {nullptr, write}, extent, extra})
