#include <bulwark/output/reading/table_by_step.hpp>
#include <bulwark/output/viewing/viewed_tables.hpp>

#include <charconv>
#include <limits>

namespace bulwark {
namespace {

constexpr float unknown = std::numeric_limits<float>::quiet_NaN();

float number(const std::string& text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() ? static_cast<float>(value) : unknown;
}

int body_of(const std::string& name, const BodyIndex& index) {
  const auto found = index.find(name);
  return found == index.end() ? -1 : found->second;
}

/// Calls row(fields) for every row of that many columns.
template <class Row>
void for_each_row(std::string_view rows, std::size_t columns, Row&& row) {
  while (!rows.empty()) {
    bool quoted = false;
    std::size_t end = 0;
    while (end < rows.size() && (quoted || rows[end] != '\n')) quoted ^= rows[end++] == '"';
    const std::vector<std::string> fields = csv_fields(rows.substr(0, end));
    if (fields.size() == columns) row(fields);
    rows.remove_prefix(std::min(rows.size(), end + 1));
  }
}

}  // namespace

std::vector<float> body_states(std::string_view bodies_rows, std::string_view wrenches_rows,
                               const BodyIndex& index) {
  constexpr int motion_size = 13, wrench_size = 6;
  static_assert(motion_size + wrench_size == body_state_size);
  std::vector<float> states(index.size() * body_state_size, unknown);
  const auto fill = [&](const std::vector<std::string>& fields, std::size_t first, int size, int offset) {
    const int body = body_of(fields[2], index);
    for (int k = 0; body >= 0 && k < size; ++k)
      states[std::size_t{body_state_size} * body + offset + k] = number(fields[first + k]);
  };
  // step, time, body
  constexpr std::size_t motion = 3;
  for_each_row(bodies_rows, motion + motion_size,
               [&](const std::vector<std::string>& fields) { fill(fields, motion, motion_size, 0); });
  // step, time, body, source, and the point that the torque is about
  constexpr std::size_t source = 3, wrench = 7;
  for_each_row(wrenches_rows, wrench + wrench_size, [&](const std::vector<std::string>& fields) {
    if (fields[source] == "contact") fill(fields, wrench, wrench_size, motion_size);
  });
  return states;
}

std::vector<float> contact_list(std::string_view contacts_rows, const BodyIndex& index) {
  constexpr int values = 10, first_value = 4;
  std::vector<float> contacts;
  for_each_row(contacts_rows, first_value + values, [&](const std::vector<std::string>& fields) {
    const int a = body_of(fields[2], index), b = body_of(fields[3], index);
    if (a < 0 || b < 0) return;
    contacts.push_back(static_cast<float>(a));
    contacts.push_back(static_cast<float>(b));
    for (int k = 0; k < values; ++k) contacts.push_back(number(fields[first_value + k]));
  });
  return contacts;
}

}  // namespace bulwark
