// SPDX-License-Identifier: Apache-2.0
#include "snellen/viewer/viewer.h"

#include <array>

#include <fmt/format.h>

#include "snellen/base/base64.h"
#include "snellen/base/embedded_file.h"
#include "snellen/report/charts/chart_style.h"
#include "snellen/store/error_json.h"
#include "snellen/store/results.h"
#include "snellen/viewer/pictures.h"
#include "snellen/viewer/query.h"
#include "snellen/viewer/to_json.h"

namespace snellen {
std::span<const EmbeddedFile> embedded_pages();  // made by cmake/embed.cmake
}

namespace snellen::viewer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStub = "stub.html";

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return 400;
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kInvalidInput:
      return 422;
    case ErrorCode::kBusy:
      return 503;
    default:
      return 500;
  }
}

http::Response json_response(const nlohmann::ordered_json& json, int status = 200) {
  return {.status = status,
          .body = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

// As a value in an address.
std::string percent_encoded(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
    encoded += is_plain ? std::string(1, c)
                        : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<uint8_t>(c)));
  }
  return encoded;
}

const EmbeddedFile* page_named(std::string_view name) {
  for (const EmbeddedFile& file : embedded_pages())
    if (file.name == name) return &file;
  return nullptr;
}

const char* type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "application/octet-stream";
}

// A figure carries its style: the one that its policy names by hash.
std::string figure_policy() {
  std::string_view style = report::chart_style();
  style.remove_prefix(style.find('>') + 1);
  style = style.substr(0, style.rfind("</style>"));
  return fmt::format("default-src 'none'; style-src 'sha256-{}'; frame-ancestors 'none'",
                     base64(sha256_bytes(style)));
}

// As the stamp of a finished run says; counting the rows of a large run takes a while.
nlohmann::ordered_json counts_json(ViewedRun& run, store::ItemIndex* index, uint32_t task) {
  const std::string& name = run.tasks()[task].name;
  const nlohmann::ordered_json& stamped = run.stored().stamped({"counts", name.c_str()});
  if (run.stored().is_finished() && stamped.is_object()) return stamped;
  store::SampleCounts counts;
  try {
    counts = run.counts(task);
  } catch (const Error& error) {
    // Of a damaged file those that the index could read.
    if (error.code() != ErrorCode::kInvalidInput || !index) throw;
    const store::ItemColumns& columns = index->columns();
    for (size_t row = 0; row < columns.size(); ++row) {
      if (columns.groups[columns.group[row]].task != task) continue;
      ++(columns.outcomes[row] == store::ItemOutcome::kFailed    ? counts.failed
         : columns.outcomes[row] == store::ItemOutcome::kSkipped ? counts.skipped
                                                                 : counts.scored);
    }
  }
  return {{"total", counts.total()},
          {"scored", counts.scored},
          {"failed", counts.failed},
          {"skipped", counts.skipped}};
}

}  // namespace

Viewer::Viewer(std::vector<fs::path> places, fs::path index_folder, Gate gate)
    : map_folder_(index_folder.empty() ? fs::path() : index_folder / "maps"),
      shelf_(std::move(places), std::move(index_folder)),
      gate_(std::move(gate)) {}

bool Viewer::has_pages() {
  return page_named("index.html") != nullptr;
}

std::string Viewer::first_page() {
  const std::vector<std::string> ids = shelf_.named();
  if (ids.size() < 2 || ids.size() > kMostRunsCompared) return "/";
  std::string address = "/compare?";
  for (const std::string& id : ids)
    address += fmt::format("{}runs={}", address.back() == '?' ? "" : "&", percent_encoded(id));
  return address;
}

http::Response Viewer::answer(const http::Request& request) {
  http::Response response;
  try {
    std::optional<http::Response> refused = refusal(request, gate_);
    response = refused ? std::move(*refused) : route(request);
  } catch (const Error& error) {
    response =
        json_response({{"error", nlohmann::ordered_json::parse(store::error_to_json(error))}},
                      status_of(error.code()));
  } catch (const std::exception& error) {
    response = json_response({{"error", {{"what", error.what()}}}}, 500);
  }
  add_security_headers(response, gate_);
  return response;
}

http::Response Viewer::route(const http::Request& request) {
  struct Named {
    std::string_view path;
    Route route;
    bool is_post = false;
  };
  static constexpr auto kRoutes = std::to_array<Named>({{"/api/runs", &Viewer::runs},
                                                        {"/api/run", &Viewer::run},
                                                        {"/api/items", &Viewer::items},
                                                        {"/api/histogram", &Viewer::histogram},
                                                        {"/api/item", &Viewer::item},
                                                        {"/api/failures", &Viewer::failures},
                                                        {"/api/compare", &Viewer::compare},
                                                        {"/api/figures", &Viewer::figures},
                                                        {"/api/marks", &Viewer::marks},
                                                        {"/api/trainings", &Viewer::trainings},
                                                        {"/api/mark", &Viewer::mark, true}});
  for (const Named& one : kRoutes) {
    if (request.path != one.path) continue;
    if (one.is_post != (request.method == "POST"))
      throw Error{ErrorCode::kUsage,
                  fmt::format("{} takes {}", one.path, one.is_post ? "POST" : "GET")};
    return json_response((this->*one.route)(request));
  }
  if (request.method == "POST") throw Error{ErrorCode::kNotFound, "there is no such address"};
  if (request.path == "/picture") return picture(request);
  if (request.path == "/figure.svg") return figure(request);
  if (request.path == "/items.csv") return exported(request, /*as_csv=*/true);
  if (request.path == "/items.jsonl") return exported(request, /*as_csv=*/false);
  if (request.path == "/marks.csv") return exported_marks(request, /*as_csv=*/true);
  if (request.path == "/marks.jsonl") return exported_marks(request, /*as_csv=*/false);
  return page(request.path);
}

