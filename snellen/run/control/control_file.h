// SPDX-License-Identifier: Apache-2.0
// control.json and control.csv (docs/control.md): what the rungs of a run tell.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "snellen/metrics/control/control_report.h"
#include "snellen/run/ending/measure.h"
#include "snellen/store/samples.h"

namespace snellen::run {

// The run itself, or one rung of it.
struct ControlSource {
  std::string rung = {};
  store::Samples& samples;
  std::span<const metrics::Measurement> metrics;  // measured from these samples
};

// Every metric of the run beside the same under each rung, item by item where it is the mean of a
// column; breakdowns by category and tag are left out. A function of the samples alone. Memory
// grows with the pictures that items share, not with the items.
metrics::ControlReport control_report(const ControlSource& clean,
                                      std::span<const ControlSource> rungs,
                                      const MeasureOptions& options);

std::string control_json(const metrics::ControlReport& report, const std::string& run);
std::string control_csv(const metrics::ControlReport& report);

// The controls that could not be applied, as the control.json of a run folder has them; none where
// there is no such file. Throws kInvalidInput for a file that is malformed.
std::vector<metrics::RungLeftOut> left_out_of(const std::filesystem::path& folder);

// Both files into the run folder; their names.
std::vector<std::filesystem::path> write_control(const metrics::ControlReport& report,
                                                 const std::string& run,
                                                 const std::filesystem::path& folder);

}  // namespace snellen::run
