// SPDX-License-Identifier: Apache-2.0
// What the pages are told. Numbers that are not finite are null.
#pragma once

#include <nlohmann/json.hpp>

#include "snellen/metrics/measurement.h"
#include "snellen/store/samples/sample.h"
#include "snellen/viewer/viewed_run.h"

namespace snellen::viewer {

nlohmann::ordered_json number_json(double value);
nlohmann::ordered_json measurement_json(const metrics::Measurement& one);

// A row of the item list.
nlohmann::ordered_json row_json(const ViewedRun& run, const store::Sample& sample);
// The same with values by name, the pairs of its scores, details and error.
nlohmann::ordered_json item_json(const ViewedRun& run, const store::Sample& sample);

// Whether the file's name says that it is a video.
bool is_clip(const std::string& path);

}  // namespace snellen::viewer
