// Texts as an array of bytes, each ended by a zero: how frames hold names, since meshio reads no text arrays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bulwark {

inline std::vector<std::uint8_t> zero_ended(const std::vector<std::string>& texts) {
  std::vector<std::uint8_t> bytes;
  for (const std::string& text : texts) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    bytes.push_back(0);
  }
  return bytes;
}

/// Back from the numbers that were read. What no zero ends is left out.
inline std::vector<std::string> texts_of(const std::vector<double>& bytes) {
  std::vector<std::string> texts;
  std::string text;
  for (const double byte : bytes) {
    if (byte != 0) {
      // What is no byte, as only a damaged file has, becomes a question mark.
      text += byte > 0 && byte < 256 ? static_cast<char>(static_cast<unsigned char>(byte)) : '?';
      continue;
    }
    texts.push_back(std::move(text));
    text.clear();
  }
  return texts;
}

}  // namespace bulwark
