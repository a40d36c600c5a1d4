// SPDX-License-Identifier: Apache-2.0
// Each rung of a ladder is a run folder of its own below the run's: RUN/control/gray with run.json,
// samples.db and results.json, so that every verb that reads a run reads it, and a rung that is
// named later is scored without the others being scored again.
#pragma once

#include <memory>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/run/control/control_file.h"
#include "snellen/run/control/ladder.h"
#include "snellen/run/ending/ending.h"
#include "snellen/run/engine/engine.h"
#include "snellen/store/run_folder.h"

namespace snellen::run {

// RUN/control
std::filesystem::path control_folder(const std::filesystem::path& run);

// The identity and stamp of a rung of the run that has this stamp.
nlohmann::ordered_json stamp_of_rung(const nlohmann::ordered_json& run, const Rung& rung);

class RungFolders {
 public:
  // Opens them to go on, or makes them. `run` is the run's stamp. Throws kUsage where another run
  // lies.
  RungFolders(const Ladder& ladder,
              const store::RunPaths& paths,
              const nlohmann::ordered_json& run,
              const RunSettings& settings);
  // Those of a draft of the run, with samples that were just made.
  struct Folder {
    const Ladder::Step* step = nullptr;
    store::RunPaths paths;
    nlohmann::ordered_json stamp;
    store::Samples samples;
    store::Results results = {};
  };
  explicit RungFolders(std::vector<std::unique_ptr<Folder>> folders)
      : folders_(std::move(folders)) {}

  // The run's own, then these.
  std::vector<store::Samples*> with(store::Samples& own);

  // Measures and stamps every rung. Adds what failed to the summary.
  void end(const Ending& run, bool is_complete, bool looks, RunSummary& summary);
  // What they tell about the run's own metrics; after end().
  metrics::ControlReport report(const Ladder& ladder,
                                const Ending& run,
                                store::Samples& own,
                                const store::Results& results);

 private:
  std::vector<std::unique_ptr<Folder>> folders_;
};

}  // namespace snellen::run
