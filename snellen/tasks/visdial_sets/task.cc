// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "snellen/annotations/visdial/references.h"
#include "snellen/metrics/visdial/set_overlap.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/typed_task.h"
#include "snellen/tasks/visdial_sets/shown_rounds.h"

namespace snellen::tasks::visdial_sets {
namespace {

namespace fs = std::filesystem;
using annotations::MemberSet;

// Names of an item's stored values, where its round is shown: places among the candidates.
constexpr const char* kMembers = "members";
constexpr const char* kHumanMembers = "human_members";

struct SetSettings {
  std::vector<fs::path> references;
  fs::path human;
  fs::path dialogs;
};

config::Block settings_block() {
  using config::option;
  using S = SetSettings;
  return {S{},
          {option(&S::references, "references", "reference sets, one file or several")
               .identity(false)
               .value("FILE")
               .many(),
           option(&S::human, "human", "the sets that people chose").identity(false).value("FILE"),
           option(&S::dialogs,
                  "dialogs",
                  "the dialogs of the rounds: questions and candidates are kept, and shown by "
                  "`snellen report`; --images names their pictures")
               .identity(false)
               .omit_default()
               .value("FILE")}};
}

SetSettings checked(const config::Options& options) {
  SetSettings settings = options.get<SetSettings>();
  if (settings.references.empty() || settings.human.empty())
    throw Error{ErrorCode::kUsage,
                "sets and human sets are both needed",
                settings.references.empty() ? "--references" : "--human",
                "for example --references refs_S_human_val.json --human refs_H_human_val.json"};
  return settings;
}

std::vector<Column> set_columns() {
  return {{.name = "precision"},
          {.name = "recall"},
          {.name = "iou"},
          {.name = "size", .higher_is_better = false},
          {.name = "has_given", .is_share = true}};
}

std::vector<int64_t> places_of(const std::vector<bool>& members) {
  std::vector<int64_t> places;
  for (size_t i = 0; i < members.size(); ++i)
    if (members[i]) places.push_back(static_cast<int64_t>(i));
  return places;
}

struct Asked {
  size_t file = 0;
  size_t set = 0;
};

class VisdialSets : public TypedTask<Asked> {
 public:
  explicit VisdialSets(const TaskRequest& request)
      : settings_(checked(request.options)),
        human_(annotations::read_member_sets(settings_.human)) {
    std::set<std::string> names;
    for (const fs::path& path : settings_.references) {
      File file{.name = path.stem().string(), .path = path, .sets = {}};
      if (!names.insert(file.name).second)
        throw Error{ErrorCode::kUsage,
                    fmt::format("two files are called '{}'", file.name),
                    "--references",
                    "rename one"};
      file.sets = annotations::read_member_sets(path);
      files_.push_back(std::move(file));
    }
    if (!settings_.dialogs.empty())
      rounds_.emplace(settings_.dialogs, request.options.get<SharedSettings>().images);
  }

  std::vector<Part> parts() const override {
    std::vector<Part> parts;
    for (const File& file : files_) parts.push_back({file.name, file.sets.size()});
    return parts;
  }
  std::vector<Column> columns() const override { return set_columns(); }
  std::vector<fs::path> inputs() const override {
    std::vector<fs::path> inputs = settings_.references;
    inputs.push_back(settings_.human);
    if (!settings_.dialogs.empty()) inputs.push_back(settings_.dialogs);
    return inputs;
  }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    for (const File& file : files_) {
      size_t num_met = 0;
      for (const MemberSet& set : file.sets) num_met += human_of(set) == nullptr ? 0 : 1;
      if (num_met < file.sets.size())
        notes.push_back(fmt::format("{}: {} of {} sets have no human set and no overlap",
                                    file.name,
                                    file.sets.size() - num_met,
                                    file.sets.size()));
      if (num_met < human_.size())
        notes.push_back(fmt::format("{}: {} of {} human sets have no counterpart",
                                    file.name,
                                    human_.size() - num_met,
                                    human_.size()));
      if (!rounds_) continue;
      const auto num_unknown =
          std::count_if(file.sets.begin(), file.sets.end(), [&](const MemberSet& set) {
            return !rounds_->has(set.key);
          });
      if (num_unknown > 0)
        notes.push_back(fmt::format("{}: {} of {} sets are of rounds that --dialogs does not have",
                                    file.name,
                                    num_unknown,
                                    file.sets.size()));
    }
    return notes;
  }

