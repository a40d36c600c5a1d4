// SPDX-License-Identifier: Apache-2.0
// Action counting: a thing does something again and again, in the form of QUVA Repetition.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/eyechart/vilma/clip_item.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"
#include "snellen/text/words/number_words.h"

namespace snellen::eyechart::vilma {
namespace {

constexpr int kRate = 30;  // of the normalised videos
constexpr int kMaxCount = 10;
constexpr int kEasyCount = 3;

struct Repeated {
  std::string_view noun;
  std::string_view verb;  // third person
  std::string_view action;
  Beat beat;
  std::array<std::string_view, 3> wrong;  // verbs that are not seen
};

constexpr std::array kActions = {
    Repeated{"sports ball", "bounces", "bounce", Beat::kHop, {"rolls away", "bursts", "spins"}},
    Repeated{"rabbit", "hops", "hop", Beat::kHop, {"digs a hole", "falls asleep", "runs away"}},
    Repeated{"person", "jumps", "jump", Beat::kHop, {"sits down", "lies down", "walks away"}},
    Repeated{
        "cat", "turns over", "turn over", Beat::kSpin, {"licks its paw", "sleeps", "walks away"}},
    Repeated{"bell", "tilts", "tilt", Beat::kBow, {"falls down", "breaks", "rolls away"}},
    Repeated{"balloon", "swells", "swell", Beat::kSwell, {"bursts", "flies away", "sinks"}},
    Repeated{"lamp", "lights up", "light up", Beat::kOpen, {"falls over", "breaks", "rolls away"}},
    Repeated{"umbrella", "opens", "open", Beat::kOpen, {"falls over", "rolls away", "spins"}},
    Repeated{"book", "opens", "open", Beat::kOpen, {"falls down", "burns", "flies away"}},
    Repeated{"box", "opens", "open", Beat::kOpen, {"falls over", "burns", "rolls away"}},
    Repeated{"dog", "bows", "bow", Beat::kBow, {"sits down", "digs a hole", "sleeps"}},
    Repeated{"bird", "flies up", "fly up", Beat::kHop, {"eats a worm", "sleeps", "lays an egg"}},
};

// Everything about one video, the same whoever asks.
struct CountingVideo {
  const Repeated* action;
  std::string id;      // three digits
  std::string prefix;  // "007_bounce"
  std::string subject;
  ClipScript script;
  std::vector<int> ends;

