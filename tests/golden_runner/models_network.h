// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "snellen/models/network.h"

namespace snellen::golden {

// The network of a checkpoint folder; null in a build without torch. Throws what loading throws.
std::unique_ptr<models::Network> load_network(const std::filesystem::path& folder);

}  // namespace snellen::golden
