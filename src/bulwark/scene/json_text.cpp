#include <bulwark/base/error.hpp>
#include <bulwark/scene/json_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

namespace bulwark {
namespace {

constexpr std::size_t max_text_bytes = std::size_t{256} << 20;
constexpr std::size_t max_depth = 100;
/// Key lookup in an ordered object is linear; this bounds the work that a hostile file can ask for.
constexpr std::size_t max_keys_per_object = 10000;

/// Walks the text and leaves behind how far the parser has read.
struct TrackingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** reached;

  reference operator*() const { return *at; }
  TrackingIterator& operator++() {
    *reached = ++at;
    return *this;
  }
  TrackingIterator operator++(int) {
    TrackingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const TrackingIterator& other) const { return at == other.at; }
  bool operator!=(const TrackingIterator& other) const { return at != other.at; }
};

int line_at(const std::string& text, std::size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + std::min(offset, text.size()), '\n'));
}

std::string place_at(const std::string& name, const std::string& text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::size_t newline = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t column = newline == std::string::npos ? offset : offset - newline - 1;
  return name + ":" + std::to_string(line_at(text, offset)) + ":" +
         std::to_string(std::max<std::size_t>(column, 1));
}

/// The parser's own words without its exception number and position.
std::string syntax_problem(const std::string& what) {
  std::size_t start = what.find(" - ");
  if (start != std::string::npos) return what.substr(start + 3);
  start = what.find("] ");
  return start == std::string::npos ? what : what.substr(start + 2);
}

/// Builds the document from parser events, with the checks that the parser itself does not make.
class DocumentBuilder : public nlohmann::json_sax<Json> {
 public:
  DocumentBuilder(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  Json build() {
    const char* begin = text_.data();
    const char* end = begin + text_.size();
    reached_ = begin;
    Json::sax_parse(TrackingIterator{begin, &reached_}, TrackingIterator{end, &reached_}, this,
                    nlohmann::detail::input_format_t::json, true, true);
    return std::move(document_);
  }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { fail("binary data are not JSON"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    std::unordered_set<std::string>& keys = keys_.back();
    if (!keys.insert(name).second)
      fail("the key \"" + name + "\" is given twice in one object", "remove one of them");
    if (keys.size() > max_keys_per_object) {
      fail("more than " + std::to_string(max_keys_per_object) + " keys in one object");
    }
    key_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    const std::string what = error.what();
    if (what.find("number overflow") != std::string::npos) {
      fail("a number is too large for a 64-bit float", "give one below 1e30");
    }
    const bool early_end =
        what.find("unexpected '}'") != std::string::npos || what.find("unexpected ']'") != std::string::npos;
    fail("not valid JSON: " + syntax_problem(what), early_end ? "a comma before it may have to go" : "");
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = "") const {
    throw InputError(place_at(name_, text_, static_cast<std::size_t>(reached_ - text_.data())), problem,
                     remedy);
  }

  Json& place(Json&& value) {
    if (open_.empty()) return document_ = std::move(value);
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return parent.back();
    }
    return parent[key_] = std::move(value);
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json container) {
    if (open_.size() >= max_depth) fail("nested deeper than " + std::to_string(max_depth) + " levels");
    // Only the innermost container grows, so the pointers to the outer ones stay valid.
    open_.push_back(&place(std::move(container)));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  const std::string& text_;
  const std::string& name_;
  const char* reached_ = nullptr;
  Json document_;
  std::vector<Json*> open_;
  std::vector<std::unordered_set<std::string>> keys_;
  std::string key_;
};

std::vector<std::string> pointer_tokens(const std::string& pointer) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer[i] == '~' && i + 1 < pointer.size() &&
               (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
      tokens.back() += pointer[++i] == '0' ? '~' : '/';
    } else {
      tokens.back() += pointer[i];
    }
  }
  return tokens;
}

/// Follows the parser until it meets the value at `target`, and notes the line of the deepest ancestor met.
class Locator : public nlohmann::json_sax<Json> {
 public:
  Locator(const std::string& text, const std::string& pointer)
      : text_(text), target_(pointer_tokens(pointer)) {}

