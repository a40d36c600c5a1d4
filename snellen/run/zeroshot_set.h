// SPDX-License-Identifier: Apache-2.0
// Where the pictures and classes of a zero-shot evaluation come from.
#pragma once

#include <filesystem>
#include <string>

#include "snellen/run/zeroshot.h"

namespace snellen::run {

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

// Templates, one a line, each with {} once; blank lines are passed over. Throws kInvalidInput.
std::vector<std::string> read_templates(const std::filesystem::path& path);

}  // namespace snellen::run
