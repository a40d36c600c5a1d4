// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/offline.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/content_key.h"

namespace snellen::models::exec {
namespace {

namespace fs = std::filesystem;

// Paths below the folder from there, others as they are.
void move_below(const fs::path& folder, std::string& path) {
  if (path.empty()) return;
  const fs::path below = fs::path(path).lexically_relative(folder);
  if (!below.empty() && !below.native().starts_with("..")) path = below.string();
}

}  // namespace

std::string offline_id(const WorkerQuestion& question, size_t first, size_t count) {
  std::string asked =
      fmt::format("{} {} {} {}:{}", question.task, question.part, first, question.item.size(), "");
  asked += question.item;
  for (size_t i = first; i < first + count; ++i) {
    asked += fmt::format(" {}:", question.texts[i].size());
    asked += question.texts[i];
  }
  const ContentKey key = content_key(asked);
  return fmt::format("{:016x}{:016x}", key.high, key.low);
}

class RequestFile::Writer final : public Worker {
 public:
  explicit Writer(RequestFile& file) : file_(file) {
    traits_ = {.embeds = file.settings_.wants_rows};
  }

  const WorkerTraits& traits() const override { return traits_; }
  std::vector<Model::Identity> identity() const override { return {}; }

  Result<WorkerAnswer> score(const WorkerQuestion& question, const IsStopped&) const override {
    const size_t count = question.texts.size();
    const size_t most = file_.settings_.texts_per_request;
    const size_t step = most == 0 ? std::max<size_t>(1, count) : most;
    Result<Request> asked = request_of(question);
    if (!asked) return asked.error();
    Request request = std::move(asked).value();
    for (size_t first = 0; first < count; first += step) {
      const size_t end = std::min(count, first + step);
      request.id = offline_id(question, first, end - first);
      request.texts.assign(question.texts.begin() + static_cast<ptrdiff_t>(first),
                           question.texts.begin() + static_cast<ptrdiff_t>(end));
      file_.write(request);
      ++request.part;
    }
    return WorkerAnswer{.values = std::vector<double>(count)};
  }

  std::vector<Result<WorkerAnswer>> embed(std::span<const WorkerQuestion> questions,
                                          const IsStopped&) const override {
    std::vector<Result<WorkerAnswer>> answers;
    for (const WorkerQuestion& question : questions) {
      Result<Request> asked = request_of(question);
      if (!asked) {
        answers.emplace_back(asked.error());
        continue;
      }
      Request request = std::move(asked).value();
      request.wants_row = true;
      request.id = offline_id(question, 0, question.texts.size());
      request.texts.assign(question.texts.begin(), question.texts.end());
      file_.write(request);
      answers.emplace_back(WorkerAnswer{.values = {1}});
    }
    return answers;
  }

 private:
  Result<Request> request_of(const WorkerQuestion& question) const {
    Request request{
        .task = question.task, .item = std::string(question.item), .part = question.part};
    if (!question.place) return request;
    const Result<ShownVisuals::Held> held = file_.visuals_.show(*question.place, question.picture);
    if (!held) return held.error();
    request.visual = (*held)->visual();
    request.frames = (*held)->frames();
    move_below(file_.folder_, request.visual.frames_dir);
    if (request.visual.image.starts_with(file_.frames_folder_.native()))
      move_below(file_.folder_, request.visual.image);
    return request;
  }

  RequestFile& file_;
  WorkerTraits traits_;
};

RequestFile::RequestFile(fs::path path, const ExecSettings& settings, bool is_compat)
    : folder_(fs::absolute(path).lexically_normal().parent_path()),
      frames_folder_(folder_ / (path.filename().string() + ".frames")),
      settings_(settings),
      visuals_({.wants = settings.frames ? Wants::kFrames : Wants::kPath,
                .frames = settings.frames.value_or(0),
                .is_compat = is_compat,
                .kept_folder = frames_folder_}),
      file_(std::move(path)) {
  file_.write(hello_line(settings.frames.value_or(kUsualFrames)));
}

std::unique_ptr<Worker> RequestFile::worker() {
  return std::make_unique<Writer>(*this);
}

void RequestFile::write(const Request& request) {
  file_.write(request_line(request));
  ++num_requests_;
}

void RequestFile::commit() {
  file_.write(bye_line());
  file_.commit();
}

}  // namespace snellen::models::exec
