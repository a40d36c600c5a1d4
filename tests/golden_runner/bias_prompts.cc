// SPDX-License-Identifier: Apache-2.0
// close_prompts.json, by `run --tasks bias-close --prompt vlbias` on the files as they lie on disk.
#include <filesystem>

#include <fmt/format.h>

#include "snellen/store/samples.h"
#include "tests/golden_runner/bias_answers.h"
#include "tests/golden_runner/verb_call.h"

namespace snellen::golden {
namespace {

namespace fs = std::filesystem;

// What was asked, in the order of the questions, as the published loader lists it.
Json asked_samples(const Scored& scored, const std::string& root) {
  store::Samples samples = store::Samples::open_to_read(scored.folder() / "samples.db");
  Json all = Json::array();
  auto list = [&](const store::Sample& sample) {
    Json images = Json::array();
    for (const store::ShownVisual& visual : sample.visuals) {
      std::string path = visual.path;
      if (path.starts_with(root)) path.replace(0, root.size(), "<ROOT>");
      images.push_back(path);
    }
    all.push_back({{"images", images},
                   {"instruction", sample.texts.empty() ? Json(nullptr) : Json(sample.texts[0])}});
  };
  samples.for_each(0, std::nullopt, list, store::Reading::kEverything);
  return all;
}

}  // namespace

void check_close_prompts(const Context& context, Tally& tally) {
  const Json json = context.json();
  const Workplace place;
  const fs::path root = place.path() / "vlbias";
  for (const auto& [subset, files] : json["files"].items()) {
    for (const auto& [name, records] : files.items()) {
      const fs::path folder = fs::path("vlbias") / "close-ended" / "json" / subset;
      fs::create_directories(place.path() / folder);
      place.write(folder / name, records);
    }
  }
  for (const Json& want : json["expected"]) {
    const std::string all_with_c = want["all_qa_with_c"].get<bool>() ? "true" : "false";
    for (const bool is_compat : {false, true}) {
      tally.start(fmt::format("all_qa_with_c {}{}", all_with_c, is_compat ? ", --compat" : ""));
      // --compat asks in the release's form unless told otherwise.
      std::map<std::string, std::string> settings = {{"data", root.string()},
                                                     {"all-with-c", all_with_c}};
      settings.emplace(is_compat ? "compat" : "prompt", is_compat ? "true" : "vlbias");
      tally.same(asked_samples(ask(place, "bias-close", settings), root.string()),
                 want["samples"],
                 0,
                 "samples");
    }
  }
}

}  // namespace snellen::golden
