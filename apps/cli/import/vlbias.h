// SPDX-License-Identifier: Apache-2.0
// What `snellen import` takes over from VLBiasBench.
#pragma once

#include <functional>

#include "apps/cli/verb.h"

namespace snellen::cli {

std::function<int()> add_import_collect(Command import, Context& context);
std::function<int()> add_import_log2json(Command import, Context& context);
std::function<int()> add_import_pack(Command import, Context& context);
std::function<int()> add_import_vlbias(Command import, Context& context);

}  // namespace snellen::cli
