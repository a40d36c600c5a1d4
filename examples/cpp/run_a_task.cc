// SPDX-License-Identifier: Apache-2.0
// Runs a task with a model and prints its metrics, as `snellen run` does:
//   run_a_task OUTPUT [--name value]...
// for instance: run_a_task runs --model fake --tasks probe-c --data share/snellen/demo
#include <atomic>
#include <iostream>

#include "snellen/base/error.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/engine/engine.h"
#include "snellen/run/settings.h"

int main(int argc, char** argv) {
  using namespace snellen;
  if (argc < 2) {
    std::cerr << "run_a_task OUTPUT [--name value]...\n";
    return 2;
  }
  try {
    run::Catalogue catalogue = run::Catalogue::built_in();
    catalogue.installation.module = SNELLEN_NETWORKS_MODULE;  // for --model FOLDER
    config::Options options(run::run_options(catalogue));
    options.set("output", argv[1], "OUTPUT");
    for (int i = 2; i + 1 < argc; i += 2)
      options.set(std::string_view(argv[i]).substr(2), argv[i + 1], argv[i]);

    // Set it from anywhere: what was scored is kept, and the same call goes on from there.
    const std::atomic<bool> is_stopped = false;
    const run::RunSummary summary = run::run_tasks(
        {.catalogue = catalogue,
         .options = options,
         .command = "run_a_task",
         .on_progress =
             [](const run::Progress& now) { std::cerr << now.done << " of " << now.total << '\n'; },
         .is_stopped = [&] { return is_stopped.load(); }});
    for (const metrics::Measurement& metric : summary.results.metrics)
      std::cout << metric.id << '\t' << metric.value << "\tn " << metric.n << '\n';
    std::cout << "wrote " << summary.folder.string() << '\n';
  } catch (const Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
