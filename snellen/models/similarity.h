// SPDX-License-Identifier: Apache-2.0
// Scores of a dual encoder from its embeddings. A score depends on its two rows alone, never on
// what is scored beside it, and costs no tensor library.
#pragma once

#include <span>
#include <vector>

#include "snellen/models/network.h"

namespace snellen::models {

// Makes rows ready for score_of(): where the score is a cosine, each vector is divided by its
// length. A vector of zeros stays one.
void make_ready(std::span<float> row, size_t num_vectors, const Similarity& similarity);

// Of two rows that were made ready; `text` is one vector. Summed in double.
double score_of(std::span<const float> image,
                std::span<const float> text,
                const Similarity& similarity);

// A row as the encoder gave it, divided by its length, in double.
std::vector<double> direction_of(std::span<const float> row);
// The normalised mean of the directions of rows as the encoder gave them (docs/spec/probe.md 7.5).
// Throws kInvalidInput when there is none: a row of zeros, or rows that cancel out.
std::vector<double> mean_direction(const Matrix& rows);

// [images, texts] for rows as the encoder gave them.
Matrix score_all(const Matrix& images, const Matrix& texts, const Similarity& similarity);

}  // namespace snellen::models
