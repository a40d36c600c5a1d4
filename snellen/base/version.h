// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace snellen {

// The released version, as CMake's project() states it.
std::string_view version();
// The commit it was configured from; "unknown" outside a checkout.
std::string_view revision();

}  // namespace snellen
