// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/pages/visdial_sets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/store/picture_names.h"
#include "snellen/store/samples.h"

namespace snellen::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kTask = "visdial-sets";
constexpr uint64_t kLookedAt = 400;  // sets of each file, for examples
constexpr uintmax_t kMostPictureBytes = 600'000;

struct SetTask {
  uint32_t number = 0;
  store::TaskRecord record;
};

std::optional<SetTask> set_task(store::Samples& samples) {
  const std::vector<store::TaskRecord> tasks = samples.tasks();
  for (uint32_t i = 0; i < tasks.size(); ++i)
    if (tasks[i].name == kTask) return SetTask{i, tasks[i]};
  return std::nullopt;
}

// Of untrusted rows: what is no place of a candidate is left out.
std::vector<size_t> places_of(const json& object, const char* key) {
  std::vector<size_t> places;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return places;
  for (const json& one : *found)
    if (one.is_number_unsigned() && one.get<uint64_t>() < 1000) places.push_back(one.get<size_t>());
  return places;
}

bool is_picture(std::string_view bytes) {
  return bytes.starts_with("\xFF\xD8\xFF") || bytes.starts_with("\x89PNG\r\n\x1A\n");
}

// The small one of the run folder, else the file itself.
std::string picture_of(const ReportRun& run, const store::ShownVisual& visual) {
  std::vector<fs::path> places;
  if (visual.read && visual.read->key)
    places.push_back(store::thumbs_folder(run.stored.paths.folder) /
                     store::small_picture_name(*visual.read->key));
  if (!visual.path.empty()) places.emplace_back(visual.path);
  for (const fs::path& place : places) {
    std::error_code problem;
    const uintmax_t size = fs::file_size(place, problem);
    if (problem || size > kMostPictureBytes) continue;
    try {
      std::string bytes = read_text_file(place);
      if (is_picture(bytes)) return bytes;
    } catch (const Error&) {
      // As if it were not there.
    }
  }
  return {};
}

// "FILE/IMAGE/ROUND" without the file.
std::string round_of(const std::string& item, const std::string& file) {
  return item.starts_with(file + "/") ? item.substr(file.size() + 1) : item;
}

}  // namespace

bool has_sets(const ReportRun& run) {
  return std::any_of(run.results.metrics.begin(), run.results.metrics.end(), [](const auto& one) {
    return one.id.starts_with("visdial-sets/");
  });
}

std::vector<SetSizes> measured_set_sizes(const ReportRun& run) {
  store::Samples samples = store::Samples::open_to_read(run.stored.paths.samples());
  const std::optional<SetTask> task = set_task(samples);
  std::vector<SetSizes> sizes;
  if (!task) return sizes;
  for (const auto& part : task->record.parts) sizes.push_back({.name = fit_text(part.name)});
  const auto& columns = task->record.columns;
  const auto found = std::find_if(
      columns.begin(), columns.end(), [](const auto& column) { return column.name == "size"; });
  if (found == columns.end()) return {};
  const auto column = static_cast<size_t>(found - columns.begin());
  samples.for_each(
      task->number,
      std::nullopt,
      [&](const store::Sample& sample) {
        if (sample.part >= sizes.size() || sample.values.size() <= column) return;
        const double size = sample.values[column];
        if (size >= 0 && size <= 100) ++sizes[sample.part].rounds.at(static_cast<size_t>(size));
      },
      store::Reading::kWithoutScores);
  return sizes;
}

std::vector<SetSizes> built_set_sizes(const fs::path& file) {
  const json statistics = formats::parse_json_object(read_text_file(file), file.string());
  std::vector<SetSizes> sizes;
  for (const auto& [rule, figures] : statistics.items()) {
    const auto found = figures.is_object() ? figures.find("rounds_by_set_size") : figures.end();
    if (!figures.is_object() || found == figures.end()) continue;
    SetSizes& one = sizes.emplace_back(SetSizes{.name = fit_text(rule, 40)});
    const bool is_list = found->is_array() && found->size() == one.rounds.size() &&
                         std::all_of(found->begin(), found->end(), [](const json& count) {
                           return count.is_number_unsigned();
                         });
    if (!is_list)
      throw Error{
          ErrorCode::kInvalidInput, "rounds_by_set_size is no list of 101 counts", file.string()};
    for (size_t i = 0; i < one.rounds.size(); ++i) one.rounds[i] = (*found)[i].get<uint64_t>();
  }
  return sizes;
}

std::vector<std::string> texts_at(const ShownRound& round, const ShownRound::Chosen& chosen) {
  std::vector<std::string> texts;
  for (const size_t place : chosen.places)
    if (place < round.candidates.size()) texts.push_back(round.candidates[place]);
  return texts;
}

std::vector<ShownRound> shown_rounds(const ReportRun& run, size_t at_most) {
  store::Samples samples = store::Samples::open_to_read(run.stored.paths.samples());
  const std::optional<SetTask> task = set_task(samples);
  if (!task) return {};
  std::vector<ShownRound> rounds;
  std::map<std::string, size_t> number_of;
  uint64_t begin = 0;
  for (size_t part = 0; part < task->record.parts.size(); ++part) {
    const std::string& name = task->record.parts[part].name;
    const uint64_t count = task->record.parts[part].num_items;
    samples.for_each_between(
        task->number, begin, begin + std::min(count, kLookedAt), [&](store::Sample& sample) {
          const json detail = formats::parse_json(sample.detail.json());
          if (!detail.is_object() || sample.texts.size() < 2) return;
          const std::string item = round_of(sample.item, name);
          std::vector<size_t> members = places_of(detail, "members");
          auto found = number_of.find(item);
          if (found == number_of.end()) {
            std::vector<size_t> people = places_of(detail, "human_members");
            if (rounds.size() == at_most || members.size() < 2 || people.empty()) return;
            found = number_of.emplace(item, rounds.size()).first;
            ShownRound& round = rounds.emplace_back(
                ShownRound{.item = fit_text(item), .picture = {}, .chosen = {}});
            if (!sample.visuals.empty()) {
              round.picture = fit_text(sample.visuals[0].name);
              round.picture_bytes = picture_of(run, sample.visuals[0]);
            }
            round.question = fit_text(sample.texts[0], 300);
            for (size_t i = 1; i < sample.texts.size(); ++i)
              round.candidates.push_back(fit_text(sample.texts[i], 300));
            round.chosen.push_back({"people", std::move(people)});
          }
          rounds[found->second].chosen.push_back({fit_text(name), std::move(members)});
        });
    begin += count;
  }
  return rounds;
}

}  // namespace snellen::report
