// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/cache_place.h"

#include <cstdlib>

#include <fmt/format.h>

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOff = "off";

fs::path folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

}  // namespace

fs::path user_cache() {
  if (fs::path cache = folder_in("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "snellen";
  fs::path home = folder_in("HOME");
  return home.empty() ? home : home / ".cache" / "snellen";
}

fs::path data_registry_file() {
  const fs::path own = fs::path("snellen") / "data.json";
  if (fs::path config = folder_in("XDG_CONFIG_HOME"); config.is_absolute()) return config / own;
  const fs::path home = folder_in("HOME");
  return home.empty() ? home : home / ".config" / own;
}

fs::path row_cache_folder(const std::string& flag) {
  if (!flag.empty()) return flag;
  if (fs::path named = folder_in("SNELLEN_CACHE"); !named.empty())
    return named == kOff ? fs::path() : named;
  return user_cache();
}

fs::path hub_cache() {
  for (const char* variable : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}) {
    if (fs::path named = folder_in(variable); !named.empty()) return named;
  }
  if (fs::path home = folder_in("HF_HOME"); !home.empty()) return home / "hub";
  const fs::path own = user_cache();
  return own.empty() ? own : own.parent_path() / "huggingface" / "hub";
}

std::string numeric_variables() {
  std::string facts;
  for (const char* variable : {"ONEDNN_MAX_CPU_ISA",
                               "DNNL_MAX_CPU_ISA",
                               "ATEN_CPU_CAPABILITY",
                               "MKL_CBWR",
                               "MKL_ENABLE_INSTRUCTIONS"}) {
    if (const char* value = std::getenv(variable)) facts += fmt::format("{}={}\n", variable, value);
  }
  return facts;
}

}  // namespace snellen::cli
