// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/stamp.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <map>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/hash.h"
#include "snellen/base/version.h"
#include "snellen/models/network.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/keeping.h"
#include "snellen/run/open_model.h"

namespace snellen::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kStampSchema = 1;

// Inputs by file name; files of one name in several folders get a number.
std::vector<std::pair<std::string, std::filesystem::path>> named_inputs(const tasks::Task& task) {
  std::vector<std::pair<std::string, std::filesystem::path>> named;
  std::map<std::string, int> times;
  for (const std::filesystem::path& path : task.inputs()) {
    std::string name = path.filename().string();
    int time = ++times[name];
    named.emplace_back(time == 1 ? name : fmt::format("{} ({})", name, time), path);
  }
  return named;
}

Error another_run(const std::string& difference, const std::filesystem::path& folder) {
  return Error{ErrorCode::kUsage,
               fmt::format("holds another run: {}", difference),
               folder.string(),
               "give this run another --name or --output, or throw that one away with --overwrite"};
}

}  // namespace

std::string instruction_set() {
  if (__builtin_cpu_supports("avx512f")) return "x86-64 avx512";
  if (__builtin_cpu_supports("avx2")) return "x86-64 avx2";
  return "x86-64";
}

std::string first_difference(const Json& a, const Json& b, const std::string& path) {
  if (a == b) return {};
  auto text = [](const Json& value) { return store::json_text(value).substr(0, 80); };
  if (!a.is_object() || !b.is_object()) {
    return fmt::format("{} is {} there and {} here", path, text(a), text(b));
  }
  for (const auto& [key, value] : a.items()) {
    std::string below = path.empty() ? key : fmt::format("{}.{}", path, key);
    if (!b.contains(key)) return fmt::format("{} is {} there and not set here", below, text(value));
    std::string difference = first_difference(value, b[key], below);
    if (!difference.empty()) return difference;
  }
  for (const auto& [key, value] : b.items()) {
    if (!a.contains(key))
      return fmt::format("{}.{} is not set there and {} here", path, key, text(value));
  }
  return {};
}

