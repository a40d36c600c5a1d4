// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/text/text_lines.h"

#include <cstdio>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/formats/json.h"

namespace snellen::cli {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxLineBytes = size_t{16} << 20;
constexpr const char* kForm = "a line is {\"hypothesis\": text, \"references\": [text, ...]}";

// The value of whichever key is there.
const Json& at_either(const Json& json, const char* ours, const char* theirs) {
  if (json.contains(ours)) return json[ours];
  if (json.contains(theirs)) return json[theirs];
  throw Error{ErrorCode::kInvalidInput, fmt::format("key '{}' is missing", ours), {}, kForm};
}

TextLine parse(const std::string& line) {
  Json json = formats::parse_json(line);
  if (!json.is_object()) throw Error{ErrorCode::kInvalidInput, "is no JSON object", {}, kForm};
  const Json& hypothesis = at_either(json, "hypothesis", "generation");
  const Json& references = at_either(json, "references", "refs");
  if (!hypothesis.is_string())
    throw Error{ErrorCode::kInvalidInput, "'hypothesis' is no text", {}, kForm};
  TextLine texts{.hypothesis = hypothesis.get<std::string>(), .references = {}};
  bool is_list = references.is_array() && !references.empty();
  for (size_t i = 0; is_list && i < references.size(); ++i) {
    is_list = references[i].is_string();
    if (is_list) texts.references.push_back(references[i].get<std::string>());
  }
  if (!is_list)
    throw Error{
        ErrorCode::kInvalidInput, "'references' is no list of one or more texts", {}, kForm};
  return texts;
}

// False at the end; throws when the line is too long to be one.
bool read_line(std::istream& in, std::string& line) {
  line.clear();
  std::streambuf& bytes = *in.rdbuf();
  for (int c = bytes.sbumpc(); c != EOF; c = bytes.sbumpc()) {
    if (c == '\n') return true;
    if (line.size() == kMaxLineBytes)
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("is longer than {} bytes", kMaxLineBytes),
                  {},
                  kForm};
    line.push_back(static_cast<char>(c));
  }
  return !line.empty();
}

}  // namespace

void for_each_text_line(const std::string& path, const std::function<void(TextLine&&)>& take) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file)
      throw Error{ErrorCode::kNotFound, "cannot be read", path, "name a file of JSON lines, or -"};
  }
  std::istream& in = path == "-" ? std::cin : file;
  std::string line;
  uint64_t number = 0;
  try {
    while (++number, read_line(in, line)) {
      if (line.find_first_not_of(" \t\r") != std::string::npos) take(parse(line));
    }
  } catch (const Error& error) {
    throw error.within(fmt::format("{}: line {}", path == "-" ? "stdin" : path, number));
  } catch (const std::ios_base::failure& error) {
    // A folder, or a disk that fails.
    throw Error{ErrorCode::kIo,
                fmt::format("cannot be read: {}", error.code().message()),
                path == "-" ? "stdin" : path,
                "name a file of JSON lines, or -"};
  }
}

void for_each_java_line(size_t max_bytes,
                        const std::function<void(std::string_view line, bool fits)>& take) {
  std::string line;
  bool fits = true;
  bool is_after_return = false;
  auto give = [&] {
    take(line, fits);
    line.clear();
    fits = true;
  };
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    bool is_second_half = c == '\n' && is_after_return;
    is_after_return = c == '\r';
    if (is_second_half) continue;
    if (c == '\n' || c == '\r') {
      give();
    } else if (line.size() < max_bytes) {
      line.push_back(static_cast<char>(c));
    } else {
      fits = false;
    }
  }
  if (!line.empty()) give();
}

}  // namespace snellen::cli
