// SPDX-License-Identifier: Apache-2.0
// Captions as a checker sees them: plain text, searched for words beside each other. It shares the
// file readers and the attribute table with the builder and nothing else.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "snellen/annotations/coco/coco_captions.h"
#include "snellen/annotations/probe/attribute_table.h"
#include "snellen/builders/probe_c/build.h"

namespace snellen::builders::probe_c {

// Const methods are safe from many threads.
class CaptionFacts {
 public:
  CaptionFacts(const annotations::CocoCaptionsFile& captions, const WordLists& words);

  bool has_image(int64_t image) const { return texts_.contains(image); }
  // Whether the attribute stands directly before the noun in a caption of the image.
  bool has_pair(int64_t image, std::string_view attribute, std::string_view noun) const;
  // The same for the attribute or any synonym.
  bool has_like_pair(int64_t image, std::string_view attribute, std::string_view noun) const;
  bool mentions(int64_t image, std::string_view noun) const;
  bool is_noun(std::string_view noun) const { return nouns_.contains(noun); }
  bool is_attribute(std::string_view name) const { return attributes_.find(name) != nullptr; }
  bool is_antonym(std::string_view attribute, std::string_view antonym) const;

 private:
  annotations::AttributeTable attributes_;
  std::set<std::string, std::less<>> nouns_;  // compounds among them
  std::set<std::string, std::less<>> compounds_;
  // An image's captions, lower case, a blank around every token and " \n " between captions.
  std::unordered_map<int64_t, std::string> texts_;
};

}  // namespace snellen::builders::probe_c
