// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/stored_run.h"

namespace snellen::report {
namespace {

const nlohmann::ordered_json& nothing() {
  static const nlohmann::ordered_json null;
  return null;
}

struct Decoded {
  char32_t code;
  size_t num_bytes;  // 1 for an ill-formed byte
  bool is_well_formed;
};

Decoded decode(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {0, 1, false};
  char32_t code = lead & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {0, 1, false};
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || code > 0x10FFFF || is_surrogate) return {0, 1, false};
  return {code, length, true};
}

// Characters that move the cursor, hide themselves or turn the direction of what follows.
bool is_unfit(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

}  // namespace

const nlohmann::ordered_json& StoredRun::stamped(std::initializer_list<const char*> keys) const {
  const nlohmann::ordered_json* at = &stamp;
  for (const char* key : keys) {
    if (!at->is_object() || !at->contains(key)) return nothing();
    at = &(*at)[key];
  }
  return *at;
}

StoredRun read_stored_run(const std::filesystem::path& folder) {
  StoredRun run{.paths = store::RunPaths(folder), .stamp = {}, .verdict = "unknown", .model = {}};
  run.stamp = store::read_stamp(run.paths);
  const nlohmann::ordered_json& verdict = run.stamped({"verdict"});
  if (verdict.is_string()) run.verdict = verdict.get<std::string>();
  const nlohmann::ordered_json& model = run.stamped({"identity", "settings", "name"});
  if (model.is_string()) run.model = model.get<std::string>();
  return run;
}

std::string fit_text(std::string_view text, size_t max_width) {
  std::string fit;
  for (size_t width = 0; !text.empty(); ++width) {
    if (width == max_width) return fit + "...";
    Decoded next = decode(text);
    if (!next.is_well_formed) {
      fit += "\uFFFD";
    } else if (is_unfit(next.code)) {
      fit += ' ';
    } else {
      fit += text.substr(0, next.num_bytes);
    }
    text.remove_prefix(next.num_bytes);
  }
  return fit;
}

}  // namespace snellen::report
