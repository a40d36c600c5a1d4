// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace snellen::inference {

// Everything besides model and input that decides the bits of a computed row: the program and the
// libraries that are loaded now (by build id, size and time), the processor, and where `is_on_gpu`
// the cards. In words, one fact per line.
std::string machine_facts(bool is_on_gpu);

}  // namespace snellen::inference
