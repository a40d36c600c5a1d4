// SPDX-License-Identifier: Apache-2.0
// What a run would ask an adapter, in a file, for a model that lives on another machine
// (docs/adapters.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "snellen/run/engine/engine.h"

namespace snellen::run {

// Where requests are written to and replies come from.
struct OfflineSettings {
  std::string replies;          // to requests that were exported, in the place of a model
  std::string export_requests;  // the file they are written to, in the place of a run
};
std::vector<config::Option> offline_options();

struct ExportedRequests {
  uint64_t num_requests = 0;
  uint64_t num_items = 0;
  uint64_t num_failed = 0;              // whose record is bad or whose picture cannot be read
  std::vector<store::Sample> failures;  // the first few
};

// Writes the file that --export-requests names: each distinct question once, in the order of the
// items that ask it first. The bytes depend on the inputs and settings alone; the file appears
// whole. Throws where a run could not begin, kInterrupted where it was stopped.
ExportedRequests export_requests(const RunRequest& request);

}  // namespace snellen::run
