// SPDX-License-Identifier: Apache-2.0
// Runs side by side, item by item.
#include <fmt/format.h>

#include "snellen/viewer/query.h"
#include "snellen/viewer/to_json.h"
#include "snellen/viewer/viewer.h"

namespace snellen::viewer {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kJoinsKept = 6;

}  // namespace

std::shared_ptr<const ComparedItems> Viewer::joined(
    const std::vector<std::string>& ids,
    const std::vector<std::shared_ptr<store::ItemIndex>>& indexes) {
  std::string key;
  for (const std::string& id : ids) key += id + "\n";
  std::lock_guard lock(mutex_);
  if (const auto found = joined_.find(key);
      found != joined_.end() && found->second.indexes == indexes)
    return found->second.items;
  std::vector<const store::ItemColumns*> columns;
  for (const auto& index : indexes) columns.push_back(&index->columns());
  if (joined_.size() >= kJoinsKept) joined_.clear();
  auto items = std::make_shared<const ComparedItems>(join_items(columns));
  joined_[key] = {indexes, items};
  return items;
}

Json Viewer::compare(const http::Request& request) {
  const std::vector<std::string> ids = run_ids(request);
  if (ids.size() < 2) throw Error{ErrorCode::kUsage, "name two runs or more to compare"};
  const PageOfItems page = page_of(request);
  const std::string shown = text_field(request, "show");
  const std::optional<Agreement> agreement = agreement_of(shown.empty() ? "differ" : shown);
  if (!agreement) throw Error{ErrorCode::kUsage, "show names no kind of agreement"};
  const CompareSort sort =
      text_field(request, "sort") == "order" ? CompareSort::kOrder : CompareSort::kApart;
  std::vector<std::shared_ptr<ViewedRun>> runs;
  std::vector<std::shared_ptr<store::ItemIndex>> indexes;
  std::vector<const store::ItemColumns*> columns;
  Json json = {{"page", page.number}, {"size", page.size}, {"runs", Json::array()}};
  bool is_ready = true;
  for (const std::string& id : ids) {
    runs.push_back(shelf_.run(id));
    indexes.push_back(runs.back()->index());
    is_ready = is_ready && indexes.back();
    if (indexes.back()) columns.push_back(&indexes.back()->columns());
    json["runs"].push_back({{"id", id},
                            {"model", runs.back()->stored().model},
                            {"verdict", runs.back()->stored().verdict},
                            {"num_items", runs.back()->num_items()}});
  }
  json["index"] = {{"is_ready", is_ready}};
  json["items"] = Json::array();
  if (!is_ready) return json;
  const AskedFilter asked = filter_of(request, *runs.front(), indexes.front().get());
  const std::shared_ptr<const ComparedItems> items = joined(ids, indexes);
  const ComparedPage found =
      compared_page(columns, *items, asked.filter, *agreement, sort, page.offset(), page.size);
  json["common"] = items->size();
  json["counts"] = {{"both_right", found.counts.both_right},
                    {"both_wrong", found.counts.both_wrong},
                    {"only_first", found.counts.only_first},
                    {"only_second", found.counts.only_second},
                    {"undecided", found.counts.undecided},
                    {"differ", found.differ},
                    {"every_right", found.every_right},
                    {"every_wrong", found.every_wrong}};
  json["total"] = found.total;
  for (const uint32_t item : found.items) {
    Json rows = Json::array();
    for (size_t run = 0; run < runs.size(); ++run) {
      const int64_t id = columns[run]->ids[items->rows[run][item]];
      if (const std::optional<store::Sample> sample = runs[run]->sample(id))
        rows.push_back(with_mark(*runs[run], row_json(*runs[run], *sample)));
    }
    json["items"].push_back(std::move(rows));
  }
  return json;
}

}  // namespace snellen::viewer
