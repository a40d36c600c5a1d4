// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/plan_work.h"

#include <algorithm>
#include <set>

#include "snellen/inference/rows/exact_doubles.h"
#include "snellen/inference/visuals/visual_key.h"
#include "snellen/media/placed_picture.h"
#include "snellen/models/similarity.h"

namespace snellen::inference {
namespace {

constexpr size_t kTruncatedShown = 5;

// Room is kept for as many frames; what is not used of the mapped rows costs nothing.
size_t most_frames(const media::VisualPlace& place, int64_t frames_per_clip) {
  if (!place.frames.empty()) return place.frames.size();
  if (!place.sampler) return static_cast<size_t>(frames_per_clip);
  using Kind = media::FrameSampler::Kind;
  const bool is_fixed =
      place.sampler->kind == Kind::kUniform || place.sampler->kind == Kind::kWindow;
  if (!is_fixed) return VisualReader::kMostFrames;
  return static_cast<size_t>(place.sampler->num_frames > 0 ? place.sampler->num_frames
                                                           : frames_per_clip);
}

void expect_single_prompts(const Table& table) {
  for (uint32_t id = 0; id < table.num_texts(); ++id) {
    if (!table.is_ensemble(id) || table.prompts(id).size() == 1) continue;
    throw Error{ErrorCode::kUsage,
                "has no two towers with one vector a picture, so that several prompts of a class "
                "have no mean",
                "--model",
                "give one template, or a model of CLIP's kind (snellen list models)"};
  }
}

// Thrown where one picture or text does not fit into the device's memory alone.
struct DoesNotFit {};
constexpr auto kGiveUp = [](size_t) { throw DoesNotFit(); };

models::PixelsView part_of(const models::PixelsView& pixels, size_t begin, size_t end) {
  const size_t frame_size = pixels.values.size() / static_cast<size_t>(pixels.count);
  models::PixelsView part = pixels;
  part.count = static_cast<int64_t>(end - begin);
  part.values = pixels.values.subspan(begin * frame_size, (end - begin) * frame_size);
  return part;
}

}  // namespace

WorkCounts& WorkCounts::operator+=(const WorkCounts& more) {
  read += more.read;
  decoded += more.decoded;
  transparent += more.transparent;
  visuals += more.visuals;
  texts += more.texts;
  pairs += more.pairs;
  same_content += more.same_content;
  splits += more.splits;
  known_visuals += more.known_visuals;
  known_texts += more.known_texts;
  num_truncated += more.num_truncated;
  for (const std::string& text : more.truncated) {
    bool is_listed = std::find(truncated.begin(), truncated.end(), text) != truncated.end();
    if (!is_listed && truncated.size() < kTruncatedShown) truncated.push_back(text);
  }
  return *this;
}

PlanWork::PlanWork(const Table& table,
                   const NetworkParts& parts,
                   const Backend& backend,
                   RowStore& store)
    : table_(table),
      parts_(parts),
      backend_(backend),
      traits_(backend.traits()),
      store_(store),
      token_feed_(table, parts),
      worker_(backend.worker()),
      keeps_raw_(table.has_ensembles() && traits_.has_directions),
      visuals_(parts.working_folder, table.num_visuals()),
      texts_(parts.working_folder, table.num_texts()),
      directions_(keeps_raw_ ? table.num_texts() : 0),
      answers_(parts.working_folder) {
  if (table.has_ensembles() && !keeps_raw_) expect_single_prompts(table);
  if (traits_.table.has_visuals) {
    visual_feed_ =
        std::make_unique<VisualFeed>(table,
                                     parts,
                                     VisualFeed::Options{.frames_per_clip = traits_.frames_per_clip,
                                                         .pads_clips = traits_.pads_clips,
                                                         .leaves_coded = traits_.takes_bytes,
                                                         .keeps_pixels = traits_.table.has_pairs});
  }
  if (worker_) floats_per_pair_ = kFloatsPerDouble * (worker_->traits().has_masses ? 2 : 1);
  if (traits_.table.has_pairs || traits_.table.has_questions)
    pairs_ =
        std::make_unique<MappedRows>(parts.working_folder, floats_per_pair_ * table.num_pairs());
  for (uint32_t id = 0; traits_.has_rows_per_frame && id < table.num_visuals(); ++id) {
    if (is_clip(id))
      frames_per_row_ =
          std::max(frames_per_row_, most_frames(*table.place(id), traits_.frames_per_clip));
  }
  for (uint32_t id = 0; store.keeps_process_rows() && id < table.num_texts(); ++id) {
    if (!store.note(row_key(text_unit(id), {}, table.text(id)))) ++num_known_texts_;
  }
}

JobResult PlanWork::work(const Job& job) {
  if (job.kind == Job::Kind::kTexts) return work_on_texts(job);
  if (!pairs_) return work_on_visuals(job);
  return worker_ ? work_on_question(job) : work_on_pairs(job);
}

void PlanWork::keep(JobResult&& done) {
  for (auto& [text, direction] : done.directions) directions_[text] = std::move(direction);
  if (done.job.kind == Job::Kind::kTexts) return texts_.keep(done);
  if (!pairs_) return visuals_.keep(done);
  if (done.reply) answers_.add(done.job.begin, *done.reply);
  std::span<float> place =
      pairs_->values(floats_per_pair_ * table_.first_value(done.job.begin), done.values.size());
  std::copy(done.values.begin(), done.values.end(), place.begin());
  visuals_.keep_failures(done);
}

void PlanWork::fail(Wanted& one, const Error& error) {
  one.failure = error;
  if (one.name) store_.add_failure(*one.name, error);
}

// On a GPU the bits of a row depend on its batch: the cache gives a batch as a whole. What this
// process made, it need not make again.
void PlanWork::take_whole_batches(std::vector<Wanted>& all) const {
  const bool has_open =
      std::any_of(all.begin(), all.end(), [](const Wanted& one) { return one.is_open(); });
  if (parts_.gpu_batch == 0 || !has_open) return;
  for (Wanted& one : all) {
    if (one.origin == Origin::kDisk) one.origin = Origin::kNone;
  }
}

PlanWork::Wanted PlanWork::want_text(uint32_t id) {
  Wanted one;
  one.name = row_key(text_unit(id), {}, table_.text(id));
  one.failure = store_.failure(*one.name);
  if (one.failure || !store_.has_layers()) return one;
  one.origin = store_.find(*one.name, one.row);
  one.is_on_disk = one.origin == Origin::kDisk;
  // It may be too long, which this process has not counted yet.
  if (one.is_on_disk && !worker_) {
    for (const std::string_view prompt : table_.prompts(id))
      (void)token_feed_.tokens_of(id, prompt);
  }
  return one;
}

// What of a job is to be embedded: an ensemble has several prompts, all others one.
struct PlanWork::OpenPrompts {
  std::vector<uint32_t> texts;  // whose each prompt is
  std::vector<std::string_view> prompts;
  std::vector<models::TokenIds> tokens;
  models::Matrix rows;
};

void PlanWork::embed_prompts(OpenPrompts& open, std::vector<Wanted>& all, uint32_t first) {
  auto fail_text = [&](size_t i, const Error& error) { fail(all[open.texts[i] - first], error); };
  models::Matrix& rows = open.rows;
  auto take = [&](size_t i, std::span<const float> row) {
    if (rows.num_columns == 0) {
      rows = {.num_rows = open.prompts.size(), .num_columns = row.size(), .values = {}};
      rows.values.resize(rows.num_rows * rows.num_columns);
    }
    SNELLEN_CHECK(row.size() == rows.num_columns);
    std::copy(row.begin(), row.end(), rows.values.begin() + static_cast<ptrdiff_t>(i * row.size()));
  };
  if (worker_) {
    std::vector<models::WorkerQuestion> questions;
    for (const std::string_view prompt : open.prompts) questions.push_back({.texts = {prompt}});
    auto answers = parts_.in_network([&] { return worker_->embed(questions, parts_.is_stopped); });
    for (size_t i = 0; i < answers.size(); ++i) {
      if (!answers[i]) {
        fail_text(i, answers[i].error());
        continue;
      }
      take(i, std::vector<float>(answers[i]->values.begin(), answers[i]->values.end()));
    }
    num_texts_ += answers.size();
    return;
  }
  auto embed = [&](size_t begin, size_t end) {
    const models::Matrix made = parts_.in_network(
        [&] { return backend_.embed_texts(std::span(open.tokens).subspan(begin, end - begin)); });
    num_texts_ += end - begin;
    for (size_t i = begin; i < end; ++i) take(i, made.row(i - begin));
  };
  // Ensembles have more prompts than a batch.
  for (size_t from = 0; from < open.tokens.size(); from += traits_.texts_per_job) {
    const size_t count = std::min<size_t>(traits_.texts_per_job, open.tokens.size() - from);
    parts_.in_exact_batches(count, [&](size_t begin, size_t end) {
      parts_.in_halves(from + begin, from + end, num_splits_, embed, [&](size_t i) {
        fail_text(i, too_large(parts_));
      });
    });
  }
}

JobResult PlanWork::work_on_texts(const Job& job) {
  JobResult done{.job = job};
  std::vector<Wanted> all;
  OpenPrompts open;
  timed(parts_.stages->reading, [&] {
    for (uint32_t id = job.begin; id < job.end; ++id) all.push_back(want_text(id));
    take_whole_batches(all);
    for (uint32_t id = job.begin; id < job.end; ++id) {
      Wanted& one = all[id - job.begin];
      if (!one.is_open()) continue;
      for (const std::string_view prompt : table_.prompts(id)) {
        models::TokenIds read = worker_ ? models::TokenIds{} : token_feed_.tokens_of(id, prompt);
        if (std::optional<Error> refused = backend_.refuse(read, prompt)) {
          fail(one, *refused);
          break;
        }
        open.texts.push_back(id);
        open.prompts.push_back(prompt);
        open.tokens.push_back(std::move(read));
      }
    }
  });
  embed_prompts(open, all, job.begin);
  size_t from = 0;
  for (uint32_t id = job.begin; id < job.end; ++id) {
    const Wanted& one = all[id - job.begin];
    const size_t begin = from;
    while (from < open.texts.size() && open.texts[from] == id) ++from;
    if (one.failure) done.failures.emplace(id, *one.failure);
    if (one.failure) continue;
    const size_t width = open.rows.num_columns;
    const auto values = open.rows.values.begin();
    keep_text(id,
              one,
              {.num_rows = from - begin,
               .num_columns = width,
               .values = {values + static_cast<ptrdiff_t>(begin * width),
                          values + static_cast<ptrdiff_t>(from * width)}},
              done);
  }
  return done;
}

// A row that was found, or those of its prompts that were computed, go to the job and to the store.
void PlanWork::keep_text(uint32_t id, const Wanted& one, models::Matrix&& rows, JobResult& done) {
  const bool is_found = one.origin != Origin::kNone;
  const Origin origin = is_found || !one.is_on_disk ? one.origin : Origin::kDisk;
  if (has_direction(id)) {
    std::vector<double> direction =
        is_found ? exact_doubles(one.row) : models::mean_direction(rows);
    store_.add(*one.name, is_found ? one.row : exact_floats(direction), origin);
    done.directions.emplace(id, std::move(direction));
    return;
  }
  if (!is_found) backend_.make_text_ready(rows.values);
  const std::span<const float> row = is_found ? std::span<const float>(one.row) : rows.values;
  std::copy(row.begin(), row.end(), done.row(id, row.size()).begin());
  store_.add(*one.name, row, origin);
}

void PlanWork::read(uint32_t id, Wanted& one) {
  Result<VisualFeed::Opened> opened = visual_feed_->open(id, store_.has_layers());
  if (!opened) return fail(one, opened.error());
  one.opened = std::move(opened).value();
  if (one.name && one.opened.content) store_.add_content(*one.name, *one.opened.content);
}

// Without its row.
PlanWork::Wanted PlanWork::want_visual(uint32_t id) {
  Wanted one;
  const questions::Drawn* drawn = table_.visual(id).drawn();
  const Result<media::VisualPlace>& place = table_.place(id);
  if (!place && !drawn) {
    one.failure = place.error();
    return one;
  }
  if (place && media::shows_no_picture(*place)) {
    one.opened.content = content_of_nothing();
    return one;
  }
  // A worker reads what it is shown itself, and may be shown nothing.
  const bool shows_nothing = !drawn && place->path.empty();
  if (worker_ && (shows_nothing || !store_.has_layers())) return one;
  if (store_.keeps_process_rows()) {
    one.name = drawn ? content_key(drawn->key) : visual_key(*place, place->path.native());
    one.is_new = store_.note(*one.name);
    if (!one.is_new) ++num_known_visuals_;
    one.failure = store_.failure(*one.name);
    if (one.failure) return one;
    one.opened.content = store_.content(*one.name);
  }
  if (!one.opened.content) read(id, one);
  return one;
}

void PlanWork::find_row(uint32_t id, Wanted& one) {
  if (one.failure || !one.opened.content) return;
  const ContentKey& content = *one.opened.content;
  one.is_owner = is_clip(id) || visual_feed_->owns(id, content);
  if (!one.is_owner || !store_.has_layers()) return;
  const Origin found = store_.find(row_key(visual_unit(), content), one.row);
  if (found == Origin::kNone || (is_clip(id) && !find_frames(id, content))) return;
  one.origin = found;
  one.is_on_disk = found == Origin::kDisk;
  if (found == Origin::kProcess && one.is_new) ++num_same_content_;
}

JobResult PlanWork::work_on_visuals(const Job& job) {
  JobResult done{.job = job};
  std::vector<Wanted> all;
  std::vector<PixelBatch> batches = timed(parts_.stages->reading, [&] {
    for (uint32_t id = job.begin; id < job.end; ++id) {
      all.push_back(want_visual(id));
      find_row(id, all.back());
    }
    take_whole_batches(all);
    return worker_ ? std::vector<PixelBatch>{} : batches_of(job, all);
  });
  if (worker_) embed_places(job, all, done);
  for (PixelBatch& batch : batches) {
    if (!batch.coded.empty()) {
      std::map<uint32_t, Error> failures;
      timed(parts_.stages->decoding, [&] { visual_feed_->decode(batch, failures); });
      for (const auto& [id, failure] : failures) fail(all[id - job.begin], failure);
    }
    embed(batch, all, done);
    batch = {};
  }
  share_uniform_rows(all, done);
  keep_visual_rows(all, done);
  return done;
}

// The pixels of the visuals that are to be computed.
std::vector<PixelBatch> PlanWork::batches_of(const Job& job, std::vector<Wanted>& all) {
  std::vector<PixelBatch> batches;
  // Where the bits of a row depend on its batch, each batch is computed whole.
  const bool shares_uniform = parts_.is_row_exact() && parts_.gpu_batch == 0 && !pairs_;
  std::set<UniformRows::Key> uniform_here;
  for (uint32_t id = job.begin; id < job.end; ++id) {
    Wanted& one = all[id - job.begin];
    // Its content was known to the process, but not its row.
    if (one.is_open() && !is_clip(id) && !one.opened.file && !table_.visual(id).drawn())
      read(id, one);
    if (!one.is_open()) continue;
    const std::optional<ContentKey> content = one.opened.content;
    Result<VisualPixels> pixels = visual_feed_->pixels(id, std::move(one.opened));
    one.opened = {.content = content};
    if (!pixels) {
      fail(one, pixels.error());
      continue;
    }
    if (shares_uniform) one.uniform = UniformRows::key_of(*pixels);
    one.takes_uniform_row = one.uniform && (!uniform_here.insert(*one.uniform).second ||
                                            uniform_rows_.has(*one.uniform));
    if (!one.takes_uniform_row)
      append(batches, id, std::move(pixels).value(), parts_.is_row_exact());
  }
  for (PixelBatch& batch : batches) {
    if (!traits_.takes_bytes) batch.make_floats(*parts_.opened->processor);
  }
  return batches;
}

void PlanWork::embed(PixelBatch& batch, std::vector<Wanted>& all, JobResult& done) {
  auto work = [&](size_t begin, size_t end) {
    PixelBatch half;
    const bool is_whole = end - begin == batch.ids.size();
    if (!is_whole) {
      batch.staged.reset();
      half = batch.part(begin, end);
      if (!traits_.takes_bytes) half.make_floats(*parts_.opened->processor);
    }
    PixelBatch& some = is_whole ? batch : half;
    const models::Matrix rows = parts_.in_network([&] { return backend_.embed_visuals(some); });
    num_visuals_ += some.ids.size();
    size_t from = 0;
    for (uint32_t id : some.ids) {
      const std::span<float> to = done.row(id, rows.num_columns * frames_per_row_);
      for (size_t frame = 0; frame < rows_of(id); ++frame, ++from) {
        const std::span<const float> row = rows.row(from);
        const std::span<float> one = to.subspan(frame * row.size(), row.size());
        std::copy(row.begin(), row.end(), one.begin());
        if (!keeps_raw_) backend_.make_visual_ready(one);
      }
    }
  };
  parts_.in_halves(0, batch.ids.size(), num_splits_, work, [&](size_t i) {
    fail(all[batch.ids[i] - done.job.begin], too_large(parts_));
  });
}

// Those that were computed come before those that take them.
void PlanWork::share_uniform_rows(std::vector<Wanted>& all, JobResult& done) {
  for (uint32_t id = done.job.begin; id < done.job.end; ++id) {
    Wanted& one = all[id - done.job.begin];
    if (!one.uniform || one.failure) continue;
    if (!one.takes_uniform_row) {
      uniform_rows_.add(*one.uniform, done.row(id, done.width));
      continue;
    }
    const std::vector<float> row = uniform_rows_.find(*one.uniform);
    if (row.empty()) {
      fail(one, too_large(parts_));  // as the one that was computed for all
      continue;
    }
    std::copy(row.begin(), row.end(), done.row(id, row.size()).begin());
    ++num_same_content_;
  }
}

// Rows that were found go to the job, those that were computed to the store.
void PlanWork::keep_visual_rows(std::vector<Wanted>& all, JobResult& done) {
  for (uint32_t id = done.job.begin; id < done.job.end; ++id) {
    const Wanted& one = all[id - done.job.begin];
    if (one.failure) done.failures.emplace(id, *one.failure);
    if (one.failure || !one.is_owner) continue;
    const std::optional<ContentKey>& content = one.opened.content;
    if (one.origin != Origin::kNone) {
      // Where a row has room for several frames, it is kept without the room.
      const size_t width = one.row.size() / rows_of(id) * frames_per_row_;
      std::copy(one.row.begin(), one.row.end(), done.row(id, width).begin());
      store_.add(row_key(visual_unit(), *content), one.row, one.origin);
    } else if (content && store_.has_layers()) {
      const std::span<const float> row = done.row(id, done.width);
      if (is_clip(id)) add_frames(frames_of(id), *content);
      store_.add(row_key(visual_unit(), *content),
                 row.first(done.width / frames_per_row_ * rows_of(id)),
                 one.is_on_disk ? Origin::kDisk : Origin::kNone);
    }
  }
}

// A clip is known when the frames that were shown are.
bool PlanWork::find_frames(uint32_t visual, const ContentKey& content) {
  std::vector<float> row;
  if (store_.find(row_key(Unit::kFrames, content), row) == Origin::kNone || row.empty())
    return false;
  if (worker_) {
    std::lock_guard lock(mutex_);
    frames_shown_[visual] = {row.begin(), row.end()};
    return true;
  }
  visual_feed_->restore_frames(visual, {row.begin(), row.end()});
  return true;
}

void PlanWork::add_frames(const media::FrameIndices& frames, const ContentKey& content) {
  constexpr int64_t kExactInFloat = int64_t{1} << 24;
  if (std::any_of(frames.begin(), frames.end(), [](int64_t f) { return f >= kExactInFloat; }))
    return;
  store_.add(row_key(Unit::kFrames, content), std::vector<float>(frames.begin(), frames.end()));
}

JobResult PlanWork::work_on_pairs(const Job& job) {
  SNELLEN_CHECK(job.end == job.begin + 1);
  const uint32_t id = job.begin;
  JobResult done{.job = job};
  std::vector<Wanted> all;
  std::vector<PixelBatch> batches = timed(parts_.stages->reading, [&]() -> std::vector<PixelBatch> {
    all.push_back(want_visual(id));
    Wanted& one = all.front();
    const bool is_known = !one.failure && one.opened.content && store_.has_layers() &&
                          take_pairs(id, *one.opened.content, done);
    if (is_known) return {};
    return batches_of(job, all);
  });
  Wanted& visual = all.front();
  if (!batches.empty()) {
    try {
      done.values = match(batches.front(), table_.texts_of(id));
    } catch (const DoesNotFit&) {
      fail(visual, too_large(parts_));
    }
  }
  if (visual.failure) {
    done.failures.emplace(id, *visual.failure);
  } else if (!batches.empty() && visual.opened.content && store_.has_layers()) {
    const ContentKey& content = *visual.opened.content;
    if (is_clip(id)) add_frames(visual_feed_->frames_of(id), content);
    std::vector<float> known;
    const std::span<const uint32_t> texts = table_.texts_of(id);
    for (size_t i = 0; i < texts.size(); ++i) {
      const ContentKey key = pair_key(content, texts[i]);
      store_.add(key, std::span(done.values).subspan(i, 1), store_.find(key, known));
    }
  }
  return done;
}

// The scores of a visual with its texts, where all of them are there.
bool PlanWork::take_pairs(uint32_t id, const ContentKey& content, JobResult& done) {
  struct Found {
    uint32_t text;
    float score;
    Origin origin;
  };
  std::vector<Found> found;
  std::vector<float> row;
  for (uint32_t text : table_.texts_of(id)) {
    const Origin origin = store_.find(pair_key(content, text), row);
    if (origin == Origin::kNone || row.size() != 1) return false;
    found.push_back({text, row.front(), origin});
  }
  if (is_clip(id) && !find_frames(id, content)) return false;
  for (const Found& one : found) {
    done.values.push_back(one.score);
    if (one.origin == Origin::kProcess) continue;
    (void)token_feed_.tokens(one.text);  // it may be too long, which is counted
    store_.add(pair_key(content, one.text), std::span(&one.score, 1), one.origin);
  }
  return true;
}

// Of a clip each frame is seen, and a text's scores are averaged over them
// (docs/spec/vilma.md 5.5).
std::vector<float> PlanWork::match(const PixelBatch& batch, std::span<const uint32_t> texts) {
  const std::vector<models::TokenIds> tokens = token_feed_.tokens(texts);
  std::vector<double> sums(texts.size(), 0.0);
  models::SeenImages all_seen;
  parts_.in_network([&] {
    auto see = [&](size_t begin, size_t end) {
      for (auto& seen : backend_.see(part_of(batch.view(), begin, end)))
        all_seen.push_back(std::move(seen));
    };
    parts_.in_halves(0, static_cast<size_t>(batch.num_frames), num_splits_, see, kGiveUp);
    for (const auto& seen : all_seen) {
      auto score = [&](size_t begin, size_t end) {
        const std::vector<double> scores =
            backend_.match(*seen, std::span(tokens).subspan(begin, end - begin));
        for (size_t i = begin; i < end; ++i) sums[i] += scores[i - begin];
      };
      parts_.in_exact_batches(texts.size(), [&](size_t begin, size_t end) {
        parts_.in_halves(begin, end, num_splits_, score, kGiveUp);
      });
    }
  });
  ++num_visuals_;
  num_pairs_ += texts.size();
  std::vector<float> means;
  for (double sum : sums)
    means.push_back(static_cast<float>(sum / static_cast<double>(all_seen.size())));
  return means;
}

}  // namespace snellen::inference
