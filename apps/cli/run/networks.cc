// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/networks.h"

#include "apps/cli/data_folder.h"
#include "apps/cli/run/cache_place.h"

namespace snellen::cli {

namespace fs = std::filesystem;

inference::Installation installation_of(const Context& context) {
  constexpr const char* kModule = "libsnellen_networks.so";
  inference::Installation found{.clip_vocabulary = find_data_or_none(
                                    context, fs::path("clip") / "bpe_simple_vocab_16e6.txt.gz"),
                                .cache = row_cache_folder({}),
                                .variables = numeric_variables()};
  const fs::path folder = fs::canonical(context.program).parent_path();
  for (const fs::path& place : {folder, folder.parent_path() / "lib"}) {
    std::error_code ignored;
    if (found.module.empty() && fs::exists(place / kModule, ignored))
      found.module = place / kModule;
  }
  return found;
}

void add_network_flags(CLI::App& verb, NetworkFlags& flags) {
  verb.add_option("--model", flags.model, "checkpoint folder, as downloaded")
      ->required()
      ->type_name("DIR");
  verb.add_option(
          "--layout", flags.layout, "whose files to read where a folder has both (default auto)")
      ->check(CLI::IsMember({"auto", "hf", "open_clip"}));
  verb.add_option("--device", flags.device, "cpu, cuda or cuda:N (default cpu)");
  verb.add_option(
          "--dtype",
          flags.dtype,
          "numbers to compute in (default fp32; auto takes bf16 where the processor has units "
          "for it)")
      ->check(CLI::IsMember({"auto", "fp32", "bf16", "fp16"}));
  verb.add_option("--quick-gelu",
                  flags.quick_gelu,
                  "open_clip folders: QuickGELU as the config says, on or off")
      ->check(CLI::IsMember({"auto", "on", "off"}));
}

}  // namespace snellen::cli
