// SPDX-License-Identifier: Apache-2.0
// The replies of an adapter that ran somewhere else, to requests that `run --export-requests` wrote
// (docs/adapters.md). Files are mapped and indexed by request: memory is 17 bytes per line.
#include <algorithm>
#include <atomic>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/models/exec/offline.h"
#include "snellen/models/exec/protocol.h"

namespace snellen::models {
namespace {

using exec::Mode;

// The lines of a file by the request that they are about. Const methods are safe from many threads.
class LinesById {
 public:
  // `id_of` reads a line; an empty id leaves it out, an Error makes the file unusable.
  using IdOf = std::function<Result<std::string>(std::string_view line)>;

  LinesById(const std::string& path, IdOf id_of) : file_(path), id_of_(std::move(id_of)) {
    for (uint64_t begin = 0; begin < file_.bytes().size();) {
      const std::string_view line = text_at(begin);
      const uint64_t here = begin;
      begin += line.size() + 1;
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      if (line.size() > exec::kMostLineBytes)
        throw Error{ErrorCode::kInvalidInput, "is longer than 4 MiB", where(here)};
      const Result<std::string> id = id_of_(line);
      if (!id) throw id.error().within(where(here));
      if (!id->empty()) lines_.push_back({fnv1a64(*id), here});
    }
    std::sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.begin < b.begin;
    });
    for (size_t i = 1; i < lines_.size(); ++i) {
      if (lines_[i].hash != lines_[i - 1].hash) continue;
      const std::string id = id_of_(text_at(lines_[i].begin)).value();
      if (id == id_of_(text_at(lines_[i - 1].begin)).value())
        throw Error{ErrorCode::kInvalidInput,
                    fmt::format("request {} comes twice", exec::cut_text(id, 80)),
                    where(lines_[i].begin),
                    "keep one line per request"};
    }
    is_used_ = std::vector<std::atomic<bool>>(lines_.size());
  }

  struct Found {
    std::string_view line;
    uint64_t begin = 0;
  };
  std::optional<Found> find(const std::string& id) const {
    const uint64_t hash = fnv1a64(id);
    auto at = std::lower_bound(lines_.begin(), lines_.end(), hash, [](const Line& one, uint64_t h) {
      return one.hash < h;
    });
    for (; at != lines_.end() && at->hash == hash; ++at) {
      const std::string_view line = text_at(at->begin);
      if (id_of_(line).value() != id) continue;
      is_used_[static_cast<size_t>(at - lines_.begin())] = true;
      return Found{line, at->begin};
    }
    return std::nullopt;
  }

  std::string where(uint64_t begin) const {
    const std::string_view before = file_.bytes().substr(0, begin);
    return fmt::format("{}: line {}", path(), 1 + std::count(before.begin(), before.end(), '\n'));
  }
  std::string path() const { return file_.path().string(); }
  std::string sha256() const { return sha256_hex(file_.bytes()); }
  size_t size() const { return lines_.size(); }
  size_t num_unused() const {
    return static_cast<size_t>(std::count(is_used_.begin(), is_used_.end(), false));
  }

 private:
  struct Line {
    uint64_t hash;  // of the request's id
    uint64_t begin;
  };

  std::string_view text_at(uint64_t begin) const {
    const std::string_view rest = file_.bytes().substr(begin);
    return rest.substr(0, rest.find('\n'));
  }

  MappedFile file_;
  IdOf id_of_;
  std::vector<Line> lines_;
  mutable std::vector<std::atomic<bool>> is_used_;
};

// What an adapter wrote.
class RepliesFile {
 public:
  explicit RepliesFile(const std::string& path)
      : lines_(path, [this](std::string_view line) { return read_line(line); }),
        sha256_(lines_.sha256()) {
    if (lines_.size() == 0)
      throw Error{ErrorCode::kInvalidInput,
                  "holds no reply",
                  path,
                  "one JSON object {\"id\", \"scores\"} per line, as docs/adapters.md says"};
  }

  const exec::Ready& ready() const { return ready_; }
  const LinesById& lines() const { return lines_; }
  const std::string& sha256() const { return sha256_; }

  // None where no line answers it.
  std::optional<Result<std::vector<double>>> find(const std::string& id) const {
    const std::optional<LinesById::Found> found = lines_.find(id);
    if (!found) return std::nullopt;
    exec::Reply reply = exec::read_reply(found->line).value();
    if (!reply.values) return reply.values.error().within(lines_.where(found->begin));
    return std::move(reply.values);
  }

 private:
  // What a library printed before the adapter was ready begins with no brace and does no harm; the
  // first line that does begin with one may say what the adapter is.
  Result<std::string> read_line(std::string_view line) {
    if (!has_begun_ && !line.starts_with('{')) return std::string();
    const bool is_first = !has_begun_;
    if (is_first) has_begun_ = true;
    if (line.starts_with("{\"ready\"")) {
      if (!is_first) return std::string();
      Result<exec::Ready> ready = exec::read_ready(line);
      if (!ready) return ready.error();
      ready_ = std::move(ready).value();
      return std::string();
    }
    Result<exec::Reply> reply = exec::read_reply(line);
    if (!reply) return reply.error();
    return std::move(reply->id);
  }

  bool has_begun_ = false;
  exec::Ready ready_;
  LinesById lines_;  // after what its construction fills in
  std::string sha256_;
};

questions::ScoreKind kind_of(Mode mode) {
  if (mode == Mode::kProbability) return questions::ScoreKind::kProbability;
  return mode == Mode::kPerplexity ? questions::ScoreKind::kLogLikelihood
                                   : questions::ScoreKind::kSimilarity;
}

