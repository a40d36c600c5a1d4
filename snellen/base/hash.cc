// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/hash.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <openssl/evp.h>

#include "snellen/base/descriptor.h"
#include "snellen/base/error.h"

namespace snellen {
namespace {

constexpr size_t kFilePiece = 1 << 20;

// Fetched once: libcrypto looks through its providers at every fetch.
const EVP_MD* sha256() {
  static const std::unique_ptr<EVP_MD, void (*)(EVP_MD*)> found(
      EVP_MD_fetch(nullptr, "SHA256", nullptr), EVP_MD_free);
  return found.get();
}

}  // namespace

uint64_t fnv1a64(std::string_view bytes) {
  uint64_t hash = 14695981039346656037U;
  for (char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211U;
  }
  return hash;
}

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  SNELLEN_CHECK(context_ && EVP_DigestInit_ex2(context_.get(), sha256(), nullptr) == 1);
}

void Sha256::add(std::string_view bytes) {
  SNELLEN_CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  SNELLEN_CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
  std::string text;
  for (unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  auto fail = [&](ErrorCode code) {
    throw Error{code,
                fmt::format("cannot be read: {}", std::strerror(errno)),
                path.string(),
                "check the path and its permissions"};
  };
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) fail(ErrorCode::kNotFound);
  Sha256 hash;
  std::vector<char> piece(kFilePiece);
  while (true) {
    const ssize_t count = ::read(file.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(ErrorCode::kIo);
    if (count == 0) return hash.hex();
    hash.add({piece.data(), static_cast<size_t>(count)});
  }
}

}  // namespace snellen
