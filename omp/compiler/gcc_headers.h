// SPDX-License-Identifier: Apache-2.0
// The headers of gcc 12's plug-in interface, in the order that they need.
#ifndef PSIM_OMP_COMPILER_GCC_HEADERS_H
#define PSIM_OMP_COMPILER_GCC_HEADERS_H

// clang-format off

#include <gcc-plugin.h>
#include <plugin-version.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <ssa.h>
#include <gimple-pretty-print.h>
#include <gimple-iterator.h>
#include <gimple-walk.h>
#include <gimplify.h>
#include <tree-ssa.h>
#include <gimple-fold.h>
#include <gimplify-me.h>
#include <cgraph.h>
#include <cfganal.h>
#include <cfgloop.h>
#include <cfgloopmanip.h>
#include <tree-cfg.h>
#include <tree-into-ssa.h>
#include <tree-ssa-loop.h>
#include <tree-ssa-loop-niter.h>
#include <tree-ssa-loop-manip.h>
#include <tree-scalar-evolution.h>
#include <tree-chrec.h>
#include <tree-data-ref.h>
#include <tree-ssa-propagate.h>
#include <fold-const.h>
#include <stor-layout.h>
#include <stringpool.h>
#include <attribs.h>
#include <omp-general.h>
#include <builtins.h>
#include <varasm.h>
#include <diagnostic.h>
#include <tree-dfa.h>
#include <tree-affine.h>
#include <tree-eh.h>
#include <internal-fn.h>
#include <langhooks.h>
// clang-format on

#endif
