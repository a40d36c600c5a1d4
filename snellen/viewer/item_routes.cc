// SPDX-License-Identifier: Apache-2.0
// Lists of items, one item with its neighbours, failures by reason.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "snellen/viewer/query.h"
#include "snellen/viewer/to_json.h"
#include "snellen/viewer/viewer.h"

namespace snellen::viewer {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kNumBins = 40;
constexpr size_t kMostNeighbours = 60;
constexpr size_t kMostFailures = 200'000;
constexpr size_t kShownPerReason = 5;

Json index_json(const ViewedRun& run, bool is_ready) {
  return {{"is_ready", is_ready},
          {"done", run.progress().done.load()},
          {"total", run.progress().total.load()}};
}

// "direction-gray" and "direction-noise" are rungs of "direction".
std::string base_of(const std::string& task) {
  const size_t dash = task.rfind('-');
  static const std::vector<std::string> kChanges = {
      "gray", "none", "noise", "blank", "black", "white", "blur", "mismatch", "shuffle"};
  if (dash == std::string::npos) return task;
  const std::string change = task.substr(dash + 1);
  return std::find(kChanges.begin(), kChanges.end(), change) == kChanges.end()
             ? task
             : task.substr(0, dash);
}

// Names of files and numbers differ from item to item; the reason is what stays.
std::string reason_of(const Error& error) {
  std::string reason;
  bool in_number = false;
  for (const char c : error.message().substr(0, 300)) {
    const bool is_digit = c >= '0' && c <= '9';
    if (is_digit && in_number) continue;
    in_number = is_digit;
    reason += is_digit ? '#' : c;
  }
  return reason;
}

}  // namespace

Json Viewer::with_mark(ViewedRun& run, Json row) {
  const std::optional<store::Mark> found =
      run.marks().find(row["task"].get<std::string>(), row["item"].get<std::string>());
  row["mark"] = found ? store::mark_to_json(*found) : Json();
  return row;
}

Json Viewer::items(const http::Request& request) {
  const std::shared_ptr<ViewedRun> run = shelf_.run(text_field(request, "run"));
  const PageOfItems page = page_of(request);
  const std::string order = text_field(request, "sort");
  const std::optional<store::ItemSort> sort = store::sort_of(order.empty() ? "order" : order);
  if (!sort) throw Error{ErrorCode::kUsage, "sort is order, margin, -margin or doubt"};
  // The first page of a large run is there before its index is.
  const std::shared_ptr<store::ItemIndex> index = run->index();
  const AskedFilter asked = filter_of(request, *run, index.get());
  Json json = {{"page", page.number}, {"size", page.size}};
  json["index"] = index_json(*run, index != nullptr);
  json["items"] = Json::array();
  if (!index) {
    const uint32_t task = asked.filter.task.value_or(0);
    uint64_t total = 0;
    if (!run->tasks().empty())
      for (const auto& one : run->tasks()[task].parts) total += one.num_items;
    json["total"] = total;
    json["is_unfiltered"] = asked.needs_index || *sort != store::ItemSort::kOrder;
    if (run->tasks().empty()) return json;
    for (const store::Sample& sample : run->first_samples(task, page.offset(), page.size))
      json["items"].push_back(with_mark(*run, row_json(*run, sample)));
    return json;
  }
  const store::FoundRows found =
      store::find_rows(index->columns(), asked.filter, *sort, page.offset(), page.size);
  json["total"] = found.total;
  for (const uint32_t row : found.rows) {
    if (const std::optional<store::Sample> sample = run->sample(index->columns().ids[row]))
      json["items"].push_back(with_mark(*run, row_json(*run, *sample)));
  }
  return json;
}

Json Viewer::histogram(const http::Request& request) {
  const std::shared_ptr<ViewedRun> run = shelf_.run(text_field(request, "run"));
  const std::shared_ptr<store::ItemIndex> index = run->index();
  Json json = {{"index", index_json(*run, index != nullptr)}, {"bins", Json::array()}};
  if (!index) return json;
  AskedFilter asked = filter_of(request, *run, index.get());
  // The bars show what a click would narrow, so the bounds themselves are left out.
  asked.filter.least_margin = store::ItemFilter{}.least_margin;
  asked.filter.most_margin = store::ItemFilter{}.most_margin;
  const store::MarginHistogram made =
      store::margin_histogram(index->columns(), asked.filter, kNumBins);
  for (const store::MarginHistogram::Bin& bin : made.bins)
    json["bins"].push_back({{"low", bin.low},
                            {"high", bin.high},
                            {"right", bin.right},
                            {"wrong", bin.wrong},
                            {"others", bin.others}});
  json["ties"] = made.ties;
  json["undefined"] = made.undefined;
  return json;
}

