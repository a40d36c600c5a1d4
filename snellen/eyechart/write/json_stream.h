// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "snellen/base/files.h"

namespace snellen::eyechart {

// A JSON file of any size, written element by element: what comes before the elements, the elements
// with commas between them, what comes after. It appears whole with finish(), or not at all.
class JsonStream {
 public:
  JsonStream(std::filesystem::path path, std::string_view head, std::string tail)
      : file_(std::move(path)), tail_(std::move(tail)) {
    file_.write(head);
  }

  void add(std::string_view element) {
    if (count_++ > 0) file_.write(",\n");
    file_.write(element);
  }
  // Text between elements, for files with several arrays.
  void set_tail(std::string tail) { tail_ = std::move(tail); }
  uint64_t count() const { return count_; }

  void finish() {
    file_.write(tail_);
    file_.commit();
  }

 private:
  AtomicFile file_;
  std::string tail_;
  uint64_t count_ = 0;
};

}  // namespace snellen::eyechart
