// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/counting_build.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/output_folder.h"
#include "snellen/builders/vilma/exercise_foils.h"
#include "snellen/builders/vilma/item_file.h"
#include "snellen/media/video/frame_times.h"

namespace snellen::builders::vilma {
namespace {

namespace fs = std::filesystem;

constexpr double kFramesPerSecond = 30;
constexpr const char* kPool = "quva-proficiency-foils.json";

// What one build knows of its sources.
struct Videos {
  std::vector<CountedVideo> usable;   // in the order of their ids
  uint64_t num_shares = 0;            // what --num-examples is divided by
  std::vector<uint64_t> repetitions;  // of every video that wrong counts are drawn from
};

struct Item {
  std::string id;
  Json json;
  int64_t start = 0;
  int64_t end = 0;
};

std::vector<fs::path> files_of(const fs::path& folder, std::string_view extension) {
  std::error_code problem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    if (extension.empty() || entry.path().extension() == extension) files.push_back(entry.path());
  }
  if (problem || files.empty()) {
    throw Error{ErrorCode::kNotFound,
                problem ? fmt::format("cannot be read: {}", problem.message()) : "holds no file",
                folder.string(),
                "give QUVA's folder, normalised to 30 frames per second, with --data-dir"};
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<CountedVideo> open_video(const annotations::QuvaVideo& video,
                                const CountingSources& sources,
                                const annotations::QuvaFoilPool& pool) {
  CountedVideo one{.video = video, .ends = {}, .foils = {}};
  try {
    one.ends = repetition_ends(sources, video.prefix);
  } catch (const Error& error) {
    return error.within(fmt::format("video '{}'", video.id));
  }
  const auto found = pool.videos.find(video.id);
  if (found != pool.videos.end()) one.foils = found->second;
  std::erase_if(one.foils,
                [&](const auto& entry) { return entry.first >= video.templates.size(); });
  if (one.foils.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("video '{}' has no wrong sentences", video.id),
                 sources.foils.string(),
                 "add them, pass --exercise-foils if it shows an exercise, or --candidates-from"};
  }
  if (one.video.singular_templates.empty()) {
    for (const std::string& text : video.templates)
      one.video.singular_templates.push_back(singular_template(text));
  }
  return one;
}

Videos open_videos(const std::vector<annotations::QuvaVideo>& videos,
                   const CountingSources& sources,
                   const annotations::QuvaFoilPool& pool,
                   const CountingOptions& options,
                   const builders::Workers& workers,
                   builders::BadRecords& bad) {
  Videos all;
  uint64_t num_done = 0;
  ordered_pipeline<Result<CountedVideo>>(
      videos.size(),
      workers.num_threads,
      [&](uint64_t i) { return open_video(videos[i], sources, pool); },
      [&](Result<CountedVideo>&& one) {
        if (one) {
          all.usable.push_back(std::move(one).value());
        } else if (options.is_compat) {
          throw one.error();
        } else {
          bad.add(one.error());
        }
        workers.tell("reading repetitions", ++num_done, videos.size());
      },
      [] { return false; });
  if (options.is_compat) {
    all.num_shares = files_of(sources.data_dir / "normalized_videos", "").size();
    for (const fs::path& path : files_of(sources.data_dir / "normalized_annotations", ".npy"))
      all.repetitions.push_back(repetition_ends(sources, path.stem().string()).size());
  } else {
    all.num_shares = all.usable.size();
    for (const CountedVideo& one : all.usable) all.repetitions.push_back(one.ends.size());
  }
  return all;
}

// So many of the candidates: without repeating one where there are enough, else all and then more
// draws.
std::vector<SubClip> drawn_clips(std::vector<SubClip> candidates, uint64_t count, Rng& rng) {
  if (candidates.empty()) return {};
  if (candidates.size() >= count) {
    for (size_t i = 0; i < count; ++i)
      std::swap(candidates[i], candidates[i + rng.below(candidates.size() - i)]);
    candidates.resize(count);
    return candidates;
  }
  const size_t num_candidates = candidates.size();
  while (candidates.size() < count) candidates.push_back(candidates[rng.below(num_candidates)]);
  return candidates;
}

// The easier pair: a count-free sentence and a wrong one of the same template where there is one,
// else of another template of the video.
Json proficiency_of(const CountedVideo& one, size_t template_number, bool is_compat, Rng& rng) {
  auto found = one.foils.find(template_number);
  if (found == one.foils.end()) {
    found = one.foils.begin();
    std::advance(found, static_cast<std::ptrdiff_t>(rng.below(one.foils.size())));
  }
  const std::string caption = without_count(one.video.templates[found->first]);
  std::vector<std::string> foils = found->second;
  if (!is_compat) std::erase(foils, caption);
  if (foils.empty()) return {};
  return {{"caption", caption}, {"foils", Json::array({foils[rng.below(foils.size())]})}};
}

class ItemMaker {
 public:
  ItemMaker(const CountingOptions& options, Instrument instrument, const FoilCounts& counts)
      : options_(options),
        counts_(counts),
        instrument_(instrument),
        name_(instrument == Instrument::kEasy ? "easy" : "hard") {}