// The same item with its picture changed, after the item as it is.
Json Viewer::rungs(ViewedRun& run, const store::Sample& sample) {
  Json rows = Json::array();
  const store::TaskRecord& task = run.tasks()[sample.task];
  const std::string part = sample.part < task.parts.size() ? task.parts[sample.part].name : "";
  auto add = [&](const std::string& id, const std::string& task_name, const std::string& rung) {
    const std::shared_ptr<ViewedRun> other = shelf_.run(id);
    const std::shared_ptr<store::ItemIndex> index = other->index();
    if (!index) return;
    const std::optional<uint32_t> row =
        index->columns().row_of(store::item_key(task_name, part, sample.item));
    const auto found = row ? other->sample(index->columns().ids[*row]) : std::nullopt;
    if (!found) return;
    rows.push_back(row_json(*other, *found));
    rows.back()["rung"] = rung;
  };
  const RunShelf::Family family = shelf_.family_of(run.id());
  if (!family.rungs.empty()) {
    add(family.clean, task.name, "as it is");
    for (const std::string& id : family.rungs) add(id, task.name, id.substr(id.rfind('/') + 1));
    return rows;
  }
  // Tasks of one's own whose items differ in the picture alone: NAME and NAME-gray, in runs of the
  // same model.
  const std::string base = base_of(task.name);
  for (const std::string& id : shelf_.ids_of_model(run.stored().model)) {
    for (const store::TaskRecord& record : shelf_.run(id)->tasks())
      if (base_of(record.name) == base) add(id, record.name, record.name);
  }
  return rows;
}

Json Viewer::item(const http::Request& request) {
  const std::shared_ptr<ViewedRun> run = shelf_.run(text_field(request, "run"));
  const uint32_t task = task_place(*run, text_field(request, "task"));
  const uint64_t position = count_field(request, "position", 0, uint64_t{1} << 39);
  const std::optional<store::Sample> sample = run->sample(task, position);
  if (!sample) throw Error{ErrorCode::kNotFound, "there is no such item"};
  Json json = with_mark(*run, item_json(*run, *sample));
  json["same_visual"] = Json::array();
  json["rungs"] = Json::array();
  const std::shared_ptr<store::ItemIndex> index = run->index();
  if (!index) return json;
  const store::ItemColumns& columns = index->columns();
  const std::optional<uint32_t> own = columns.row_of_id(store::row_id(task, position));
  if (own && columns.visual_keys[*own] != 0) {
    for (uint32_t row = 0; row < columns.size() && json["same_visual"].size() < kMostNeighbours;
         ++row) {
      if (row == *own || columns.visual_keys[row] != columns.visual_keys[*own]) continue;
      if (const std::optional<store::Sample> other = run->sample(columns.ids[row]))
        json["same_visual"].push_back(row_json(*run, *other));
    }
  }
  json["rungs"] = rungs(*run, *sample);
  return json;
}

Json Viewer::failures(const http::Request& request) {
  const std::shared_ptr<ViewedRun> run = shelf_.run(text_field(request, "run"));
  struct Group {
    uint64_t count = 0;
    Json items = Json::array();
    std::string hint;
  };
  std::map<std::string, Group> groups;
  uint64_t total = 0;
  for (uint32_t task = 0; task < run->tasks().size(); ++task) {
    for (const store::Sample& sample : run->failures(task, kMostFailures)) {
      Group& group = groups[sample.error ? reason_of(*sample.error) : "no reason was recorded"];
      ++group.count;
      ++total;
      if (group.items.size() >= kShownPerReason) continue;
      Json row = row_json(*run, sample);
      if (sample.error) {
        row["where"] = sample.error->where();
        group.hint = sample.error->hint();
      }
      group.items.push_back(std::move(row));
    }
  }
  std::vector<std::pair<std::string, Group>> sorted(groups.begin(), groups.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second.count > b.second.count;
  });
  Json json = {{"total", total}, {"verdict", run->stored().verdict}, {"groups", Json::array()}};
  for (auto& [reason, group] : sorted)
    json["groups"].push_back({{"reason", reason},
                              {"hint", group.hint},
                              {"count", group.count},
                              {"items", std::move(group.items)}});
  return json;
}

}  // namespace snellen::viewer
