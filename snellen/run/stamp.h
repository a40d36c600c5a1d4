// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/config/options.h"
#include "snellen/models/model.h"
#include "snellen/run/plan.h"
#include "snellen/run/settings.h"
#include "snellen/store/run_folder.h"
#include "snellen/store/samples.h"

namespace snellen::run {

// SHA-256 of the files that the tasks read; a thread of its own may make them while a model opens.
using InputHashes = std::map<std::filesystem::path, std::string>;
InputHashes input_hashes(const std::vector<OpenTask>& tasks);

// What makes a run's results what they are: two runs with the same identity come to the same bytes.
// It leaves out threads, batch size, folders and the shard.
nlohmann::ordered_json identity_of(const config::Options& options,
                                   const RunSettings& settings,
                                   const std::vector<OpenTask>& tasks,
                                   const InputHashes& hashes,
                                   const models::Model& model);

// The part of it that tells of the tasks: their items and the hashes of their inputs.
nlohmann::ordered_json identity_of(const std::vector<OpenTask>& tasks, const InputHashes& hashes);

// Where the inputs that the identity names lay, by task and name: for verifying, not part of the
// identity.
nlohmann::ordered_json input_paths(const std::vector<OpenTask>& tasks);

// The stamp of a run that begins: identity, command, machine, settings; verdict "running".
nlohmann::ordered_json begin_stamp(const nlohmann::ordered_json& identity,
                                   const config::Options& options,
                                   const RunSettings& settings,
                                   const std::string& command);

// The first key (as a path) at which two objects differ, and both values; empty when they are the
// same.
std::string first_difference(const nlohmann::ordered_json& there,
                             const nlohmann::ordered_json& here,
                             const std::string& path = {});

// Of this machine, as far as results may depend on it.
std::string instruction_set();

// The settings that a run was made with, without those that were retired since. Throws kUsage for
// one that does not fit, nlohmann's errors for a stamp that is malformed.
config::Options options_of(const nlohmann::ordered_json& stamp,
                           const Catalogue& catalogue,
                           const std::string& where);

// An identity and a shard as samples.db keeps them: sorted by name.
store::IdentityFacts facts_of(const nlohmann::ordered_json& identity, const Shard& shard);
// Remembers them in samples that have none; throws kUsage, naming the first difference, for those
// of another run, whatever became of its run.json.
void expect_same_run(store::Samples& samples, const store::IdentityFacts& mine);

// Throws kUsage, naming the first difference, when a folder's stamp is another run's.
void check_same_run(const nlohmann::ordered_json& there,
                    const nlohmann::ordered_json& mine,
                    const store::RunPaths& paths);

// "2026-11-15T06:30:00Z"
std::string utc_now();

// Removes what an earlier run left that ended without a single score: it stands in nobody's way.
void remove_if_nothing_scored(const store::RunPaths& paths);

}  // namespace snellen::run