  std::string sentence_of(size_t template_id, std::string_view rest) const {
    return fmt::format("{} {}{}.", template_id == 0 ? subject : "something", action->verb, rest);
  }
  std::string template_of(size_t template_id, std::string_view times) const {
    return sentence_of(template_id, fmt::format(" exactly <number> {}", times));
  }
  std::string wrong_of(size_t template_id, size_t which) const {
    return fmt::format("{} {}.", template_id == 0 ? subject : "something", action->wrong.at(which));
  }
};

CountingVideo draw_video(Rng& rng, uint64_t index) {
  CountingVideo video;
  video.action = &kActions.at(index % kActions.size());
  std::string name(video.action->action);
  std::replace(name.begin(), name.end(), ' ', '_');
  video.id = fmt::format("{:03d}", index);
  video.prefix = fmt::format("{}_{}", video.id, name);
  Actor actor = drawn_actor(rng, *noun_index(video.action->noun), 0.42);
  actor.faces_left = rng.below(2) == 0;
  actor.keys = {{0, 0.3 + 0.4 * rng.u01(), 0.86, 0, video.action->beat == Beat::kOpen ? 0.0 : 1.0}};
  actor.beat = video.action->beat;
  const uint64_t count = 6 + rng.below(7);
  const uint64_t pace = 13 + rng.below(9);
  int frame = 0;
  for (uint64_t i = 0; i < count; ++i) {
    frame += static_cast<int>(pace + rng.below(5));
    actor.beat_ends.push_back(frame);
  }
  video.ends = actor.beat_ends;
  video.subject = coloured_phrase(actor);
  video.script.backdrop = drawn_clip_backdrop(rng);
  video.script.actors = {std::move(actor)};
  video.script.frames_per_second = kRate;
  video.script.num_frames = frame + 8;
  return video;
}

std::string counted(const CountingVideo& video, size_t template_id, int count) {
  return video.sentence_of(template_id,
                           fmt::format(" exactly {} {}",
                                       text::number_words(fmt::to_string(count)),
                                       count == 1 ? "time" : "times"));
}

std::string seconds_of(int frame) {
  return python_float(std::round(static_cast<double>(frame) / kRate * 10000) / 10000);
}

int drawn_below(Rng& rng, int limit) {
  return static_cast<int>(rng.below(static_cast<uint64_t>(limit)));
}

// One stretch of so many repetitions, as an item in both units.
void add_item(Rng& rng, const CountingVideo& video, bool is_easy, std::vector<ItemRow>& rows) {
  const int total = static_cast<int>(video.ends.size());
  const int most = is_easy ? kEasyCount : std::min(kMaxCount, total);
  const int least = is_easy ? 1 : kEasyCount + 1;
  const int count = least + drawn_below(rng, most - least + 1);
  const int foil = is_easy ? kEasyCount + 1 + static_cast<int>(rng.below(kMaxCount - kEasyCount))
                           : 1 + static_cast<int>(rng.below(kEasyCount));
  const int first = drawn_below(rng, total - count + 1);
  const int start = first == 0 ? 0 : video.ends[static_cast<size_t>(first) - 1];
  const int end = video.ends[static_cast<size_t>(first + count) - 1];
  const size_t template_id = rng.below(2);
  const char* kind = is_easy ? "easy" : "hard";
  const std::string id = fmt::format("counting-{}-{}-{:04d}-{:04d}-{}-{}-{}-s",
                                     kind,
                                     video.id,
                                     start,
                                     end,
                                     count,
                                     foil,
                                     template_id);
  const std::string wrong = video.wrong_of(template_id, rng.below(3));
  const std::string author = drawn_author_vote(rng);
  const std::string rest = fmt::format(
      "{}, \"foiling_methods\": [\"sampling\"], \"template\": {}, \"template_id\": {}, \"class\": "
      "{}, "
      "\"classes_foil\": [{}], \"proficiency\": {{{}, \"human\": {}}}, \"normalized\": true, "
      "\"digits_or_spelling\": \"spelling\", \"mturk\": {}",
      texts_json(counted(video, template_id, count), {counted(video, template_id, foil)}),
      python_string(video.template_of(template_id, "times")),
      template_id,
      count,
      foil,
      texts_json(video.sentence_of(template_id, ""), {wrong}),
      author,
      drawn_crowd_votes(rng));
  Source source{.dataset = "QUVA",
                .original_split = "test",
                .dataset_idx = python_string(video.id),
                .phenomenon = "",
                .youtube_id = "",
                .video_file = video.prefix + ".mp4",
                .start_time = fmt::to_string(start),
                .end_time = fmt::to_string(end),
                .time_unit = "pts"};
  const std::string key = python_string(id);
  rows.push_back({fmt::format("counting-{}-spelled-pts.json", kind),
                  fmt::format("{}: {{{}{}}}", key, source_json(source), rest)});
  source.start_time = seconds_of(start);
  source.end_time = seconds_of(end);
  source.time_unit = "sec";
  rows.push_back({fmt::format("counting-{}-spelled-sec.json", kind),
                  fmt::format("{}: {{{}{}}}", key, source_json(source), rest)});
}

bool is_new(const std::vector<ItemRow>& rows, const std::vector<ItemRow>& more) {
  return std::none_of(rows.begin(), rows.end(), [&](const ItemRow& row) {
    return row.text.substr(0, row.text.find(": {")) ==
           more.front().text.substr(0, more.front().text.find(": {"));
  });
}

}  // namespace

VilmaClip counting_clip(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "counting", index);
  CountingVideo video = draw_video(rng, index);
  VilmaClip clip;
  clip.path = fmt::format("QUVA/normalized_videos/{}.mp4", video.prefix);
  clip.repetition_ends = video.ends;
  for (int i = 0; i < 4; ++i) {
    std::vector<ItemRow> rows;
    add_item(rng, video, /*is_easy=*/i % 2 == 0, rows);
    if (is_new(clip.rows, rows)) clip.rows.insert(clip.rows.end(), rows.begin(), rows.end());
  }
  clip.script = std::move(video.script);
  return clip;
}

CountingSources counting_sources(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "counting", index);
  const CountingVideo video = draw_video(rng, index);
  auto list = [&](std::string_view times) {
    return fmt::format("[{}, {}]",
                       python_string(video.template_of(0, times)),
                       python_string(video.template_of(1, times)));
  };
  const std::string common = fmt::format(
      "\"id\": {}, \"prefix\": {}, \"category\": \"other\", \"action\": {}, \"templates\": {}",
      python_string(video.id),
      python_string(video.prefix),
      python_string(video.action->action),
      list("times"));
  std::array<std::string, 2> foils;
  for (size_t t = 0; t < 2; ++t) {
    for (size_t k = 0; k < 3; ++k)
      foils.at(t) += (k > 0 ? ", " : "") + python_string(video.wrong_of(t, k));
  }
  const std::string key = python_string(video.id);
  return {fmt::format("{}: {{{}}}", key, common),
          fmt::format("{}: {{{}, \"singular_templates\": {}}}", key, common, list("time")),
          fmt::format("{}: {{\"0\": [{}], \"1\": [{}]}}", key, foils[0], foils[1])};
}

}  // namespace snellen::eyechart::vilma
