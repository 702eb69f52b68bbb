#include <bulwark/base/input_file.hpp>
#include <bulwark/output/reading/table_by_step.hpp>

#include <algorithm>
#include <charconv>

namespace bulwark {
namespace {

constexpr std::uint64_t read_size = 1 << 20;

}  // namespace

std::size_t csv_line_length(std::string_view text) {
  bool quoted = false;
  const std::size_t end = std::min(text.size(), longest_csv_line);
  for (std::size_t i = 0; i < end; ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\n' && !quoted) return i + 1;
  }
  return 0;
}

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
  return InputFile(path_, within_).read(begin, end);
}

void TableByStep::read_growth() {
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) {
    places_.clear();
    end_ = 0;
    return;
  }
  const InputFile file(path_, within_);
  if (file.size() < end_) {  // a resumed run has cut it back, or another run has begun
    places_.clear();
    end_ = 0;
  }
  std::string text;
  std::uint64_t read_to = end_;
  while (read_to < file.size() && text.size() <= longest_csv_line) {
    const std::uint64_t next = std::min(file.size(), read_to + read_size);
    text += file.read(read_to, next);
    read_to = next;
    std::string_view rest = text;
    for (std::size_t length = csv_line_length(rest); length > 0; length = csv_line_length(rest)) {
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
