// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/networks.h"

#include <cstdlib>

#include "apps/cli/data_folder.h"
#include "apps/cli/run/cache_place.h"

namespace snellen::cli {

namespace fs = std::filesystem;

inference::Installation installation_of(const Context& context) {
  constexpr const char* kModule = "libsnellen_networks.so";
  inference::Installation found{.clip_vocabulary = find_data_or_none(
                                    context, fs::path("clip") / "bpe_simple_vocab_16e6.txt.gz"),
                                .cache = row_cache_folder({}),
                                .hub = hub_cache(),
                                .variables = numeric_variables(),
                                .variable = [](const std::string& name) -> std::string {
                                  const char* value = std::getenv(name.c_str());
                                  return value == nullptr ? "" : value;
                                }};
  const fs::path folder = fs::canonical(context.program).parent_path();
  for (const fs::path& place : {folder, folder.parent_path() / "lib"}) {
    std::error_code ignored;
    if (found.module.empty() && fs::exists(place / kModule, ignored))
      found.module = place / kModule;
  }
  return found;
}

std::vector<config::Option> network_flag_options() {
  using config::option;
  using S = NetworkFlags;
  return {
      option(&S::model, "model", "checkpoint folder, or published name as ORG/NAME")
          .value("DIR")
          .required(),
      option(&S::layout, "layout", "which files to read where a folder has both")
          .choices({"auto", "hf", "open_clip"}),
      option(&S::device, "device", "cpu, cuda or cuda:N"),
      option(&S::dtype, "dtype", "number type; auto: bf16 where the processor is fast with it")
          .choices({"auto", "fp32", "bf16", "fp16"}),
      option(&S::quick_gelu, "quick-gelu", "QuickGELU in open_clip folders; auto: as their config")
          .choices({"auto", "on", "off"})};
}

}  // namespace snellen::cli
