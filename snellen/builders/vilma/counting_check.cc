// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "snellen/base/parse_number.h"
#include "snellen/builders/vilma/check.h"
#include "snellen/builders/vilma/counting_sources.h"
#include "snellen/builders/vilma/item_check.h"

namespace snellen::builders::vilma {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 10> kNumbers = {
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
constexpr std::string_view kPlace = "<number>";

std::string number_text(int64_t count, bool is_spelled) {
  if (is_spelled && count >= 1 && count <= 10)
    return std::string(kNumbers.at(static_cast<size_t>(count - 1)));
  return std::to_string(count);
}

int64_t option_of(const builders::BuildRecord& record, const char* name) {
  return parse_number<int64_t>(record.option(name)).value_or(0);
}

class CountingCheck {
 public:
  explicit CountingCheck(const builders::BuildRecord& record)
      : sources_{.templates = record.source("templates"),
                 .foils = record.source("proficiency-foils"),
                 .data_dir = record.source("data-dir")},
        threshold_(option_of(record, "threshold")),
        max_count_(option_of(record, "max-count")),
        is_spelled_(record.option("use-digits") != "true"),
        is_compat_(record.option("compat") == "true"),
        pool_(annotations::read_quva_foils(sources_.foils)) {
    for (annotations::QuvaVideo& video :
         annotations::read_quva_templates(sources_.templates).videos)
      videos_.emplace(video.id, std::move(video));
  }

  void check(bool is_easy, const std::string& id, ItemCheck& item) {
    const std::string video_id = item.text("dataset_idx");
    const auto video = videos_.find(video_id);
    if (video == videos_.end())
      return item.broken("video-unknown", fmt::format("no templates of video '{}'", video_id));
    const int64_t count = item.integer("class");
    const int64_t foil = foil_count(item);
    check_clip(video->second, count, item);
    item.expect(is_easy ? count <= threshold_ && foil > threshold_
                        : count > threshold_ && foil <= threshold_,
                "instrument",
                fmt::format("counts {} and foil {}", count, foil));
    item.expect(count >= 1 && count <= max_count_ && foil >= 1 && foil <= max_count_,
                "count-range",
                fmt::format("counts {} and foil {}", count, foil));
    const auto number = static_cast<size_t>(item.integer("template_id"));
    if (number >= video->second.templates.size())
      return item.broken("template-unknown", fmt::format("template {}", number));
    item.expect(item.text("template") == video->second.templates[number],
                "template-unknown",
                "is not the video's");
    check_sentence(video->second, number, count, item.text("caption"), "caption", item);
    check_sentence(video->second, number, foil, item.only_text("foils"), "foil", item);
    if (item.has_proficiency()) check_proficiency(video->second, item);
    const std::string want = fmt::format("counting-{}-{}-{:04d}-{:04d}-{}-{}-{}-{}",
                                         is_easy ? "easy" : "hard",
                                         video_id,
                                         item.integer("start_time"),
                                         item.integer("end_time"),
                                         count,
                                         foil,
                                         number,
                                         is_spelled_ ? 's' : 'd');
    item.expect(id == want, "id", fmt::format("expected '{}'", want));
  }

 private:
  static int64_t foil_count(ItemCheck& item) {
    const auto& json = item.item();
    const auto found = json.find("classes_foil");
    if (found != json.end() && found->is_array() && found->size() == 1 &&
        (*found)[0].is_number_integer())
      return (*found)[0].get<int64_t>();
    item.broken("unreadable", "'classes_foil' is not a list of one whole number");
    return -1;
  }

  // The clip begins and ends with a repetition, and holds as many as are said.
  void check_clip(const annotations::QuvaVideo& video, int64_t count, ItemCheck& item) {
    auto known = ends_.find(video.id);
    if (known == ends_.end())
      known = ends_.emplace(video.id, repetition_ends(sources_, video.prefix)).first;
    const std::vector<int64_t>& ends = known->second;
    const int64_t start = item.integer("start_time");
    const int64_t end = item.integer("end_time");
    auto is_end = [&](int64_t frame) {
      return std::find(ends.begin(), ends.end(), frame) != ends.end();
    };
    item.expect((start == 0 || is_end(start)) && is_end(end),
                "clip-bounds",
                fmt::format("frames {} to {} are not ends of repetitions", start, end));
    const auto inside = std::count_if(
        ends.begin(), ends.end(), [&](int64_t frame) { return frame > start && frame <= end; });
    // Ends that fall on one frame are told apart only by their number.
    const bool may_share = is_compat_ || std::adjacent_find(ends.begin(), ends.end()) != ends.end();
    item.expect(
        inside == count || may_share,
        "count",
        fmt::format("{} repetitions between frames {} and {}, not {}", inside, start, end, count));
  }