Json input_paths(const std::vector<OpenTask>& tasks) {
  Json paths = Json::object();
  for (const OpenTask& task : tasks) {
    for (const auto& [name, path] : named_inputs(*task.task))
      paths[task.name][name] = std::filesystem::absolute(path).lexically_normal().string();
  }
  return paths;
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

InputHashes input_hashes(const std::vector<OpenTask>& tasks) {
  InputHashes hashes;
  for (const OpenTask& task : tasks) {
    for (const std::filesystem::path& path : task.task->inputs()) {
      if (!hashes.contains(path)) hashes.emplace(path, sha256_of_file(path));
    }
  }
  return hashes;
}

Json identity_of(const config::Options& options,
                 const RunSettings& settings,
                 const std::vector<OpenTask>& tasks,
                 const InputHashes& hashes,
                 const models::Model& model) {
  Json identity;
  identity["version"] = version();
  for (const auto& [name, value] : options.resolved(/*identity_only=*/true))
    identity["settings"][name] = value;
  // Where a score file lies does not matter, only what it holds; that is in the model's own
  // identity.
  // The same holds for a checkpoint folder.
  identity["settings"]["model"] =
      settings.is_folder ? "checkpoint" : settings.model.substr(0, settings.model.find(':'));
  identity["settings"]["name"] = settings.name;
  // The same of a task's file, whose hash is among the task's inputs.
  identity["settings"]["tasks"] = fmt::format("{}", fmt::join(settings.titles, ","));
  identity["settings"].erase("adapter");
  // Which items are left out is what the mark files hold.
  for (const std::filesystem::path& file : options.get<KeepingSettings>().marks)
    identity["left_out"].push_back(sha256_of_file(file));
  for (const models::Model::Identity& one : model.identity())
    identity["model"][one.name] = one.value;
  identity["tasks"] = identity_of(tasks, hashes);
  return identity;
}

Json identity_of(const std::vector<OpenTask>& tasks, const InputHashes& hashes) {
  Json identity;
  for (const OpenTask& task : tasks) {
    Json& facts = identity[task.name];
    for (const tasks::Part& part : task.parts) facts["items"][part.name] = part.num_items;
    for (const auto& [name, path] : named_inputs(*task.task))
      facts["inputs"][name] = hashes.at(path);
    if (const std::string content = task.task->content(); !content.empty())
      facts["content"] = content;
  }
  return identity;
}

namespace {

// Where scores are made, and of which numbers. Score files and built-in models are of doubles; what
// an adapter computes with is its own business.
std::pair<std::string, std::string> device_and_dtype(const config::Options& options,
                                                     const RunSettings& settings) {
  if (settings.model.starts_with("exec:")) return {"the adapter's", "the adapter's"};
  if (settings.model.starts_with("openai:")) return {"the server's", "the server's"};
  if (!settings.is_folder) return {"cpu", "float64"};
  const inference::NetworkChoice network = folder_request(options, settings).network;
  switch (inference::network_options(network).dtype) {
    case models::ElementKind::kBFloat16:
      return {network.device, "bfloat16"};
    case models::ElementKind::kFloat16:
      return {network.device, "float16"};
    case models::ElementKind::kFloat32:
      break;
  }
  return {network.device, "float32"};
}

}  // namespace

Json begin_stamp(const Json& identity,
                 const config::Options& options,
                 const RunSettings& settings,
                 const std::string& command) {
  Json stamp;
  stamp["schema"] = kStampSchema;
  stamp["tool"] = {{"name", "snellen"}, {"version", version()}, {"revision", revision()}};
  stamp["command"] = command;
  stamp["identity"] = identity;
  stamp["identity_sha256"] = sha256_hex(store::json_text(identity));
  stamp["shard"] = fmt::format("{}/{}", settings.shard.index, settings.shard.count);
  for (const auto& [name, value] : options.resolved(/*identity_only=*/false))
    stamp["settings"][name] = value;
  const auto [device, dtype] = device_and_dtype(options, settings);
  stamp["device"] = device;
  stamp["dtype"] = dtype;
  stamp["instruction_set"] = instruction_set();
  stamp["compiler"] = __VERSION__;
  stamp["threads"] = settings.num_threads;
  stamp["started"] = utc_now();
  stamp["verdict"] = "running";
  return stamp;
}

config::Options options_of(const Json& stamp,
                           const Catalogue& catalogue,
                           const std::string& where) {
  std::map<std::string, std::string> settings;
  for (const auto& [name, value] : stamp.at("settings").items())
    settings.emplace(name, value.get<std::string>());
  config::Options options(run_options(catalogue));
  options.set_from_stamp(settings, where);
  return options;
}

store::IdentityFacts facts_of(const Json& identity, const Shard& shard) {
  store::IdentityFacts facts;
  facts.emplace_back("shard", fmt::format("{}/{}", shard.index, shard.count));
  facts.emplace_back("sha256", sha256_hex(store::json_text(identity)));
  std::function<void(const Json&, const std::string&)> add = [&](const Json& value,
                                                                 const std::string& path) {
    if (!value.is_object()) {
      facts.emplace_back(path,
                         value.is_string() ? value.get<std::string>() : store::json_text(value));
      return;
    }
    for (const auto& [key, below] : value.items()) add(below, path + "." + key);
  };
  add(identity, "identity");
  std::sort(facts.begin(), facts.end());
  return facts;
}

void expect_same_run(store::Samples& samples, const store::IdentityFacts& mine) {
  const store::IdentityFacts there = samples.identity();
  if (there.empty()) {
    samples.set_identity(mine);
    return;
  }
  if (there == mine) return;
  // What the user set comes first, then what follows from it; the hash alone tells no reader
  // anything.
  auto as_json = [](const store::IdentityFacts& facts) {
    Json json = Json::object();
    for (const auto& [name, value] : facts) {
      if (name.starts_with("identity.settings.")) json[name] = value;
    }
    for (const auto& [name, value] : facts) {
      if (name != "sha256") json[name] = value;
    }
    return json;
  };
  const Json theirs = as_json(there);
  const Json ours = as_json(mine);
  std::string difference = first_difference(theirs, ours);
  if (difference.empty()) difference = "sha256 of its identity";
  throw another_run(difference, samples.path().parent_path());
}

void check_same_run(const Json& there, const Json& mine, const store::RunPaths& paths) {
  Json empty = Json::object();
  std::string difference = first_difference(there.value("identity", empty), mine["identity"]);
  if (difference.empty() && there.contains("shard") && there["shard"] != mine["shard"])
    difference = fmt::format("shard is {} there", store::json_text(there["shard"]).substr(0, 80));
  if (!difference.empty()) throw another_run(difference, paths.folder);
}

void remove_if_nothing_scored(const store::RunPaths& paths) {
  if (!std::filesystem::exists(paths.samples())) return;
  try {
    store::Samples samples = store::Samples::open_to_read(paths.samples());
    const size_t num_tasks = samples.tasks().size();
    for (uint32_t task = 0; task < num_tasks; ++task) {
      if (samples.counts(task).scored > 0) return;
    }
  } catch (const Error&) {
    return;  // opening it to write says what is wrong with it
  }
  // What tells that this is a run goes last; its journal belongs to it alone.
  std::filesystem::remove(paths.samples().string() + "-journal");
  for (const std::filesystem::path& file : {paths.results(), paths.stamp(), paths.samples()})
    std::filesystem::remove(file);
}

}  // namespace snellen::run
