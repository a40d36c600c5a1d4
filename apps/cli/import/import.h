// SPDX-License-Identifier: Apache-2.0
// The sources of `snellen import`, one file each; import.cc lists them.
#pragma once

#include <functional>

#include "apps/cli/verb.h"

namespace snellen::cli {

std::function<int()> add_import(Command app, Context& context);

std::function<int()> add_import_inspect_ai(Command import, Context& context);
std::function<int()> add_import_lmms_eval(Command import, Context& context);
std::function<int()> add_import_otter(Command import, Context& context);

}  // namespace snellen::cli
