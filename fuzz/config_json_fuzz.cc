// SPDX-License-Identifier: Apache-2.0
// --config FILE: settings as JSON, or somebody else's run.json.
#include <string_view>

#include "fuzz/fuzz_file.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/settings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  static const run::Catalogue kCatalogue = run::Catalogue::built_in();
  static const config::Options kOptions = run::run_options(kCatalogue);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (bool keeps_set : {false, true}) {
    fuzz::try_reading([&] {
      config::Options options = kOptions;
      options.set("seed", "3", "fuzz");
      options.set_from_json(text, "fuzz", keeps_set);
      (void)options.resolved(/*identity_only=*/false);
      (void)run::settings_of(options, kCatalogue);
    });
  }
  return 0;
}
