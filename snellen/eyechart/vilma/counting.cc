// SPDX-License-Identifier: Apache-2.0
// Action counting: a thing does something again and again, in the form of QUVA Repetition.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

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
  RepeatedMotion motion;
  std::array<std::string_view, 3> wrong;  // verbs that are not seen
};

constexpr std::array kActions = {
    Repeated{"sports ball",
             "bounces",
             "bounce",
             RepeatedMotion::kHop,
             {"rolls away", "bursts", "spins"}},
    Repeated{"rabbit",
             "hops",
             "hop",
             RepeatedMotion::kHop,
             {"digs a hole", "falls asleep", "runs away"}},
    Repeated{
        "person", "jumps", "jump", RepeatedMotion::kHop, {"sits down", "lies down", "walks away"}},
    Repeated{"cat",
             "turns over",
             "turn over",
             RepeatedMotion::kSpin,
             {"licks its paw", "sleeps", "walks away"}},
    Repeated{"bell", "tilts", "tilt", RepeatedMotion::kBow, {"falls down", "breaks", "rolls away"}},
    Repeated{
        "balloon", "swells", "swell", RepeatedMotion::kSwell, {"bursts", "flies away", "sinks"}},
    Repeated{"lamp",
             "lights up",
             "light up",
             RepeatedMotion::kOpen,
             {"falls over", "breaks", "rolls away"}},
    Repeated{
        "umbrella", "opens", "open", RepeatedMotion::kOpen, {"falls over", "rolls away", "spins"}},
    Repeated{"book", "opens", "open", RepeatedMotion::kOpen, {"falls down", "burns", "flies away"}},
    Repeated{"box", "opens", "open", RepeatedMotion::kOpen, {"falls over", "burns", "rolls away"}},
    Repeated{"dog", "bows", "bow", RepeatedMotion::kBow, {"sits down", "digs a hole", "sleeps"}},
    Repeated{"bird",
             "flies up",
             "fly up",
             RepeatedMotion::kHop,
             {"eats a worm", "sleeps", "lays an egg"}},
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
  actor.keys = {{0,
                 0.3 + 0.4 * rng.u01(),
                 0.86,
                 0,
                 video.action->motion == RepeatedMotion::kOpen ? 0.0 : 1.0}};
  actor.motion = video.action->motion;
  const uint64_t count = 6 + rng.below(7);
  const uint64_t pace = 9 + rng.below(5);
  int frame = 0;
  for (uint64_t i = 0; i < count; ++i) {
    frame += static_cast<int>(pace + rng.below(4));
    actor.motion_ends.push_back(frame);
  }
  video.ends = actor.motion_ends;
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

double seconds_of(int frame) {
  return std::round(static_cast<double>(frame) / kRate * 10000) / 10000;
}

int drawn_below(Rng& rng, int limit) {
  return static_cast<int>(rng.below(static_cast<uint64_t>(limit)));
}

// Two counts, of which one is asked for and the other is the foil, and what both items share.
struct Counts {
  int few;
  int many;
  size_t template_id;
  size_t wrong;
  JsonText author;
  JsonText crowd;
};

Counts draw_counts(Rng& rng, const CountingVideo& video) {
  const int most = std::min(kMaxCount, static_cast<int>(video.ends.size()));
  Counts counts;
  counts.few = 1 + drawn_below(rng, kEasyCount);
  counts.many = kEasyCount + 1 + drawn_below(rng, most - kEasyCount);
  counts.template_id = rng.below(2);
  counts.wrong = rng.below(3);
  counts.author = drawn_author_vote(rng);
  counts.crowd = drawn_crowd_votes(rng);
  return counts;
}

// One stretch of so many repetitions, as an item in both units.
void add_item(Rng& rng,
              const CountingVideo& video,
              bool is_easy,
              const Counts& counts,
              std::vector<ItemRow>& rows) {
  const int total = static_cast<int>(video.ends.size());
  const int count = is_easy ? counts.few : counts.many;
  const int foil = is_easy ? counts.many : counts.few;
  const size_t template_id = counts.template_id;
  const int first = drawn_below(rng, total - count + 1);
  const int start = first == 0 ? 0 : video.ends[static_cast<size_t>(first) - 1];
  const int end = video.ends[static_cast<size_t>(first + count) - 1];
  const char* kind = is_easy ? "easy" : "hard";
  const std::string id = fmt::format("counting-{}-{}-{:04d}-{:04d}-{}-{}-{}-s",
                                     kind,
                                     video.id,
                                     start,
                                     end,
                                     count,
                                     foil,
                                     template_id);
  const std::string wrong = video.wrong_of(template_id, counts.wrong);
  const JsonText proficiency = python_object({{"caption", video.sentence_of(template_id, "")},
                                              {"foils", std::vector<std::string>{wrong}},
                                              {"human", counts.author}});
  const JsonObject rest = {{"caption", counted(video, template_id, count)},
                           {"foils", std::vector<std::string>{counted(video, template_id, foil)}},
                           {"foiling_methods", std::vector<std::string>{"sampling"}},
                           {"template", video.template_of(template_id, "times")},
                           {"template_id", template_id},
                           {"class", count},
                           {"classes_foil", std::vector<int>{foil}},
                           {"proficiency", proficiency},
                           {"normalized", true},
                           {"digits_or_spelling", "spelling"},
                           {"mturk", counts.crowd}};
  Source source{.dataset = "QUVA",
                .original_split = "test",
                .dataset_idx = video.id,
                .phenomenon = "",
                .youtube_id = "",
                .video_file = video.prefix + ".mp4",
                .start_time = start,
                .end_time = end,
                .time_unit = "pts"};
  rows.push_back({fmt::format("counting-{}-spelled-pts.json", kind),
                  element_of(id, source_members(source).add(rest))});
  source.start_time = seconds_of(start);
  source.end_time = seconds_of(end);
  source.time_unit = "sec";
  rows.push_back({fmt::format("counting-{}-spelled-sec.json", kind),
                  element_of(id, source_members(source).add(rest))});
}

bool is_new(const std::vector<ItemRow>& rows, const std::vector<ItemRow>& more) {
  auto id_of = [](const ItemRow& row) { return row.text.substr(0, row.text.find(": {")); };
  return std::none_of(rows.begin(), rows.end(), [&](const ItemRow& row) {
    return std::any_of(
        more.begin(), more.end(), [&](const ItemRow& other) { return id_of(row) == id_of(other); });
  });
}

}  // namespace

