// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace snellen::run {

// What a run folder of this title is called: nothing that leaves its place or hides, and a hash in
// the place of what is too long, so that two titles never share a folder by being cut.
std::string folder_name(std::string_view title);

}  // namespace snellen::run