  void check_sentence(const annotations::QuvaVideo& video,
                      size_t number,
                      int64_t count,
                      const std::string& text,
                      const char* rule,
                      ItemCheck& item) const {
    const std::string& plural = video.templates[number];
    const std::string& wanted =
        count == 1 && !video.singular_templates.empty() ? video.singular_templates[number] : plural;
    const size_t place = wanted.find(kPlace);
    const std::string before = wanted.substr(0, place) + number_text(count, is_spelled_);
    const std::string after = wanted.substr(place + kPlace.size());
    // A singular that the builder made itself is only known by where it stands.
    const bool is_free = count == 1 && video.singular_templates.empty();
    item.expect(is_free ? text.starts_with(before) : text == before + after,
                rule,
                fmt::format("'{}' is not template {} with {}", text, number, count));
  }

  void check_proficiency(const annotations::QuvaVideo& video, ItemCheck& item) const {
    const std::string caption = item.proficiency_caption();
    const std::string foil = item.proficiency_foil();
    item.expect(caption != foil || is_compat_, "proficiency-same", "foil repeats the caption");
    item.expect(
        caption.find(kPlace) == std::string::npos && caption.find("exactly") == std::string::npos,
        "proficiency-caption",
        fmt::format("'{}' speaks of a count", caption));
    const auto known = pool_.videos.find(video.id);
    bool is_known = false;
    if (known != pool_.videos.end()) {
      for (const auto& [number, foils] : known->second) {
        is_known = is_known || (number < video.templates.size() &&
                                std::find(foils.begin(), foils.end(), foil) != foils.end());
      }
    }
    item.expect(is_known, "proficiency-foil", fmt::format("'{}' is not of the pool", foil));
  }

  CountingSources sources_;
  int64_t threshold_;
  int64_t max_count_;
  bool is_spelled_;
  bool is_compat_;
  annotations::QuvaFoilPool pool_;
  std::map<std::string, annotations::QuvaVideo> videos_;
  std::map<std::string, std::vector<int64_t>> ends_;
};

// The times of the frames' file, for the same item in seconds.
using Times = std::map<std::string, std::pair<int64_t, int64_t>>;

void check_seconds(const fs::path& file,
                   const Times& times,
                   const builders::Workers& workers,
                   builders::CheckReport& report) {
  size_t num_known = 0;
  check_items(file, workers, report, [&](const std::string& id, ItemCheck& item) {
    const auto known = times.find(id);
    if (known == times.end()) return item.broken("item-unknown", "is not in the file of frames");
    ++num_known;
    item.expect(item.text("time_unit") == "sec", "time-unit", "is not 'sec'");
    auto is_second = [&](const char* key, int64_t frame) {
      const auto& json = item.item();
      return json.contains(key) && json[key].is_number() &&
             std::abs(json[key].get<double>() - static_cast<double>(frame) / 30) <= 0.5e-4 + 1e-9;
    };
    item.expect(
        is_second("start_time", known->second.first) && is_second("end_time", known->second.second),
        "seconds",
        "times are not those of the frames");
  });
  if (num_known != times.size()) {
    report.add({file.filename().string(),
                "item-missing",
                fmt::format("{} items of {} are here", num_known, times.size())});
  }
}

}  // namespace

builders::CheckReport check_counting(const fs::path& folder,
                                     const builders::BuildRecord& record,
                                     const builders::Workers& workers) {
  CountingCheck counting(record);
  builders::CheckReport report;
  const std::string wanted = record.option("instrument");
  const char* style = record.option("use-digits") == "true" ? "digits" : "spelled";
  for (const std::string instrument : {"easy", "hard"}) {
    if (wanted != "both" && wanted != instrument) continue;
    const std::string stem = fmt::format("counting-{}-{}", instrument, style);
    Times times;
    check_items(folder / (stem + "-pts.json"),
                workers,
                report,
                [&](const std::string& id, ItemCheck& item) {
                  counting.check(instrument == "easy", id, item);
                  times[id] = {item.integer("start_time"), item.integer("end_time")};
                });
    check_seconds(folder / (stem + "-sec.json"), times, workers, report);
  }
  return report;
}

}  // namespace snellen::builders::vilma
