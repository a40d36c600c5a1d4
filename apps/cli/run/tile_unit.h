// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace snellen::cli {

// Whether the processor's tile unit (AMX) multiplies bfloat16. It is tried in a child process: some
// virtual machines announce it and end a program that uses it. Call it before threads are started.
bool runs_tile_products();

}  // namespace snellen::cli
