// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/loop/training_log.h"

#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/training/probes/evaluation_json.h"

namespace snellen::training {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLinesBetweenFlushes = 20;

// The lines of the first `num_steps` steps; a line that is no object was cut off.
std::string kept_lines(const std::filesystem::path& file, uint64_t num_steps) {
  std::string kept;
  std::error_code ignored;
  if (num_steps == 0 || !std::filesystem::exists(file, ignored)) return kept;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const Json json = formats::parse_ordered_json(line);
    const bool is_step =
        json.is_object() && json.contains("step") && json["step"].is_number_unsigned();
    if (is_step && json["step"].get<uint64_t>() <= num_steps) kept += line + "\n";
  }
  if (in.bad()) throw Error{ErrorCode::kIo, "cannot be read to its end", file.string()};
  return kept;
}

// JSON has no NaN.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

}  // namespace

TrainingLog::TrainingLog(std::filesystem::path file, uint64_t num_steps) : file_(std::move(file)) {
  write_text_file(file_, kept_lines(file_, num_steps));
  out_.open(file_, std::ios::app);
}

void TrainingLog::write(const std::string& line) {
  out_ << line << '\n';
  if (++num_unflushed_ >= kLinesBetweenFlushes) flush();
}

void TrainingLog::flush() {
  out_.flush();
  if (!out_)
    throw Error{ErrorCode::kIo, "cannot be written to", file_.string(), "is the disk full?"};
  num_unflushed_ = 0;
}

void TrainingLog::add_step(uint64_t step,
                           const StepReport& report,
                           double learning_rate,
                           double samples_per_second) {
  Json line = {{"step", step}, {"loss", number(report.loss)}};
  for (const LossPart& part : report.parts) line[part.name] = number(part.value);
  line["lr"] = learning_rate;
  line["gradient_norm"] = number(report.gradient_norm);
  line["samples_per_second"] = std::round(samples_per_second * 10) / 10;
  write(line.dump());
}

void TrainingLog::add_evaluation(uint64_t step, const EvaluationReport& evaluation) {
  Json line = {{"step", step}, {"evaluation", evaluation_to_json(evaluation)}};
  write(line.dump(-1, ' ', false, Json::error_handler_t::replace));
  flush();
}

}  // namespace snellen::training
