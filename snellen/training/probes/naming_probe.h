// SPDX-License-Identifier: Apache-2.0
// Naming what a picture shows, how a model is watched for drift: as `snellen zeroshot` with one
// template.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "snellen/training/probes/probe_question.h"

namespace snellen::training {

// Which of all texts fits the picture best; any of `right` is right.
ProbeQuestion naming_question(questions::Visual picture,
                              const questions::Texts& texts,
                              std::vector<uint32_t> right);

struct NamedFile {
  std::filesystem::path file;
  std::vector<uint32_t> right;  // places in the texts, at least one
};

// "naming" over picture files.
std::unique_ptr<ProbeSource> naming_probe(std::vector<std::string> texts,
                                          std::vector<NamedFile> pictures);

// Texts that many questions share.
questions::Texts shared_texts(std::vector<std::string> texts);

}  // namespace snellen::training
