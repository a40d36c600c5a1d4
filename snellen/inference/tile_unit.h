// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace snellen::inference {

// Whether the processor's tile unit (AMX) multiplies bfloat16. It is tried in a child process: some
// virtual machines announce it and end a program that uses it. It is tried once; call it first
// before threads are started.
bool runs_tile_products();

}  // namespace snellen::inference
