// SPDX-License-Identifier: Apache-2.0
// Logs of inspect_ai (.eval): a zip archive with header.json and, per sample and epoch, one file
// (samples/ID_epoch_N.json) or a folder of that name with sample.json and long texts in pieces.
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "apps/cli/import/import.h"
#include "apps/cli/import/imported.h"
#include "snellen/base/files.h"
#include "snellen/base/parse_number.h"
#include "snellen/formats/json.h"
#include "snellen/formats/zip.h"
#include "snellen/models/exec/protocol.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kLargestSample = size_t{256} << 20;
constexpr size_t kLongestError = 500;
constexpr std::string_view kAttachment = "attachment://";

std::string plain_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "" : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// A long text is kept once and named: by its hash where a sample is one file, by its number where
// it is a folder.
std::string attached(const std::string& text, const json& sample) {
  if (!text.starts_with(kAttachment)) return text;
  const auto all = sample.find("attachments");
  if (all == sample.end()) return text;
  const std::string name = text.substr(kAttachment.size());
  if (all->is_object()) {
    const auto found = all->find(name);
    return found != all->end() && found->is_string() ? found->get<std::string>() : text;
  }
  const std::optional<size_t> place = parse_number<size_t>(name);
  const bool is_place =
      place && all->is_array() && *place < all->size() && (*all)[*place].is_string();
  return is_place ? (*all)[*place].get<std::string>() : text;
}

// A text, or the texts of messages; parts that are no text are named by their kind.
std::string input_text(const json& input, const json& sample) {
  if (!input.is_array()) return attached(plain_text(input), sample);
  std::string text;
  auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : "\n") + more;
  };
  for (const json& message : input) {
    if (!message.is_object() || !message.contains("content")) continue;
    const json& content = message["content"];
    if (!content.is_array()) {
      add(attached(plain_text(content), sample));
      continue;
    }
    for (const json& part : content) {
      if (!part.is_object()) continue;
      if (part.contains("text")) {
        add(attached(plain_text(part["text"]), sample));
      } else {
        add(fmt::format("[{}]", plain_text(part.value("type", json("part")))));
      }
    }
  }
  return text;
}

LoggedSample sample_of(const json& line, const std::string& where) {
  LoggedSample sample;
  if (!line.contains("id"))
    throw Error{ErrorCode::kInvalidInput, "has no 'id'", where, "give a log of inspect_ai"};
  sample.item = plain_text(line["id"]);
  if (line.contains("input")) sample.input = input_text(line["input"], line);
  if (line.contains("target")) sample.texts.push_back(plain_text(line["target"]));
  if (const auto output = line.find("output"); output != line.end() && output->is_object()) {
    if (output->contains("completion"))
      sample.answers.push_back(attached(plain_text((*output)["completion"]), line));
  }
  if (const auto scores = line.find("scores"); scores != line.end() && scores->is_object()) {
    for (const auto& [name, score] : scores->items()) {
      if (score.is_object() && score.contains("value"))
        add_logged_values(name, score["value"], sample);
    }
  }
  if (const auto error = line.find("error"); error != line.end() && error->is_object())
    sample.error = models::exec::cut_text(
        plain_text(error->value("message", json("the sample failed"))), kLongestError);
  return sample;
}

// Where the number of a sample's epoch ends in "samples/ID_epoch_N" + more; npos where there is
// none. An id may hold anything, slashes too.
size_t end_of_epoch(std::string_view name) {
  constexpr std::string_view kEpoch = "_epoch_";
  const size_t at = name.rfind(kEpoch);
  if (!name.starts_with("samples/") || at == std::string_view::npos) return std::string_view::npos;
  const size_t end =
      std::min(name.find_first_not_of("0123456789", at + kEpoch.size()), name.size());
  return end > at + kEpoch.size() ? end : std::string_view::npos;
}

// The entries of a log by what they hold.
struct Entries {
  const formats::ZipEntry* header = nullptr;
  std::map<std::string, const formats::ZipEntry*> samples = {};  // by "samples/ID_epoch_N"
  // Of samples that are folders: pieces of their long texts, by the number of the first.
  std::map<std::string, std::map<size_t, const formats::ZipEntry*>> texts = {};
};

