// SPDX-License-Identifier: Apache-2.0
// Where the pictures and classes of a zero-shot evaluation come from.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/tasks/zeroshot/settings.h"

namespace snellen::tasks {

struct ZeroshotPicture {
  std::filesystem::path file;
  std::vector<uint32_t> right;  // classes, any of which is right; ascending, at least one
};

struct ZeroshotSet {
  std::vector<std::string> classes;  // as they are said: "traffic light"
  std::vector<ZeroshotPicture> pictures;
  std::vector<Error> bad_records = {};  // of the source, left out
};

// A folder of folders, one a class, as ImageNet's validation set is kept. A class is said as its
// folder is named, underscores as blanks, unless `classes` names a CSV file with the columns
// `folder` and `class`: then its rows are the classes, in their order, and other folders are bad
// records. Pictures are in the order of their names. Throws kNotFound, or kInvalidInput when there
// is none.
ZeroshotSet zeroshot_folders(const std::filesystem::path& folder,
                             const std::filesystem::path& classes);

// What counts as right where a picture shows several things.
enum class RightClass {
  kAny,      // whatever is annotated
  kLargest,  // the class that covers most, by the areas of its boxes
};

// The pictures of a COCO instances file (the built-in world's too) that show something; the classes
// are its categories.
ZeroshotSet zeroshot_instances(const std::filesystem::path& instances,
                               const std::filesystem::path& images,
                               RightClass right);

// ImageNet's validation images as they are published: one folder of all, in the order of their
// names, and a file with one class per line. A class is a synset, or a number that `mapping` (lines
// NUMBER SYNSET) gives one to: its numbers do not follow the order of the synset names, so that
// there is no guess without it. `classes` as above, with synsets for folders. Throws kUsage and
// kInvalidInput.
ZeroshotSet zeroshot_flat(const std::filesystem::path& folder,
                          const std::filesystem::path& ground_truth,
                          const std::filesystem::path& mapping,
                          const std::filesystem::path& classes);

// What the settings name, of which one is taken; pictures lie in `images`.
ZeroshotSet zeroshot_set(const ZeroshotSettings& settings, const std::filesystem::path& images);

// What the readers share. Files or folders below a folder that are not hidden, by name.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder,
                                              bool wants_folders);
// Adds the classes to the set; gives their numbers by folder name.
std::map<std::string, uint32_t> read_classes(const std::filesystem::path& path, ZeroshotSet& set);
// Throws kInvalidInput where there is none.
void require_pictures(const ZeroshotSet& set, const std::filesystem::path& where);

inline const std::vector<std::string> kZeroshotTemplates = {"a photo of a {}."};
// The prompts of a class: its name in every template.
std::vector<std::string> zeroshot_prompts(const std::string& name,
                                          const std::vector<std::string>& templates);

// Templates, one a line, each with {} once; blank lines are passed over. Throws kInvalidInput.
std::vector<std::string> read_templates(const std::filesystem::path& path);

}  // namespace snellen::tasks
