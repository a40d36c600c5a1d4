// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "apps/cli/verb.h"

namespace snellen::cli {

// A checkpoint folder as a model of a run: its network, tokenizer and processor. Throws what the
// folder's files are lacking.
std::unique_ptr<models::Model> open_folder_model(const Context& context,
                                                 const run::FolderModelRequest& request);

// How it would be asked, without its weights.
run::FolderFacts describe_folder_model(const Context& context,
                                       const run::FolderModelRequest& request);

}  // namespace snellen::cli
