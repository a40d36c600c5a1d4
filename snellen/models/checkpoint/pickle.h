// SPDX-License-Identifier: Apache-2.0
// A pickle machine that builds values and nothing else: no name is imported, nothing is called. A
// global is only a name, and a name outside the list of the caller ends the reading.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::models {

struct PickleLimits {
  size_t max_opcodes = size_t{1} << 24;
  size_t max_values = size_t{1} << 22;
  size_t max_stack = size_t{1} << 20;
};

// A value of the pickle; others are named by their index, so that shared and even cyclic values
// cost nothing and nothing recurses.
struct PickleValue {
  enum class Kind {
    kNone,
    kBool,
    kInt,
    kFloat,
    kText,
    kTuple,
    kList,
    kDict,        // items: key, value, key, value, in the order they were set; OrderedDict too
    kGlobal,      // text: "module.name", one of the allowed
    kCall,        // items: the global and its argument tuple, never carried out
    kPersistent,  // items: the persistent id
  };
  Kind kind = Kind::kNone;
  int64_t integer = 0;  // kBool: 0 or 1
  double number = 0;
  std::string_view text = {};  // into the pickle, or into `allowed`
  std::vector<uint32_t> items = {};
};

struct Pickle {
  std::vector<PickleValue> values;
  uint32_t root = 0;
};

// Reads the opcodes that torch.save writes with protocols 2 to 5. `allowed` are the globals that
// may be named, "module.name". A state set on an object (BUILD) is dropped. `bytes` must outlive
// the result. Throws kInvalidInput, naming `where`; a refused global is named.
Pickle read_pickle(std::string_view bytes,
                   std::span<const std::string_view> allowed,
                   const std::string& where,
                   const PickleLimits& limits = {});

}  // namespace snellen::models