  std::vector<Item> items(const CountedVideo& one, uint64_t num_clips) const {
    const uint64_t seed =
        instrument_ == Instrument::kEasy ? options_.easy_seed : options_.hard_seed;
    Rng rng = Rng(seed).fork("vilma-counting").fork(name_).fork(one.video.id);
    std::vector<SubClip> candidates = sub_clips(one.ends, instrument_, options_.rule);
    // Frames that rounding made one leave a clip of none.
    if (!options_.is_compat)
      std::erase_if(candidates, [](const SubClip& clip) { return clip.end <= clip.start; });
    std::vector<Item> items;
    for (const SubClip& clip : drawn_clips(std::move(candidates), num_clips, rng))
      items.push_back(item(one, clip, rng));
    return items;
  }

 private:
  Item item(const CountedVideo& one, const SubClip& clip, Rng& rng) const {
    const annotations::QuvaVideo& video = one.video;
    const size_t number = rng.below(video.templates.size());
    const uint64_t foil = counts_.draw(rng);
    const std::string& plural = video.templates[number];
    const std::string& singular = video.singular_templates[number];
    const bool is_spelled = options_.style == CountStyle::kSpelled;
    Item made;
    made.start = clip.start;
    made.end = clip.end;
    made.id = fmt::format("counting-{}-{}-{:04d}-{:04d}-{}-{}-{}-{}",
                          name_,
                          video.id,
                          clip.start,
                          clip.end,
                          clip.count,
                          foil,
                          number,
                          is_spelled ? 's' : 'd');
    made.json = {{"dataset", "QUVA"},
                 {"original_split", "test"},
                 {"dataset_idx", video.id},
                 {"youtube_id", nullptr},
                 {"video_file", video.prefix + ".mp4"},
                 {"start_time", clip.start},
                 {"end_time", clip.end},
                 {"time_unit", "pts"},
                 {"caption", with_count(plural, singular, clip.count, options_.style)},
                 {"foils", Json::array({with_count(plural, singular, foil, options_.style)})},
                 {"foiling_methods", Json::array({"sampling"})},
                 {"template", plural},
                 {"template_id", number},
                 {"class", clip.count},
                 {"classes_foil", Json::array({foil})}};
    if (Json pair = proficiency_of(one, number, options_.is_compat, rng); !pair.is_null())
      made.json["proficiency"] = std::move(pair);
    made.json["normalized"] = true;
    made.json["digits_or_spelling"] = is_spelled ? "spelling" : "digits";
    return made;
  }

