#include <bulwark/base/error.hpp>
#include <bulwark/geometry/mesh_text.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace bulwark {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f' || c == '\0';
}

/// A word for a message: printable and short.
std::string quoted(std::string_view word) {
  std::string text = "'";
  for (char c : word.substr(0, 40)) text += c >= 32 && c < 127 ? c : '?';
  return text + (word.size() > 40 ? "...'" : "'");
}

std::string_view without_plus(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  return word;
}

}  // namespace

std::string_view MeshText::word() {
  finish_line();
  while (at_ < text_.size() && is_space(text_[at_])) {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view MeshText::word_on_line() {
  finish_line();
  while (at_ < text_.size() && is_space(text_[at_]) && text_[at_] != '\n') ++at_;
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::optional<std::string_view> MeshText::line() {
  finish_line();
  if (at_ >= text_.size()) return std::nullopt;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  std::string_view result = text_.substr(at_, end - at_);
  if (!result.empty() && result.back() == '\r') result.remove_suffix(1);
  at_ = std::min(end + 1, text_.size());
  line_is_read_ = true;
  return result;
}

void MeshText::finish_line() {
  if (line_is_read_) ++line_;
  line_is_read_ = false;
}

std::string_view MeshText::take(std::size_t count) {
  const std::string_view result = text_.substr(at_, count);
  at_ += result.size();
  return result;
}

double MeshText::number(const char* what) {
  return number(word(), what);
}

long long MeshText::integer(const char* what) {
  return integer(word(), what);
}

std::size_t MeshText::count(const char* what) {
  const long long value = integer(what);
  if (value < 0 || static_cast<unsigned long long>(value) > rest().size() / 2 + 1) {
    fail(
        std::string("the file declares ") + std::to_string(value) + " as " + what + ", more than it can hold",
        "The file is truncated or damaged; export it again.");
  }
  return std::size_t(value);
}

double MeshText::number(std::string_view word, const char* what) const {
  const std::string_view digits = without_plus(word);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) value = std::strtod(std::string(digits).c_str(), nullptr);
  if (digits.empty() || error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    fail(word.empty() ? std::string("the text ends where ") + what + " should be"
                      : quoted(word) + " is not a number, as " + what + " should be",
         "The file is damaged or not in the format that its name says; export it again.");
  }
  if (!std::isfinite(value)) {
    fail(std::string(what) + " is " + quoted(word) + ", not a finite number",
         "Repair the mesh in the tool it comes from.");
  }
  return value;
}

long long MeshText::integer(std::string_view word, const char* what) const {
  const std::string_view digits = without_plus(word);
  long long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) {
    fail(word.empty() ? std::string("the text ends where ") + what + " should be"
                      : quoted(word) + " is not a whole number, as " + what + " should be",
         "The file is damaged or not in the format that its name says; export it again.");
  }
  return value;
}

void MeshText::fail(const std::string& problem, const std::string& remedy) const {
  throw InputError(name_ + ", line " + std::to_string(line_), problem, remedy);
}

}  // namespace bulwark
