// SPDX-License-Identifier: Apache-2.0
// The sub-commands of `snellen media`, one file each; media.cc lists them.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "apps/cli/verb.h"

namespace snellen::cli {

std::function<int()> add_media_corrupt(CLI::App& media, Context& context);
std::function<int()> add_media_noise(CLI::App& media, Context& context);
std::function<int()> add_media_cut(CLI::App& media, Context& context);
std::function<int()> add_media_info(CLI::App& media, Context& context);
std::function<int()> add_media_normalize_fps(CLI::App& media, Context& context);
std::function<int()> add_media_summary(CLI::App& media, Context& context);
std::function<int()> add_media_thumbnail(CLI::App& media, Context& context);

}  // namespace snellen::cli
