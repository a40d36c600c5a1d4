// SPDX-License-Identifier: Apache-2.0
// run.json of somebody else's run folder: what reports show of it, whether it is the same run, and
// the settings it was made with.
#include "fuzz/fuzz_file.h"
#include "snellen/report/stored_run.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/stamp.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen;
  static const run::Catalogue kCatalogue = run::Catalogue::built_in();
  const fuzz::FuzzFolder folder(data, size, {"run.json"});
  fuzz::try_reading([&] {
    const report::StoredRun run = report::read_stored_run(folder.path());
    (void)report::fit_text(run.model);
    (void)run.stamped({"identity", "settings", "seed"});
    (void)store::json_text(run.stamp);
    fuzz::try_reading([&] {
      run::check_same_run(
          run.stamp, {{"identity", nlohmann::ordered_json::object()}, {"shard", "0/1"}}, run.paths);
    });
    try {
      (void)run::options_of(run.stamp, kCatalogue, "fuzz").resolved(/*identity_only=*/true);
    } catch (const nlohmann::json::exception&) {
      return;  // the verbs say that it is malformed
    }
  });
  return 0;
}
