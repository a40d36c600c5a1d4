// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/patch.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/cores.h"
#include "snellen/tasks/zeroshot/set.h"
#include "snellen/training/probes/naming_probe.h"
#include "snellen/training/probes/probe_set.h"
#include "snellen/training/probes/task_probe.h"
#include "snellen/training/probes/world_probe.h"
#include "snellen/training/setup.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<ProbeSource> instances_probe(const PatchSettings& settings, PatchSummary& summary) {
  tasks::ZeroshotSet set =
      tasks::zeroshot_instances(settings.instances, settings.images, tasks::RightClass::kAny);
  summary.bad_records = std::move(set.bad_records);
  std::vector<std::string> texts;
  for (const std::string& name : set.classes)
    texts.push_back(tasks::zeroshot_prompts(name, tasks::kZeroshotTemplates).at(0));
  std::vector<NamedFile> pictures;
  for (const tasks::ZeroshotPicture& picture : set.pictures)
    pictures.push_back({picture.file, picture.right});
  return naming_probe(std::move(texts), std::move(pictures));
}

ProbeSet make_set(const PatchSettings& settings,
                  std::vector<ProbeTask> probes,
                  PatchSummary& summary) {
  const bool has_nothing = settings.probe_files.empty() && settings.instances.empty();
  const bool wants_world = settings.wants_held_out_world() || has_nothing;
  if (wants_world && !settings.instances.empty())
    throw Error{ErrorCode::kUsage,
                "names things already",
                "--probe eyechart",
                "leave out --instances, or the eyechart"};
  std::vector<std::unique_ptr<ProbeSource>> sources;
  for (ProbeTask& probe : probes) sources.push_back(task_probe(std::move(probe.task), probe.file));
  sources.push_back(settings.instances.empty() ? world_probe({.seed = held_out_scenes().seed,
                                                              .num_scenes = settings.probe_scenes,
                                                              .is_naming_alone = !wants_world})
                                               : instances_probe(settings, summary));
  ProbeSet set(std::move(sources));
  const std::vector<std::string>& known = set.names();
  if (!settings.best_of.empty() &&
      std::find(known.begin(), known.end(), settings.best_of) == known.end())
    throw Error{ErrorCode::kUsage,
                fmt::format("no probe is called '{}'", settings.best_of),
                "--best-of",
                fmt::format("known are {}", fmt::join(known, ", "))};
  return set;
}

}  // namespace

PatchSummary patch(const PatchSettings& settings,
                   std::span<const double> alphas,
                   PatchRequest request) {
  PatchSummary summary;
  summary.original = inference::folder_of_model(request.installation, settings.original);
  const models::WeightBlend blend(summary.original,
                                  inference::folder_of_model(request.installation, settings.tuned));
  std::optional<ProbeSet> probes;
  if (settings.asks_probes())
    probes.emplace(make_set(settings, std::move(request.probes), summary));
  const unsigned num_threads = threads_or_cores(settings.num_threads);
  inference::FolderRequest wanted;
  wanted.network.device = settings.device;
  wanted.network.dtype = settings.dtype;
  wanted.driver.num_threads = num_threads;
  wanted.driver.working_folder = fs::temp_directory_path();
  wanted.uses_cache = false;
  auto ask = [&](const fs::path& folder) {
    wanted.network.model = folder.string();
    const std::unique_ptr<models::Model> model =
        inference::open_folder(request.installation, wanted);
    ProbeReport report = probes->ask(*model, num_threads, [&](uint64_t done, uint64_t total) {
      request.observe(fmt::format("asking {}", folder.filename().string()), done, total);
    });
    if (summary.num_failed == 0) summary.reasons = std::move(report.reasons);
    summary.num_failed += report.num_failed;
    return std::move(report.scores);
  };
  if (probes) summary.original_scores = ask(summary.original);
  if (!settings.alphas.empty()) fs::create_directories(settings.output);
  for (const double alpha : alphas) {
    PatchedModel model{.alpha = alpha, .folder = settings.output, .blend = {}};
    if (!settings.alphas.empty()) model.folder /= fmt::format("alpha-{}", alpha);
    model.blend = blend.write(alpha, model.folder, [&](uint64_t done, uint64_t total) {
      request.observe(model.folder.string(), done, total);
    });
    // At 0 it is a copy of the original.
    if (probes) model.scores = alpha == 0 ? summary.original_scores : ask(model.folder);
    request.on_model(model);
    summary.models.push_back(std::move(model));
  }
  return summary;
}

}  // namespace snellen::training