Entries sorted_entries(const std::vector<formats::ZipEntry>& all) {
  Entries entries;
  for (const formats::ZipEntry& entry : all) {
    const std::string_view name = entry.name;
    // A log that was not finished has its header in the journal.
    if (name == "header.json" || (name == "_journal/start.json" && !entries.header))
      entries.header = &entry;
    const size_t end = end_of_epoch(name);
    if (end == std::string_view::npos) continue;
    const std::string sample(name.substr(0, end));
    std::string_view rest = name.substr(end);
    constexpr std::string_view kTexts = "/attachments/", kJson = ".json";
    if (rest == kJson || rest == "/sample.json") {
      entries.samples[sample] = &entry;
    } else if (rest.starts_with(kTexts) && rest.ends_with(kJson)) {
      rest.remove_prefix(kTexts.size());
      rest.remove_suffix(kJson.size());
      if (const std::optional<size_t> first = parse_number<size_t>(rest))
        entries.texts[sample][*first] = &entry;
    }
  }
  return entries;
}

// The long texts of a sample that is a folder, in their order.
json long_texts(const std::map<size_t, const formats::ZipEntry*>& pieces, const std::string& log) {
  json all = json::array();
  size_t num_bytes = 0;
  for (const auto& [first, entry] : pieces) {
    const std::string text = formats::unpack(*entry, kLargestSample, log);
    num_bytes += text.size();
    json piece = formats::parse_json(text);
    if (num_bytes > kLargestSample || !piece.is_array() || first != all.size())
      throw Error{ErrorCode::kInvalidInput,
                  "is no piece of a sample's texts",
                  fmt::format("{}: {}", log, entry->name),
                  "give a whole log of inspect_ai"};
    for (json& one : piece) all.push_back(std::move(one));
  }
  return all;
}

std::string header_text(const json& header, const char* key) {
  const auto eval = header.find("eval");
  if (eval == header.end() || !eval->is_object() || !eval->contains(key)) return {};
  return plain_text((*eval)[key]);
}

int import_inspect_ai(const Context& context, ImportFlags flags) {
  InspectLog log = read_inspect_log(flags.log);
  if (flags.task.empty()) flags.task = log.task.empty() ? "task" : std::move(log.task);
  if (flags.name.empty()) flags.name = log.model.empty() ? "model" : std::move(log.model);
  return write_imported(context,
                        flags,
                        "inspect_ai",
                        std::move(log.samples),
                        {"epochs are repeats of an item",
                         "pictures of the log are not taken over: they cannot be shown"});
}

}  // namespace

InspectLog read_inspect_log(const std::string& path) {
  const MappedFile archive{fs::path(path)};
  const std::vector<formats::ZipEntry> entries = formats::read_zip_directory(archive.bytes(), path);
  const Entries found = sorted_entries(entries);
  json header = json::object();
  auto read = [&](const formats::ZipEntry& entry) {
    return formats::parse_json_object(formats::unpack(entry, kLargestSample, path),
                                      fmt::format("{}: {}", path, entry.name));
  };
  if (found.header) header = read(*found.header);
  std::vector<std::pair<std::string, LoggedSample>> logged;  // by the name of their entry
  for (const auto& [name, entry] : found.samples) {
    json sample = read(*entry);
    if (const auto texts = found.texts.find(name); texts != found.texts.end())
      sample["attachments"] = long_texts(texts->second, path);
    logged.emplace_back(name, sample_of(sample, fmt::format("{}: {}", path, entry->name)));
  }
  if (logged.empty())
    throw Error{ErrorCode::kInvalidInput, "holds no sample", path, "give an .eval file"};
  std::sort(logged.begin(), logged.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.size(), a.first) < std::pair(b.first.size(), b.first);
  });
  InspectLog log{header_text(header, "task"), header_text(header, "model"), {}};
  for (auto& [name, sample] : logged) log.samples.push_back(std::move(sample));
  return log;
}

std::function<int()> add_import_inspect_ai(Command import, Context& context) {
  Command verb = import.add_subcommand("inspect", "logs of inspect_ai (.eval)");
  verb.footer(
      "Of a score, C is 1, P 0.5, I and N are 0; --metric names the scorer. Epochs of a sample "
      "are\n"
      "repeats of one item.\n"
      "Example:\n  snellen import inspect logs/2026-01-01_sums.eval --metric match --output runs");
  return verb_with(
      verb, ImportFlags{}, import_options("the .eval file"), [&context](const ImportFlags& flags) {
        return import_inspect_ai(context, flags);
      });
}

}  // namespace snellen::cli