  const CountingOptions& options_;
  const FoilCounts& counts_;
  Instrument instrument_;
  std::string name_;
};

uint64_t clips_per_video(const CountingOptions& options, const Videos& videos) {
  const uint64_t share = videos.num_shares == 0 ? 0 : options.num_examples / videos.num_shares;
  if (share > 0) return share;
  throw Error{
      ErrorCode::kUsage,
      fmt::format(
          "{} examples are not one for each of {} videos", options.num_examples, videos.num_shares),
      "--num-examples",
      "ask for at least one for each video"};
}

// The files that are written for an instrument, without what tells frames from seconds.
std::string stem_of(Instrument instrument, const CountingOptions& options) {
  return fmt::format("counting-{}-{}",
                     instrument == Instrument::kEasy ? "easy" : "hard",
                     options.style == CountStyle::kSpelled ? "spelled" : "digits");
}

bool changes_pool(const CountingOptions& options) {
  return options.adds_exercise_foils || options.proposed.propose || options.judges.is_active();
}

std::vector<fs::path> names_of(const CountingOptions& options) {
  std::vector<fs::path> names;
  for (const Instrument instrument : {Instrument::kEasy, Instrument::kHard}) {
    const bool is_made = instrument == Instrument::kEasy ? options.makes_easy : options.makes_hard;
    if (!is_made) continue;
    names.emplace_back(stem_of(instrument, options) + "-pts.json");
    names.emplace_back(stem_of(instrument, options) + "-sec.json");
  }
  if (changes_pool(options)) names.emplace_back(kPool);
  return names;
}

void write_instrument(Instrument instrument,
                      const Videos& videos,
                      const CountingOptions& options,
                      const fs::path& out,
                      const builders::Workers& workers,
                      builders::BuildReport& report) {
  FoilCounts counts(instrument, options.rule);
  for (const uint64_t repetitions : videos.repetitions) counts.add_video(repetitions);
  const bool is_easy = instrument == Instrument::kEasy;
  const std::string stem = stem_of(instrument, options);
  ItemFile frames(out / (stem + "-pts.json"));
  ItemFile seconds(out / (stem + "-sec.json"));
  if (!counts.is_empty()) {
    const uint64_t share = clips_per_video(options, videos);
    const ItemMaker maker(options, instrument, counts);
    uint64_t num_done = 0;
    ordered_pipeline<std::vector<Item>>(
        videos.usable.size(),
        workers.num_threads,
        [&](uint64_t i) { return maker.items(videos.usable[i], share); },
        [&](std::vector<Item>&& items) {
          for (Item& item : items) {
            if (!frames.add(item.id, item.json)) continue;
            item.json["start_time"] =
                media::seconds_of_frame(static_cast<double>(item.start), kFramesPerSecond);
            item.json["end_time"] =
                media::seconds_of_frame(static_cast<double>(item.end), kFramesPerSecond);
            item.json["time_unit"] = "sec";
            seconds.add(item.id, item.json);
          }
          workers.tell(stem, ++num_done, videos.usable.size());
        },
        [] { return false; });
  }
  frames.commit();
  seconds.commit();
  report.counts.push_back({is_easy ? "counting, easy" : "counting, difficult",
                           "items",
                           frames.size(),
                           is_easy ? "959" : "895"});
  report.files.push_back(frames.path());
  report.files.push_back(seconds.path());
}

// The pool as it was used, in the form it is read in.
void write_pool(const annotations::QuvaFoilPool& pool,
                const fs::path& out,
                builders::BuildReport& report) {
  ItemFile file(out / kPool);
  for (const auto& [id, foils] : pool.videos) {
    Json json = Json::object();
    for (const auto& [number, texts] : foils) json[std::to_string(number)] = texts;
    file.add(id, json);
  }
  file.commit();
  report.files.push_back(file.path());
}

builders::BuildRecord record_of(const CountingSources& sources,
                                const CountingOptions& options,
                                const fs::path& out) {
  using builders::shown_path;
  auto flag = [](bool is_set) { return std::string(is_set ? "true" : "false"); };
  const fs::path pool = changes_pool(options) ? out / kPool : sources.foils;
  builders::BuildRecord record = {
      .builder = "vilma-counting",
      .options = {{"instrument",
                   !options.makes_hard   ? "easy"
                   : !options.makes_easy ? "hard"
                                         : "both"},
                  {"threshold", std::to_string(options.rule.threshold)},
                  {"max-count", std::to_string(options.rule.max_count)},
                  {"easy-seed", std::to_string(options.easy_seed)},
                  {"hard-seed", std::to_string(options.hard_seed)},
                  {"num-examples", std::to_string(options.num_examples)},
                  {"use-digits", flag(options.style == CountStyle::kDigits)},
                  {"exercise-foils", flag(options.adds_exercise_foils)},
                  {"compat", flag(options.is_compat)}},
      .sources = {{"templates", shown_path(sources.templates)},
                  {"proficiency-foils", shown_path(pool)},
                  {"data-dir", shown_path(sources.data_dir)}}};
  add_to_record(options.judges, record);
  return record;
}

}  // namespace

builders::BuildReport build_counting(const CountingSources& sources,
                                     const CountingOptions& options,
                                     const fs::path& out,
                                     const builders::Workers& workers) {
  const annotations::QuvaTemplates templates = annotations::read_quva_templates(sources.templates);
  annotations::QuvaFoilPool pool;
  if (!sources.foils.empty()) pool = annotations::read_quva_foils(sources.foils);
  builders::BuildReport report;
  report.bad_records.add(templates.bad_records);
  report.bad_records.add(pool.bad_records);
  if (options.proposed.propose)
    add_proposed_foils(templates.videos, options.proposed, workers, pool);
  if (options.adds_exercise_foils)
    add_exercise_foils(templates.videos, {.is_compat = options.is_compat}, pool);
  size_t num_left_out = 0;
  if (options.judges.is_active())
    num_left_out = keep_passing_foils(templates.videos, options.judges, workers, pool);
  const Videos videos =
      open_videos(templates.videos, sources, pool, options, workers, report.bad_records);
  const FileLock lock = builders::open_output_folder(out, "vilma-counting", names_of(options));
  if (changes_pool(options)) write_pool(pool, out, report);
  if (options.judges.is_active())
    report.counts.push_back({"sentences that judges left out", "sentences", num_left_out, ""});
  if (options.makes_easy)
    write_instrument(Instrument::kEasy, videos, options, out, workers, report);
  if (options.makes_hard)
    write_instrument(Instrument::kHard, videos, options, out, workers, report);
  builders::write_record(record_of(sources, options, out), out, report);
  return report;
}

}  // namespace snellen::builders::vilma
