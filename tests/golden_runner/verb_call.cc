// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/verb_call.h"

#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

#include "snellen/base/files.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/settings.h"
#include "snellen/testing/answering_model.h"

namespace snellen::golden {

namespace fs = std::filesystem;

Workplace::Workplace() {
  std::string pattern = (fs::temp_directory_path() / "snellen-golden-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw Error{ErrorCode::kIo, "no temporary folder can be made"};
  path_ = pattern;
}

Workplace::~Workplace() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Workplace::write(const fs::path& name, const Json& json) const {
  write_text_file(path_ / name, json.dump());
}

void Workplace::write_lines(const fs::path& name, const std::vector<Json>& lines) const {
  std::string text;
  for (const Json& line : lines) text += line.dump() + "\n";
  write_text_file(path_ / name, text);
}

fs::path Workplace::next_output() const {
  return path_ / fmt::format("runs-{}", ++num_outputs_);
}

Scored::Scored(run::RunSummary summary) : summary_(std::move(summary)) {
  for (const metrics::Measurement& one : summary_.results.metrics) by_id_.emplace(one.id, one);
}

Json Scored::file(const fs::path& name) const {
  return Json::parse(read_text_file(folder() / name));
}

const metrics::Measurement& Scored::metric(const std::string& id) const {
  static const metrics::Measurement none;
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? none : found->second;
}

Json Scored::value(const std::string& id) const {
  const double value = metric(id).value;
  return std::isnan(value) ? Json(nullptr) : Json(value);
}

Json Scored::interval(const std::string& id) const {
  const metrics::Measurement& one = metric(id);
  return one.low ? Json::array({*one.low, *one.high}) : Json(nullptr);
}

uint64_t Scored::count(const std::string& id) const {
  const metrics::Measurement& one = metric(id);
  return one.n == 0 ? 0
                    : static_cast<uint64_t>(std::llround(one.value * static_cast<double>(one.n)));
}

namespace {

Scored call(const Workplace& place,
            const std::string& task,
            run::Catalogue catalogue,
            std::map<std::string, std::string> settings) {
  config::Options options(run::run_options(catalogue));
  settings["tasks"] = task;
  settings["output"] = place.next_output().string();
  settings["num-workers"] = "1";
  for (const auto& [name, value] : settings) options.set(name, value, "golden");
  return Scored(run::run_tasks({catalogue, options, "golden", {}, {}}));
}

}  // namespace

Scored ask(const Workplace& place,
           const std::string& task,
           std::map<std::string, std::string> settings) {
  run::Catalogue catalogue = run::Catalogue::built_in();
  catalogue.models.push_back(std::make_unique<models::AnsweringEntry>(
      [](const std::string&, const std::string&) { return std::string(); }));
  settings["model"] = "answering";
  return call(place, task, std::move(catalogue), std::move(settings));
}

Scored score(const Workplace& place,
             const std::string& task,
             std::map<std::string, std::string> settings) {
  settings.try_emplace("adapter", "given");
  settings.try_emplace("model", "golden");
  return call(place, task, run::Catalogue::built_in(), std::move(settings));
}

}  // namespace snellen::golden
