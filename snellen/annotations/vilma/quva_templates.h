// SPDX-License-Identifier: Apache-2.0
// What ViLMA's counting generator reads beside QUVA's videos (docs/spec/vilma.md 7.1, 7.4).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::annotations {

// A video of quva-templates.json or quva-templates-processed.json.
struct QuvaVideo {
  std::string id;      // "000"
  std::string prefix;  // "000_rope_beach": stem of its video and of its repetition ends
  std::string category;
  std::string action;
  std::vector<std::string> templates;           // each holds <number> once
  std::vector<std::string> singular_templates;  // one each, or none at all
};

struct QuvaTemplates {
  std::vector<QuvaVideo> videos;  // in the order of their ids' bytes
  std::vector<Error> bad_records;
};

// Throws kNotFound, or kInvalidInput for a file that is not one JSON object.
QuvaTemplates read_quva_templates(const std::filesystem::path& path);

// Wrong sentences about a video: number of a template -> sentences without a count.
using QuvaFoils = std::map<size_t, std::vector<std::string>>;

struct QuvaFoilPool {
  std::map<std::string, QuvaFoils, std::less<>> videos;  // by id
  std::vector<Error> bad_records;
};

// quva-proficiency-foils.json: video id -> template number -> sentences. Empty lists are left out.
QuvaFoilPool read_quva_foils(const std::filesystem::path& path);

}  // namespace snellen::annotations