  Result<Made> make(uint64_t position) const override {
    size_t file = 0;
    while (position >= files_.at(file).sets.size()) position -= files_[file++].sets.size();
    const annotations::DialogKey& key = files_[file].sets[position].key;
    Item item;
    item.id = fmt::format("{}/{}/{}", files_[file].name, key.image_id, key.round_id);
    item.clusters = {std::to_string(key.image_id)};
    if (rounds_) rounds_->show(key, item);
    return Made{std::move(item), {file, position}};
  }

  Result<Outcome> decide(const Asked& asked, const questions::Scores&) const override {
    const MemberSet& set = files_[asked.file].sets[asked.set];
    const bool is_shown = rounds_ && rounds_->has(set.key);
    Outcome outcome;
    outcome.values.assign(3, std::nan(""));
    if (is_shown) outcome.named.put(kMembers, places_of(set.members));
    if (const MemberSet* human = human_of(set)) {
      if (is_shown) outcome.named.put(kHumanMembers, places_of(human->members));
      const metrics::visdial::SetOverlap overlap =
          metrics::visdial::set_overlap(set.members, human->members);
      outcome.values = {overlap.precision, overlap.recall, overlap.iou};
    }
    outcome.values.push_back(
        static_cast<double>(std::count(set.members.begin(), set.members.end(), true)));
    outcome.values.push_back(set.has_given ? (*set.has_given ? 1 : 0) : std::nan(""));
    return outcome;
  }

 private:
  struct File {
    std::string name;
    fs::path path;
    std::vector<MemberSet> sets;
  };
  const MemberSet* human_of(const MemberSet& set) const {
    const auto found = std::lower_bound(
        human_.begin(), human_.end(), set, [](const MemberSet& a, const MemberSet& b) {
          return a.key < b.key;
        });
    return found != human_.end() && found->key == set.key ? &*found : nullptr;
  }

  SetSettings settings_;
  std::vector<MemberSet> human_;
  std::vector<File> files_;
  std::optional<ShownRounds> rounds_;  // with --dialogs
};

std::string shown(const metrics::Measurement& one) {
  if (std::isnan(one.value)) return "undefined";
  if (!one.low) return fmt::format("{:.4f}", one.value);
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", one.value, *one.low, *one.high);
}

// One row per file. Exit code 1 where a file has no set that could be compared.
TaskReport report_of(const ReportRequest& request) {
  TaskReport report;
  TextTable table{.title = "overlap with human sets",
                  .columns = {"file", "n"},
                  .is_number = {false, true},
                  .rows = {}};
  for (const Column& column : set_columns()) {
    table.columns.push_back(column.name);
    table.is_number.push_back(true);
  }
  for (const metrics::Measurement& one : request.metrics) {
    const size_t first = one.id.find('/');
    const size_t last = one.id.rfind('/');
    if (first == std::string::npos || last == first) continue;
    const std::string name = one.id.substr(first + 1, last - first - 1);
    if (table.rows.empty() || table.rows.back()[0] != name)
      table.rows.push_back({name, std::to_string(one.n)});
    table.rows.back().push_back(shown(one));
    if (!one.id.ends_with("/precision") || one.n > 0) continue;
    report.exit_code = 1;
    report.problem = fmt::format("{}: none of its sets has a human set, and no overlap", name);
  }
  report.tables = {table};
  return report;
}

TaskFacts facts() {
  return {.name = "visdial-sets",
          .summary = "how well do reference sets agree with the sets that people chose?",
          .paper = "arXiv 2004.09272",
          .data = "DenseVisDial reference sets, brought by the user",
          .settings = {settings_block()},
          .reads_results = true,
          .columns = set_columns(),
          .report = report_of,
          .needs_no_folder = true};
}

}  // namespace
}  // namespace snellen::tasks::visdial_sets

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_visdial_sets();
std::unique_ptr<TaskEntry> make_visdial_sets() {
  return task_entry<visdial_sets::VisdialSets>(visdial_sets::facts());
}

}  // namespace snellen::tasks
