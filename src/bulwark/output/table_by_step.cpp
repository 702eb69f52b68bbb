#include <bulwark/output/table_by_step.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>

namespace bulwark {
namespace {

constexpr std::uint64_t block_size = 1 << 20;

/// The length of the line that begins `text`, with its end; 0 when it does not end. Names may hold line ends
/// within quotes.
std::size_t line_length(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\n' && !quoted) return i + 1;
  }
  return 0;
}

}  // namespace

std::vector<std::string> csv_fields(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      // Two quotes within quotes are one.
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        fields.back() += line[i++];
      else
        quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

std::string TableByStep::read(std::uint64_t begin, std::uint64_t end) const {
  std::ifstream file(path_, std::ios::binary);
  std::string text(end - begin, '\0');
  file.seekg(static_cast<std::streamoff>(begin));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

void TableByStep::read_growth() {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path_, error);
  if (error || size < end_) {  // a resumed run has cut it back, or another run has begun
    places_.clear();
    end_ = 0;
    if (error) return;
  }
  std::string text;
  std::uint64_t read_to = end_;
  while (read_to < size) {
    const std::uint64_t next = std::min(size, read_to + block_size);
    text += read(read_to, next);
    read_to = next;
    std::string_view rest = text;
    for (std::size_t length = line_length(rest); length > 0; length = line_length(rest)) {
      std::int64_t step = 0;
      const char* begin = rest.data();
      const bool is_row = std::from_chars(begin, begin + length, step).ec == std::errc();
      if (is_row && (places_.empty() || places_.back().step != step)) places_.push_back({step, end_});
      end_ += length;
      rest.remove_prefix(length);
    }
    text.erase(0, text.size() - rest.size());
  }
}

std::string TableByStep::rows(std::int64_t step) {
  std::uint64_t begin = 0, end = 0;
  {
    const std::lock_guard lock(mutex_);
    read_growth();
    const auto found = std::lower_bound(places_.begin(), places_.end(), step,
                                        [](const Place& place, std::int64_t s) { return place.step < s; });
    if (found == places_.end() || found->step != step) return "";
    begin = found->begin;
    end = found + 1 == places_.end() ? end_ : (found + 1)->begin;
  }
  return read(begin, end);
}

std::string TableByStep::lines_from(std::uint64_t begin) {
  std::uint64_t end = 0;
  {
    const std::lock_guard lock(mutex_);
    read_growth();
    end = end_;
  }
  return begin < end ? read(begin, end) : "";
}

}  // namespace bulwark