VilmaClip counting_clip(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "counting", index);
  CountingVideo video = draw_video(rng, index);
  VilmaClip clip;
  clip.path = fmt::format("QUVA/normalized_videos/{}.mp4", video.prefix);
  clip.repetition_ends = video.ends;
  for (int i = 0; i < 2; ++i) {
    const Counts counts = draw_counts(rng, video);
    std::vector<ItemRow> rows;
    add_item(rng, video, /*is_easy=*/true, counts, rows);
    add_item(rng, video, /*is_easy=*/false, counts, rows);
    if (is_new(clip.rows, rows)) clip.rows.insert(clip.rows.end(), rows.begin(), rows.end());
  }
  clip.script = std::move(video.script);
  return clip;
}

CountingSources counting_sources(uint64_t seed, uint64_t index) {
  Rng rng = clip_stream(seed, "counting", index);
  const CountingVideo video = draw_video(rng, index);
  auto templates = [&](std::string_view times) {
    return std::vector<std::string>{video.template_of(0, times), video.template_of(1, times)};
  };
  auto wrong = [&](size_t t) {
    return std::vector<std::string>{
        video.wrong_of(t, 0), video.wrong_of(t, 1), video.wrong_of(t, 2)};
  };
  const JsonObject common = {{"id", video.id},
                             {"prefix", video.prefix},
                             {"category", "other"},
                             {"action", video.action->action},
                             {"templates", templates("times")}};
  return {element_of(video.id, common),
          element_of(video.id, JsonObject(common).add({{"singular_templates", templates("time")}})),
          element_of(video.id, {{"0", wrong(0)}, {"1", wrong(1)}})};
}

}  // namespace snellen::eyechart::vilma