http::Response Viewer::page(const std::string& path) {
  const std::string name = path.starts_with('/') ? path.substr(1) : path;
  const EmbeddedFile* file = page_named(name);
  // Addresses of the pages have no dot; they are all index.html, which reads the address.
  const bool is_page = name.find('.') == std::string::npos && !name.starts_with("api");
  if (file == nullptr && is_page) file = page_named(has_pages() ? "index.html" : kStub);
  if (file == nullptr) throw Error{ErrorCode::kNotFound, "there is no such address"};
  return {.status = 200, .body = std::string(file->bytes), .content_type = type_of(file->name)};
}

Viewer::Json Viewer::runs(const http::Request&) {
  return {{"runs", shelf_.list()}};
}

Viewer::Json Viewer::run(const http::Request& request) {
  const std::string id = text_field(request, "run");
  Json json = shelf_.summary(id);
  const std::shared_ptr<ViewedRun> run = shelf_.run(id);
  json["stamp"] = run->stored().stamp;
  json["num_items"] = run->num_items();
  const std::shared_ptr<store::ItemIndex> index = run->index();
  for (const std::string& problem : run->problems()) json["missing"].push_back(problem);
  json["tasks"] = Json::array();
  for (uint32_t task = 0; task < run->tasks().size(); ++task) {
    const store::TaskRecord& record = run->tasks()[task];
    Json parts = Json::array();
    for (const store::TaskRecord::Part& part : record.parts)
      parts.push_back({{"name", part.name}, {"num_items", part.num_items}});
    json["tasks"].push_back({{"name", record.name},
                             {"parts", std::move(parts)},
                             {"counts", counts_json(*run, index.get(), task)}});
  }
  json["metrics"] = Json::array();
  try {
    for (const metrics::Measurement& one :
         store::read_results(run->stored().paths.results()).metrics)
      json["metrics"].push_back(measurement_json(one));
  } catch (const Error&) {
    // A run in progress has none yet; the summary says what is missing.
  }
  json["index"] = {{"is_ready", index != nullptr},
                   {"done", run->progress().done.load()},
                   {"total", run->progress().total.load()}};
  json["categories"] = Json::array();
  json["tags"] = Json::array();
  if (index) {
    for (const std::string& one : index->columns().categories)
      if (!one.empty() && json["categories"].size() < 1000) json["categories"].push_back(one);
    for (const std::string& one : index->columns().tags)
      if (!one.empty() && json["tags"].size() < 1000) json["tags"].push_back(one);
  }
  json["num_marks"] = run->marks().all().size();
  return json;
}

http::Response Viewer::picture(const http::Request& request) {
  const std::shared_ptr<ViewedRun> run = shelf_.run(text_field(request, "run"));
  const std::optional<store::Sample> sample =
      run->sample(task_place(*run, text_field(request, "task")),
                  count_field(request, "position", 0, uint64_t{1} << 39));
  if (!sample) throw Error{ErrorCode::kNotFound, "there is no such item"};
  const uint64_t place = count_field(request, "place", 0, 100'000);
  if (place >= sample->visuals.size())
    throw Error{ErrorCode::kNotFound, "the item has no such picture"};
  const std::string kind = text_field(request, "kind");
  if (kind == "clip") return clip_of(*run, sample->visuals[place]).value();
  const std::optional<PictureKind> known = picture_kind_of(kind);
  if (!known) throw Error{ErrorCode::kUsage, "kind is small, original, seen or clip"};
  return picture_of(*run, sample->visuals[place], *known).value();
}

std::vector<report::Figure> Viewer::figures_of(const std::vector<std::string>& ids) {
  std::string key;
  std::vector<fs::path> folders;
  for (const std::string& id : ids) {
    folders.push_back(shelf_.folder(id));
    key += fmt::format("{}\n{}\n", id, version_of(store::RunPaths(folders.back())));
  }
  {
    std::lock_guard lock(mutex_);
    if (const auto found = figures_.find(key); found != figures_.end()) return found->second;
  }
  report::ReportInput input = report::read_report_input(folders);
  input.map_folder = map_folder_;
  std::vector<report::Figure> made = report::figures_of(input, input.notes);
  std::lock_guard lock(mutex_);
  if (figures_.size() > 16) figures_.clear();
  figures_.emplace(key, made);
  return made;
}

Viewer::Json Viewer::figures(const http::Request& request) {
  Json list = Json::array();
  for (const report::Figure& one : figures_of(run_ids(request)))
    list.push_back({{"name", one.name}, {"title", one.title}, {"caption", one.caption}});
  return {{"figures", std::move(list)}};
}

http::Response Viewer::figure(const http::Request& request) {
  const std::string name = text_field(request, "name");
  for (report::Figure& one : figures_of(run_ids(request))) {
    if (one.name == name)
      return {.status = 200,
              .body = std::move(one.svg),
              .content_type = "image/svg+xml",
              .headers = {{"Content-Security-Policy", figure_policy()}}};
  }
  throw Error{ErrorCode::kNotFound, "there is no such figure"};
}

}  // namespace snellen::viewer
