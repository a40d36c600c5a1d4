// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/items/items_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/annotations/items/item_reader.h"
#include "snellen/formats/byte_order_mark.h"

namespace snellen::annotations {
namespace {

constexpr int64_t kSchema = 1;

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// What may stand in metric ids and folder names.
bool is_plain_name(std::string_view name) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
  return !name.empty() && name.size() <= 80 && name.front() != '.' &&
         name.find_first_not_of(kPlain) == std::string_view::npos;
}

std::string plain_name(const std::filesystem::path& path) {
  std::string name = path.stem().string().substr(0, 80);
  for (char& c : name) {
    if (!is_plain_name(std::string("x") + c)) c = '_';
  }
  if (name.empty() || name.front() == '.') name.insert(0, "items");
  return name;
}

// Nothing when the line is an item: only headers have no texts.
std::optional<ItemsHeader> header_of(std::string_view line, const std::string& where) {
  ItemReader reader(line, where);
  if (reader.failed() || reader.has("texts")) return std::nullopt;
  reader.check_keys({"schema", "name", "paper", "metric", "extra"}, "header");
  ItemsHeader header;
  if (reader.has("schema") && reader.count("schema") != kSchema)
    reader.fail(fmt::format("'schema' is not {}, which this build reads", kSchema));
  header.name = reader.text("name", ItemLimits::kNameBytes);
  header.paper = reader.text("paper", ItemLimits::kNameBytes);
  header.metric = reader.text("metric", ItemLimits::kNameBytes);
  if (!reader.failed() && reader.has("name") && !is_plain_name(header.name)) {
    reader.fail("'name' has characters that folder names may not have",
                "use at most 80 letters, digits and ._+-, and no dot at the start");
  }
  if (reader.failed()) throw reader.error();
  return header;
}

}  // namespace

ItemsFile::ItemsFile(std::filesystem::path path) : file_(std::move(path)) {
  std::string_view bytes = file_.bytes();
  for (uint64_t begin = formats::byte_order_mark(bytes); begin < bytes.size();) {
    std::string_view line = line_at(begin);
    bool is_item = !is_blank(line);
    if (is_item && begins_.empty() && header_.name.empty()) {
      std::optional<ItemsHeader> header =
          header_of(line.substr(0, ItemLimits::kLineBytes),
                    fmt::format("{}:{}", this->path().string(), line_number(0)));
      if (header) header_ = *header;
      is_item = !header;
      if (header_.name.empty()) header_.name = plain_name(this->path());
    }
    if (is_item) {
      begins_.push_back(begin);
    } else if (!skipped_.empty() && skipped_.back().num_items == begins_.size()) {
      ++skipped_.back().num_lines;
    } else {
      skipped_.push_back({begins_.size(), skipped_.empty() ? 1 : skipped_.back().num_lines + 1});
    }
    begin += line.size() + 1;
  }
  if (begins_.empty()) {
    throw Error{ErrorCode::kInvalidInput,
                "holds no item",
                this->path().string(),
                "write one JSON object per line: docs/your-own-task.md"};
  }
}

std::string_view ItemsFile::line_at(uint64_t begin) const {
  std::string_view rest = file_.bytes().substr(begin);
  return rest.substr(0, rest.find('\n'));
}

std::string ItemsFile::where(size_t index) const {
  return fmt::format("{}:{}", path().string(), line_number(index));
}

uint64_t ItemsFile::line_number(size_t index) const {
  auto after = std::upper_bound(
      skipped_.begin(), skipped_.end(), index, [](size_t wanted, const Skipped& run) {
        return wanted < run.num_items;
      });
  const uint64_t num_skipped = after == skipped_.begin() ? 0 : std::prev(after)->num_lines;
  return index + num_skipped + 1;
}

Result<ItemLine> ItemsFile::item(size_t index) const {
  return parse_item_line(line_at(begins_.at(index)), where(index), line_number(index));
}

}  // namespace snellen::annotations
