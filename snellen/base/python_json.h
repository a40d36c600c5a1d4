// SPDX-License-Identifier: Apache-2.0
// JSON as Python's json.dumps writes it (separators ", " and ": ", repr floats, non-ASCII escaped),
// because the published result files were written so and tools compare them byte by byte.
#pragma once

#include <string>
#include <string_view>

namespace snellen {

// What becomes of NaN and infinity, which JSON cannot say: null, or Python's bare tokens.
enum class NonFinite { kNull, kToken };

// repr(x): shortest digits that read back, "1.0", "0.0001", "1e-05", "1e+16".
void append_python_float(std::string& out, double x, NonFinite non_finite = NonFinite::kNull);
std::string python_float(double x, NonFinite non_finite = NonFinite::kNull);

// A quoted string; non-ASCII becomes \uXXXX (surrogate pairs above the BMP), ill-formed UTF-8
// becomes U+FFFD.
void append_python_string(std::string& out, std::string_view text);
std::string python_string(std::string_view text);

// Quoted with UTF-8 left as it is: for our own files (results.json, run.json).
void append_json_string(std::string& out, std::string_view text);
std::string json_string(std::string_view text);

}  // namespace snellen