  int line() {
    const char* begin = text_.data();
    const char* end = begin + text_.size();
    reached_ = begin;
    Json::sax_parse(TrackingIterator{begin, &reached_}, TrackingIterator{end, &reached_}, this,
                    nlohmann::detail::input_format_t::json, true, true);
    return line_;
  }

  bool null() override { return value(0); }
  bool boolean(bool) override { return value(0); }
  // The parser has to read one character past a number to see its end.
  bool number_integer(number_integer_t) override { return value(1); }
  bool number_unsigned(number_unsigned_t) override { return value(1); }
  bool number_float(number_float_t, const string_t&) override { return value(1); }
  bool string(string_t&) override { return value(0); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return start(false); }
  bool start_array(std::size_t) override { return start(true); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(string_t& name) override {
    levels_.back().token = name;
    return meet(offset());
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  struct Level {
    bool is_list;
    std::size_t next_index;
    std::string token;
    bool on_path;  ///< the container itself is the target or an ancestor of it
  };

  std::size_t offset() const { return static_cast<std::size_t>(reached_ - text_.data()); }
  bool on_path() const { return levels_.empty() || levels_.back().on_path; }

  /// Whether the value named by the current token lies on the way to the target.
  bool current_matches() const {
    return levels_.empty() || (levels_.back().on_path && levels_.size() <= target_.size() &&
                               levels_.back().token == target_[levels_.size() - 1]);
  }
  bool meet(std::size_t offset_of_value) {
    if (!current_matches()) return true;
    line_ = line_at(text_, offset_of_value);
    return levels_.size() < target_.size();
  }
  bool value(std::size_t read_ahead) {
    if (levels_.empty() || !levels_.back().is_list) return true;
    levels_.back().token = std::to_string(levels_.back().next_index++);
    return meet(offset() - read_ahead);
  }
  bool start(bool is_list) {
    if (!levels_.empty() && levels_.back().is_list) {
      levels_.back().token = std::to_string(levels_.back().next_index++);
      if (!meet(offset())) return false;
    } else if (levels_.empty() && !meet(offset())) {
      return false;
    }
    levels_.push_back({is_list, 0, "", current_matches()});
    return true;
  }
  bool end() {
    const bool was_on_path = levels_.back().on_path;
    levels_.pop_back();
    return !was_on_path;  // past the ancestor: the target is not in the text
  }

  const std::string& text_;
  std::vector<std::string> target_;
  const char* reached_ = nullptr;
  std::vector<Level> levels_;
  int line_ = 1;
};

/// Follows the parser and notes where the wanted keys are in the text, quotes included.
class KeyFinder : public nlohmann::json_sax<Json> {
 public:
  struct Place {
    std::size_t begin, end;
    const RenamedKey* key;
  };

  KeyFinder(const std::string& text, const std::vector<RenamedKey>& wanted) : text_(text) {
    for (const RenamedKey& key : wanted) wanted_[key.path] = &key;
  }

  /// In the order of the text.
  std::vector<Place> find() {
    const char* begin = text_.data();
    const char* end = begin + text_.size();
    reached_ = begin;
    Json::sax_parse(TrackingIterator{begin, &reached_}, TrackingIterator{end, &reached_}, this,
                    nlohmann::detail::input_format_t::json, true, true);
    return std::move(found_);
  }

  bool null() override { return next(); }
  bool boolean(bool) override { return next(); }
  bool number_integer(number_integer_t) override { return next(); }
  bool number_unsigned(number_unsigned_t) override { return next(); }
  bool number_float(number_float_t, const string_t&) override { return next(); }
  bool string(string_t&) override { return next(); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    levels_.back().pointer = pointer_to(levels_.back().parent, name);
    const auto wanted = wanted_.find(levels_.back().pointer);
    if (wanted == wanted_.end()) return true;
    const std::size_t end = static_cast<std::size_t>(reached_ - text_.data());
    std::size_t begin = end - 1;  // the quote at the end
    do {
      begin = text_.rfind('"', begin - 1);
    } while (is_escaped(begin));
    found_.push_back({begin, end, wanted->second});
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  struct Level {
    bool is_list;
    std::size_t next_index;
    std::string parent;   ///< of the container
    std::string pointer;  ///< of the value that comes
  };

  bool is_escaped(std::size_t at) const {
    std::size_t first = at;
    while (first > 0 && text_[first - 1] == '\\') --first;
    return (at - first) % 2 == 1;
  }
  /// The pointer of the value that begins.
  std::string begin_value() {
    if (levels_.empty()) return "";
    Level& level = levels_.back();
    return level.is_list ? pointer_to(level.parent, level.next_index++) : level.pointer;
  }
  bool next() {
    begin_value();
    return true;
  }
  bool open(bool is_list) {
    const std::string own = begin_value();
    levels_.push_back({is_list, 0, own, ""});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  const std::string& text_;
  std::unordered_map<std::string, const RenamedKey*> wanted_;
  const char* reached_ = nullptr;
  std::vector<Level> levels_;
  std::vector<Place> found_;
};

Json value_from(const std::string& text) {
  try {
    return parse_json(text, "--set");
  } catch (const InputError&) {
    return text;
  }
}

}  // namespace

Json parse_json(const std::string& text, const std::string& name) {
  if (text.size() > max_text_bytes) {
    throw InputError(name, "the text is larger than 256 MiB", "keep meshes in files of their own");
  }
  return DocumentBuilder(text, name).build();
}

int line_of(const std::string& text, const std::string& pointer) {
  return Locator(text, pointer).line();
}

std::string with_keys_renamed(const std::string& text, const std::vector<RenamedKey>& keys) {
  std::string result;
  std::size_t copied = 0;
  for (const KeyFinder::Place& place : KeyFinder(text, keys).find()) {
    result.append(text, copied, place.begin - copied);
    result += Json(place.key->now).dump();
    copied = place.end;
  }
  return result.append(text, copied);
}

std::string pointer_to(const std::string& parent, const std::string& key) {
  std::string result = parent + "/";
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::string pointer_to(const std::string& parent, std::size_t index) {
  return parent + "/" + std::to_string(index);
}

std::string brief(const Json& value) {
  constexpr std::size_t longest = 60;
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > longest) {
    std::size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;  // whole characters only
    text = text.substr(0, cut) + "...";
  }
  return text;
}

std::string apply_override(Json& document, const std::string& assignment) {
  const std::string place = "--set " + assignment;
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0 || assignment[0] != '/') {
    throw InputError(place, "expected POINTER=VALUE", "for example --set /time/step=0.005");
  }
  const std::string pointer = assignment.substr(0, equals);
  const std::vector<std::string> tokens = pointer_tokens(pointer);
  if (tokens.size() > max_depth) throw InputError(place, "the path is too deep");
  Json* at = &document;
  Json* parent = nullptr;
  std::string walked;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    const bool last = i + 1 == tokens.size();
    parent = at;
    if (at->is_array()) {
      const bool is_number =
          !token.empty() && token.size() < 10 &&
          std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (!is_number || std::stoul(token) >= at->size()) {
        throw InputError(place,
                         fmt::format("{} is a list of {} and has no item \"{}\"", walked, at->size(), token),
                         at->empty() ? "" : "items count from 0 to " + std::to_string(at->size() - 1));
      }
      at = &(*at)[std::stoul(token)];
    } else if (at->is_object()) {
      at = &(*at)[token];
      if (at->is_null() && !last) *at = Json::object();
    } else {
      throw InputError(place, fmt::format("{} is {} and has no key \"{}\"",
                                          walked.empty() ? "the scene" : walked, brief(*at), token));
    }
    walked = pointer_to(walked, token);
  }
  *at = value_from(assignment.substr(equals + 1));
  if (at->is_null() && parent->is_object()) parent->erase(tokens.back());
  return pointer;
}

}  // namespace bulwark