class RepliesWorker final : public Worker {
 public:
  RepliesWorker(const std::string& path, const std::string& requests) : file_(path) {
    if (!requests.empty())
      requests_.emplace(requests, [](std::string_view line) -> Result<std::string> {
        Result<exec::WrittenRequest> request = exec::read_request(line);
        if (!request) return request.error();
        return std::move(request->id);
      });
    const exec::Ready& ready = file_.ready();
    traits_ = {.embeds = ready.mode == Mode::kEmbedding,
               .similarity = {.scale = ready.scale, .is_cosine = true},
               .kind = kind_of(ready.mode)};
  }

  const WorkerTraits& traits() const override { return traits_; }
  std::vector<Model::Identity> identity() const override {
    return {{"replies", file_.sha256()},
            {"adapter", file_.ready().name},
            {"mode", std::string(name_of(file_.ready().mode))}};
  }

  Result<WorkerAnswer> score(const WorkerQuestion& question, const IsStopped&) const override {
    const size_t count = question.texts.size();
    if (const auto whole = reply(question, 0, count)) return as_answer(*whole, question, count);
    // The adapter may have been asked for fewer texts at once (--request-texts).
    for (size_t step = 1; step < count; ++step)
      if (reply(question, 0, step)) return joined(question, step);
    return missing(question);
  }

  std::vector<Result<WorkerAnswer>> embed(std::span<const WorkerQuestion> questions,
                                          const IsStopped&) const override {
    std::vector<Result<WorkerAnswer>> answers;
    for (const WorkerQuestion& question : questions) {
      const auto row = reply(question, 0, question.texts.size(), /*wants_row=*/true);
      answers.push_back(row ? as_answer(*row, question, question.texts.size()) : missing(question));
    }
    return answers;
  }

  std::vector<std::string> notes() const override {
    const size_t num_unused = file_.lines().num_unused();
    if (num_unused == 0) return {};
    return {fmt::format(
        "{} of {} replies answer nothing that this run asks", num_unused, file_.lines().size())};
  }

 private:
  Result<WorkerAnswer> as_answer(const Result<std::vector<double>>& values,
                                 const WorkerQuestion& question,
                                 size_t count) const {
    if (!values) return values.error();
    return WorkerAnswer{.values = *values, .frames = frames_of(question, count)};
  }

  // Those that were shown, as the requests say.
  media::FrameIndices frames_of(const WorkerQuestion& question, size_t count) const {
    if (!requests_) return {};
    const auto found = requests_->find(exec::offline_id(question, 0, count));
    return found ? exec::read_request(found->line).value().frames : media::FrameIndices{};
  }

  Result<WorkerAnswer> joined(const WorkerQuestion& question, size_t step) const {
    WorkerAnswer answer;
    answer.frames = frames_of(question, step);
    const size_t count = question.texts.size();
    for (size_t first = 0; first < count; first += step) {
      const auto part = reply(question, first, std::min(step, count - first));
      if (!part) return missing(question);
      if (!*part) return part->error();
      answer.values.insert(answer.values.end(), (*part)->begin(), (*part)->end());
    }
    return answer;
  }

  std::optional<Result<std::vector<double>>> reply(const WorkerQuestion& question,
                                                   size_t first,
                                                   size_t count,
                                                   bool wants_row = false) const {
    std::optional<Result<std::vector<double>>> found =
        file_.find(exec::offline_id(question, first, count));
    if (!found || !*found) return found;
    exec::Request request{.wants_row = wants_row};
    request.texts.assign(question.texts.begin() + static_cast<ptrdiff_t>(first),
                         question.texts.begin() + static_cast<ptrdiff_t>(first + count));
    return exec::usable_values(**found, request, file_.ready().mode);
  }

  Error missing(const WorkerQuestion& question) const {
    return Error{ErrorCode::kNotFound,
                 fmt::format("has no reply to request {}",
                             exec::offline_id(question, 0, question.texts.size())),
                 file_.lines().path(),
                 traits_.embeds
                     ? "answer requests that were exported with --request-rows, for this "
                       "task, data and settings"
                     : "answer all requests, exported for this task, data and settings"};
  }

  RepliesFile file_;
  std::optional<LinesById> requests_;
  WorkerTraits traits_;
};

struct RepliesSettings {
  std::string requests;
};

class RepliesEntry : public WorkerEntry {
 public:
  const ModelFacts& facts() const override { return facts_; }
  std::unique_ptr<Worker> open_worker(const ModelRequest& request) const override {
    if (request.argument.empty())
      throw Error{ErrorCode::kUsage,
                  "no file of replies named",
                  "--model replies",
                  "for example --model replies:replies.jsonl"};
    const std::string requests =
        request.options ? request.options->get<RepliesSettings>().requests : std::string();
    return std::make_unique<RepliesWorker>(request.argument, requests);
  }

 private:
  ModelFacts facts_ = {
      .name = "replies",
      .summary = "replies of an adapter to exported requests (`run --export-requests`)",
      .usage = "--model replies:replies.jsonl",
      .settings = {config::Block(
          RepliesSettings{},
          {config::option(&RepliesSettings::requests,
                          "requests",
                          "the requests that were answered, for the frames that they show")
               .identity(false)
               .value("FILE")})}};
};

}  // namespace

std::unique_ptr<ModelEntry> make_replies();
std::unique_ptr<ModelEntry> make_replies() {
  return std::make_unique<RepliesEntry>();
}

}  // namespace snellen::models
