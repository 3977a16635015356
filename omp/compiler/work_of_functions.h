// SPDX-License-Identifier: Apache-2.0
// Cycles of the runtime's functions of numbers, measured on machine simd16 in loops with perfect L1.
#ifndef PSIM_OMP_COMPILER_WORK_OF_FUNCTIONS_H
#define PSIM_OMP_COMPILER_WORK_OF_FUNCTIONS_H

#include "target_loop.h"

namespace psim_omp {

struct WorkOfFunction {
  Runtime which;        // that of double; that of float follows
  double on_scalar[2];  // cycles of a call with double, and with float
  double on_pes[2];     // likewise, for the results of all PEs
};
constexpr WorkOfFunction kWorkOfFunctions[] = {
    {Runtime::DivideD, {16, 12}, {90, 42}},    {Runtime::RootD, {20, 16}, {62, 45}},
    {Runtime::FloorD, {14, 14}, {22, 16}},     {Runtime::CeilD, {14, 14}, {22, 16}},
    {Runtime::TruncD, {14, 14}, {22, 16}},     {Runtime::RoundD, {16, 18}, {28, 22}},
    {Runtime::RintD, {13, 13}, {20, 15}},      {Runtime::ExpD, {86, 89}, {104, 91}},
    {Runtime::LogD, {154, 155}, {170, 158}},   {Runtime::SinD, {113, 113}, {130, 118}},
    {Runtime::CosD, {116, 119}, {132, 128}},   {Runtime::Exp2D, {86, 93}, {106, 93}},
    {Runtime::Log2D, {215, 214}, {239, 224}},  {Runtime::Log10D, {226, 225}, {249, 233}},
    {Runtime::Expm1D, {137, 134}, {157, 139}}, {Runtime::Log1pD, {210, 209}, {236, 221}},
    {Runtime::SinhD, {218, 219}, {240, 224}},  {Runtime::CoshD, {187, 185}, {203, 192}},
    {Runtime::TanhD, {182, 182}, {201, 186}},  {Runtime::CbrtD, {129, 129}, {151, 135}},
    {Runtime::TanD, {244, 247}, {267, 251}},   {Runtime::AsinD, {157, 158}, {191, 175}},
    {Runtime::AcosD, {154, 155}, {190, 175}},  {Runtime::AtanD, {196, 196}, {221, 205}},
    {Runtime::ErfD, {410, 410}, {435, 419}},   {Runtime::ErfcD, {425, 428}, {450, 437}},
    {Runtime::PowD, {379, 381}, {434, 412}},   {Runtime::HypotD, {128, 126}, {167, 146}},
    {Runtime::Atan2D, {192, 192}, {232, 211}}, {Runtime::FmodD, {212, 214}, {274, 251}},
    {Runtime::PowiD, {40, 40}, {60, 50}},
};

}  // namespace psim_omp

#endif
