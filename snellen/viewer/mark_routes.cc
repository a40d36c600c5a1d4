// SPDX-License-Identifier: Apache-2.0
// Marks of a person, and what is taken away: items and marks as files.
#include <algorithm>

#include <fmt/format.h>

#include "snellen/formats/csv.h"
#include "snellen/formats/json.h"
#include "snellen/report/sample_lines.h"
#include "snellen/viewer/pictures.h"
#include "snellen/viewer/query.h"
#include "snellen/viewer/to_json.h"
#include "snellen/viewer/viewer.h"

namespace snellen::viewer {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostBody = 64 * 1024;
constexpr size_t kMostExported = 100'000;

http::Response download(std::string body, const char* type, const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '.';
    plain += is_plain ? c : '_';
  }
  return {.status = 200,
          .body = std::move(body),
          .content_type = type,
          .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", plain)}}};
}

// Which text is the right one, as far as scores and decision tell: of two, the other one when the
// choice was wrong.
std::optional<size_t> right_text(const store::Sample& sample) {
  if (sample.visuals.size() > 1 || !sample.is_correct || sample.texts.size() < 2 ||
      sample.scores.size() != sample.texts.size())
    return std::nullopt;
  const auto best = std::max_element(sample.scores.begin(), sample.scores.end());
  const size_t chosen = static_cast<size_t>(best - sample.scores.begin());
  if (*sample.is_correct) return chosen;
  if (sample.texts.size() == 2 && sample.scores[0] != sample.scores[1]) return 1 - chosen;
  return std::nullopt;
}

// As an item names it: relative to the folder of the pictures, where the run knows it so.
Json visual_json(const store::ShownVisual& visual) {
  const size_t tab = visual.name.find('\t');
  const std::string name = visual.name.substr(0, tab);
  const std::string image = visual.path.ends_with(name) ? name : visual.path;
  if (tab == std::string::npos) return image;
  std::string change = visual.name.substr(tab + 1);
  if (change.starts_with("c=")) change = change.substr(2);
  return {{"image", image}, {"corruption", change.substr(0, change.find('\t'))}};
}

// A line of a `file:` task; nothing where the run does not tell what is right.
std::optional<std::string> task_line(const store::Sample& sample, const store::Mark& mark) {
  Json visuals = Json::array();
  for (const store::ShownVisual& visual : sample.visuals) visuals.push_back(visual_json(visual));
  Json line = {{"id", sample.item}, {"visuals", visuals}, {"texts", sample.texts}};
  if (const std::optional<size_t> right = right_text(sample)) {
    line["right"] = *right;
    line["metric"] = sample.texts.size() == 2 ? "pairwise" : "choice";
  } else if (sample.visuals.size() != 2 || sample.texts.size() != 2) {
    return std::nullopt;
  } else {
    line["metric"] = "winoground";
  }
  if (!sample.category.empty()) line["category"] = sample.category;
  if (!mark.label.empty()) line["tags"] = {mark.label};
  line["extra"] = store::mark_to_json(mark);
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

Json Viewer::marks(const http::Request& request) {
  const std::shared_ptr<ViewedRun> run = shelf_.run(text_field(request, "run"));
  Json list = Json::array();
  for (const auto& [key, mark] : run->marks().all()) list.push_back(store::mark_to_json(mark));
  return {{"file", run->marks().file().filename().string()}, {"marks", std::move(list)}};
}

Json Viewer::mark(const http::Request& request) {
  if (request.body.size() > kMostBody) throw Error{ErrorCode::kUsage, "the mark is too long"};
  const nlohmann::json body = formats::parse_json_object(request.body, "the request");
  auto text = [&](const char* key) {
    const auto found = body.find(key);
    if (found == body.end()) return std::string();
    if (!found->is_string()) throw Error{ErrorCode::kUsage, fmt::format("{} is no text", key)};
    return found->get<std::string>();
  };
  const auto position = body.find("position");
  if (position == body.end() || !position->is_number_unsigned())
    throw Error{ErrorCode::kUsage, "position is no number"};
  const std::shared_ptr<ViewedRun> run = shelf_.run(text("run"));
  const std::optional<store::Sample> sample =
      run->sample(task_place(*run, text("task")), position->get<uint64_t>());
  if (!sample) throw Error{ErrorCode::kNotFound, "there is no such item"};
  const store::Mark mark{.task = run->tasks()[sample->task].name,
                         .item = sample->item,
                         .label = text("label"),
                         .note = text("note"),
                         .is_wrong = body.contains("annotation_is_wrong") &&
                                     body["annotation_is_wrong"].is_boolean() &&
                                     body["annotation_is_wrong"].get<bool>()};
  run->marks().set(mark);
  return {{"mark", mark.is_empty() ? Json() : store::mark_to_json(mark)},
          {"num_marks", run->marks().all().size()}};
}

http::Response Viewer::exported(const http::Request& request, bool as_csv) {
  const std::shared_ptr<ViewedRun> run = shelf_.run(text_field(request, "run"));
  const std::shared_ptr<store::ItemIndex> index = run->index();
  if (!index) throw Error{ErrorCode::kBusy, "the index is being built; try again soon"};
  const AskedFilter asked = filter_of(request, *run, index.get());
  const store::FoundRows found =
      store::find_rows(index->columns(), asked.filter, store::ItemSort::kOrder, 0, kMostExported);
  std::string body = as_csv ? report::sample_csv_header() : "";
  for (const uint32_t row : found.rows) {
    const std::optional<store::Sample> sample = run->sample(index->columns().ids[row]);
    if (!sample) continue;
    const store::TaskRecord& task = run->tasks().at(sample->task);
    body +=
        as_csv ? report::sample_csv_line(task, *sample) : report::sample_json_line(task, *sample);
  }
  http::Response response =
      download(std::move(body),
               as_csv ? "text/csv; charset=utf-8" : "application/jsonl",
               fmt::format("{}-items.{}", run->id(), as_csv ? "csv" : "jsonl"));
  if (found.total > kMostExported)
    response.headers.emplace_back("X-Left-Out", std::to_string(found.total - kMostExported));
  return response;
}

http::Response Viewer::exported_marks(const http::Request& request, bool as_csv) {
  const std::shared_ptr<ViewedRun> run = shelf_.run(text_field(request, "run"));
  std::string body = as_csv ? "task,item,label,note,annotation_is_wrong\n" : "";
  const std::shared_ptr<store::ItemIndex> index = as_csv ? nullptr : run->index();
  if (!as_csv && !index) throw Error{ErrorCode::kBusy, "the index is being built; try again soon"};
  uint64_t num_left_out = 0;
  for (const auto& [key, mark] : run->marks().all()) {
    if (as_csv) {
      body += fmt::format("{},{},{},{},{}\n",
                          formats::csv_field(mark.task),
                          formats::csv_field(mark.item),
                          formats::csv_field(mark.label),
                          formats::csv_field(mark.note),
                          mark.is_wrong ? 1 : 0);
      continue;
    }
    std::optional<std::string> line;
    // A mark may be older than the run: of a task or an item that is no longer there.
    for (const store::TaskRecord& task : run->tasks()) {
      if (task.name != mark.task) continue;
      for (const store::TaskRecord::Part& part : task.parts) {
        const auto row = index->columns().row_of(store::item_key(task.name, part.name, mark.item));
        const auto sample = row ? run->sample(index->columns().ids[*row]) : std::nullopt;
        if (sample && !line) line = task_line(*sample, mark);
      }
    }
    if (line) {
      body += *line;
    } else {
      ++num_left_out;
    }
  }
  http::Response response =
      download(std::move(body),
               as_csv ? "text/csv; charset=utf-8" : "application/jsonl",
               fmt::format("{}-marks.{}", run->id(), as_csv ? "csv" : "jsonl"));
  if (num_left_out > 0) response.headers.emplace_back("X-Left-Out", std::to_string(num_left_out));
  return response;
}

}  // namespace snellen::viewer
