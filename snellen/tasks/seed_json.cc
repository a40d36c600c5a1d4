// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/seed_json.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "snellen/base/error.h"

namespace snellen::tasks {
namespace {

constexpr size_t kSpillBytes = 1 << 16;

[[noreturn]] void fail_spill(const char* doing) {
  throw Error{ErrorCode::kIo,
              fmt::format("a temporary file cannot be {}: {}", doing, std::strerror(errno)),
              std::filesystem::temp_directory_path().string(),
              "free some space there, or set TMPDIR to another folder"};
}

int open_nameless_file() {
  std::string path = (std::filesystem::temp_directory_path() / "snellen-list-XXXXXX").string();
  int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) fail_spill("made");
  ::unlink(path.c_str());
  return descriptor;
}

}  // namespace

SpillList::SpillList() = default;

SpillList::~SpillList() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SpillList::add(std::string_view json) {
  if (size_ > 0) buffer_ += ", ";
  buffer_ += json;
  ++size_;
  if (buffer_.size() >= kSpillBytes) spill();
}

void SpillList::spill() {
  if (descriptor_ < 0) descriptor_ = open_nameless_file();
  for (std::string_view left = buffer_; !left.empty();) {
    ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail_spill("written");
    }
    left.remove_prefix(static_cast<size_t>(written));
  }
  buffer_.clear();
}

void SpillList::copy_to(AtomicFile& file) {
  file.write("[");
  if (descriptor_ >= 0) {
    std::array<char, kSpillBytes> piece{};
    off_t at = 0;
    while (true) {
      ssize_t got = ::pread(descriptor_, piece.data(), piece.size(), at);
      if (got < 0) fail_spill("read");
      if (got == 0) break;
      file.write({piece.data(), static_cast<size_t>(got)});
      at += got;
    }
  }
  file.write(buffer_);
  file.write("]");
}

SeedJson::Node& SeedJson::node(const std::vector<std::string>& keys) {
  Node* at = &root_;
  for (const std::string& key : keys) {
    Node* next = nullptr;
    for (const auto& child : at->children) {
      if (child->key == key) next = child.get();
    }
    if (next == nullptr) {
      at->children.push_back(std::make_unique<Node>());
      next = at->children.back().get();
      next->key = key;
    }
    at = next;
  }
  return *at;
}

SpillList& SeedJson::list(const std::vector<std::string>& keys) {
  Node& found = node(keys);
  if (!found.list) found.list = std::make_unique<SpillList>();
  return *found.list;
}

void SeedJson::put(const std::vector<std::string>& keys, std::string json) {
  node(keys).json = std::move(json);
}

void SeedJson::put_empty_object(const std::vector<std::string>& keys) {
  node(keys);
}

void SeedJson::write_node(AtomicFile& file, Node& node) {
  if (node.list) {
    node.list->copy_to(file);
  } else if (!node.json.empty()) {
    file.write(node.json);
  } else {
    file.write("{");
    for (size_t i = 0; i < node.children.size(); ++i) {
      if (i > 0) file.write(", ");
      file.write(python_string(node.children[i]->key));
      file.write(": ");
      write_node(file, *node.children[i]);
    }
    file.write("}");
  }
}

void SeedJson::write(const std::filesystem::path& path) {
  AtomicFile file(path);
  write_node(file, root_);
  file.commit();
}

}  // namespace snellen::tasks
