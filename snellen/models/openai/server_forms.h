// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/models/openai/chat.h"
#include "snellen/models/openai/response_cache.h"

namespace snellen::models::openai {

// How bodies are written for a model, as its servers teach it by what they refuse. That is kept
// beside the answers, whose keys depend on it: a later run asks for nothing to learn it again. Safe
// from many threads.
class ServerForms {
 public:
  // The cache must outlive it.
  ServerForms(BodyForm usual, std::string name_space, const ResponseCache& cache)
      : usual_(std::move(usual)), name_space_(std::move(name_space)), cache_(cache) {}

  struct Form {
    BodyForm body = {};
    uint64_t version = 1;  // goes up with each change
  };
  Form of(const ChatRequest& request);

  // Whether later bodies leave out or rename what this message complains about.
  bool learn(const ChatRequest& request, std::string_view message, const BodyForm& sent);

  // What was learned, one sentence each.
  std::vector<std::string> notes() const;

 private:
  struct Known {
    Form form;
    std::set<std::string> refused = {};  // members that a server named
    bool wants_completion_tokens = false;
  };
  Known& known_of(const ChatRequest& request);
  void restore(const std::string& key, Known& known);
  void keep(const std::string& key, const Known& known) const;
  void apply(Known& known);

  const BodyForm usual_;
  const std::string name_space_;
  const ResponseCache& cache_;
  mutable std::mutex mutex_;            // guards the following
  std::map<std::string, Known> known_;  // by model and path
  std::set<std::string> notes_;
};

}  // namespace snellen::models::openai
