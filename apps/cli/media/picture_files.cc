// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/media/picture_files.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/progress.h"
#include "snellen/base/cores.h"
#include "snellen/base/files.h"
#include "snellen/base/json_object.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/seconds_since.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/store/error_json.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostThreads = 256;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

size_t digits_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - at;
}

bool has_picture_name(const fs::path& path) {
  static const std::set<std::string> kExtensions = {
      ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".webp"};
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : static_cast<char>(c);
  });
  return kExtensions.contains(extension);
}

void sort_naturally(std::vector<fs::path>& paths) {
  std::sort(paths.begin(), paths.end(), [](const fs::path& a, const fs::path& b) {
    std::string left = a.filename().string();
    std::string right = b.filename().string();
    return left != right ? natural_less(left, right) : a < b;
  });
}

void refuse_same_stems(const std::vector<fs::path>& files) {
  std::map<std::string, const fs::path*> seen;
  for (const fs::path& file : files) {
    auto [at, is_new] = seen.emplace(file.stem().string(), &file);
    if (is_new) continue;
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format(
            "'{}' and '{}' would write the same files", at->second->string(), file.string()),
        "",
        "rename one, or write them to two folders"};
  }
}

std::vector<std::string> names_of(const std::vector<fs::path>& paths) {
  return {paths.begin(), paths.end()};
}

struct Report {
  std::vector<fs::path> written;
  std::vector<Error> errors;
  uint64_t num_failed = 0;
};

std::string counted(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void print_report(const Context& context,
                  const PictureInputs& inputs,
                  const fs::path& out,
                  const Report& report) {
  if (context.wants_json) {
    std::vector<JsonText> errors;
    for (const Error& error : report.errors) errors.push_back({store::error_to_json(error)});
    return print_json({{"written", names_of(report.written)},
                       {"skipped", names_of(inputs.skipped)},
                       {"failed", errors}});
  }
  for (const fs::path& path : inputs.skipped)
    print_note("snellen: {}: not a picture by its name, skipped\n", path.string());
  for (const Error& error : report.errors) print_note("snellen: {}\n", error.what());
  fmt::print("wrote {} from {} to {}{}\n",
             counted(report.written.size(), "file"),
             counted(inputs.files.size() - report.num_failed, "picture"),
             out.string(),
             report.num_failed > 0 ? fmt::format("; {} failed", report.num_failed) : "");
}

}  // namespace

bool natural_less(std::string_view left, std::string_view right) {
  size_t i = 0;
  size_t j = 0;
  while (i < left.size() && j < right.size()) {
    size_t left_digits = digits_at(left, i);
    size_t right_digits = digits_at(right, j);
    if (left_digits > 0 && right_digits > 0) {
      std::string_view a = left.substr(i, left_digits);
      std::string_view b = right.substr(j, right_digits);
      i += left_digits;
      j += right_digits;
      a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
      b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
      if (a.size() != b.size()) return a.size() < b.size();
      if (a != b) return a < b;
      continue;
    }
    if (left[i] != right[j])
      return static_cast<unsigned char>(left[i]) < static_cast<unsigned char>(right[j]);
    ++i;
    ++j;
  }
  bool is_left_done = i == left.size();
  bool is_right_done = j == right.size();
  // "01" and "1" are equal in value; the bytes decide, so that the order is total.
  if (is_left_done && is_right_done) return left < right;
  return is_left_done;
}

PictureInputs find_pictures(const std::vector<std::string>& inputs) {
  PictureInputs found;
  for (const std::string& input : inputs) {
    std::error_code code;
    if (fs::is_directory(input, code)) {
      for (const fs::directory_entry& entry : fs::directory_iterator(input, code)) {
        if (!entry.is_regular_file()) continue;
        (has_picture_name(entry.path()) ? found.files : found.skipped).push_back(entry.path());
      }
      if (code)
        throw Error{ErrorCode::kNotFound, code.message(), input, "check the folder's rights"};
    } else if (fs::exists(input, code)) {
      found.files.emplace_back(input);
    } else {
      throw Error{ErrorCode::kNotFound, "no such file or folder", input, "check the path"};
    }
  }
  if (found.files.empty()) {
    throw Error{ErrorCode::kInvalidInput,
                "no picture found",
                inputs.empty() ? "" : inputs[0],
                "name picture files, or a folder of .jpg, .png, .webp, .gif or .bmp files"};
  }
  sort_naturally(found.files);
  sort_naturally(found.skipped);
  found.files.erase(std::unique(found.files.begin(), found.files.end()), found.files.end());
  refuse_same_stems(found.files);
  return found;
}

void make_folder(const fs::path& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (!code && fs::is_directory(path)) return;
  throw Error{ErrorCode::kIo,
              fmt::format("cannot make this folder: {}", code ? code.message() : "a file"),
              path.string(),
              "name another folder with --out"};
}

void write_picture(const MadePicture& made) {
  if (made.format == PictureFormat::kJpeg) {
    write_text_file(made.path, media::encode_jpeg(made.picture));
    return;
  }
  media::PngOptions options;
  if (made.is_noise) {
    options.is_filtered = false;
    options.is_huffman_only = true;
  }
  write_text_file(made.path, media::encode_png(made.picture, options));
}

int make_picture_files(const Context& context,
                       const PictureInputs& inputs,
                       unsigned num_threads,
                       const fs::path& out,
                       const std::function<MadeFiles(size_t)>& make) {
  Report report;
  ProgressLine line;
  run::Progress progress{.total = inputs.files.size()};
  auto begin = std::chrono::steady_clock::now();
  ordered_pipeline<MadeFiles>(
      inputs.files.size(),
      num_threads,
      [&](uint64_t i) { return make(i); },
      [&](MadeFiles&& made) {
        for (fs::path& path : made.written) report.written.push_back(std::move(path));
        if (!made.errors.empty()) ++report.num_failed;
        for (Error& error : made.errors) report.errors.push_back(std::move(error));
        ++progress.done;
        progress.failed = report.num_failed;
        progress.seconds = seconds_since(begin);
        line.draw(progress);
      },
      [] { return false; });
  print_report(context, inputs, out, report);
  return report.num_failed > 0 ? 4 : 0;
}

unsigned PictureFlags::threads() const {
  return threads_or_cores(num_threads);
}

std::vector<config::Option> picture_options() {
  using config::option;
  using S = PictureFlags;
  return {option(&S::inputs, "input", "image files, or folders of them")
              .alias("images")
              .whole_words()
              .positional()
              .many()
              .required(),
          option(&S::out, "out", "folder to write to").alias("output").value("DIR").required(),
          option(&S::seed, "seed", "seed of every random number"),
          option(&S::format, "format", "png, or jpg with quality 95 and 4:2:0 chroma")
              .choices({"png", "jpg"}),
          option(&S::num_threads, "threads", "number of threads; 0: one per core")
              .alias("num-workers")
              .range(0, kMostThreads)};
}

}  // namespace snellen::cli
