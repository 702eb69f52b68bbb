#include <bulwark/base/error.hpp>
#include <bulwark/base/xml_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace bulwark {
namespace {

constexpr int deepest = 200, most_elements = 1'000'000;
constexpr std::size_t most_attributes = 1000;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool begins_name(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || u >= 0x80;
}

bool continues_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

class XmlReader {
 public:
  XmlReader(std::string_view text, const std::string& name, const XmlOptions& options)
      : text_(text), name_(name), options_(options) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
  }

  XmlElement read() {
    skip_between();
    if (!looking_at("<")) fail("there is no XML element", "give an XML file");
    XmlElement root = element(0);
    skip_between();
    if (at_ < text_.size()) fail("there is something after the end of the root element", "remove it");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}", name_, line()), problem,
                     options_.remedy.empty() ? remedy : options_.remedy);
  }

  /// The line of the place reached. Places only go forward, so each line end is counted once.
  int line() const {
    const std::string_view passed = text_.substr(counted_, at_ - counted_);
    line_ += static_cast<int>(std::count(passed.begin(), passed.end(), '\n'));
    counted_ = std::min(at_, text_.size());
    return line_;
  }

  bool looking_at(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  void skip_to(std::string_view end, const char* what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos)
      fail(fmt::format("{} has no end", what), fmt::format("close it by {}", end));
    at_ = found + end.size();
  }

  /// Comments, instructions and space; true when it skipped a comment or instruction.
  bool skip_remark() {
    if (looking_at("<!--")) {
      at_ += 4;
      skip_to("-->", "a comment");
      return true;
    }
    if (looking_at("<?")) {
      skip_to("?>", "an instruction");
      return true;
    }
    if (looking_at("<!DOCTYPE")) fail("a document type can't be read", "remove the <!DOCTYPE ...>");
    return false;
  }

  void skip_between() {
    do {
      skip_space();
    } while (skip_remark());
  }

  std::string read_name(const char* what) {
    const std::size_t begin = at_;
    if (at_ < text_.size() && begins_name(text_[at_])) {
      while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    }
    if (at_ == begin) fail(fmt::format("expected the name of {}", what), "a `<` in text is written &lt;");
    return std::string(text_.substr(begin, at_ - begin));
  }

  XmlElement element(int depth) {
    if (depth > deepest) fail(fmt::format("elements nested more than {} deep", deepest), "");
    if (++elements_ > most_elements) fail(fmt::format("more than {} elements", most_elements), "");
    XmlElement result;
    result.line = line();
    ++at_;  // '<'
    result.name = read_name("an element");
    while (true) {
      const std::size_t before = at_;
      skip_space();
      if (looking_at("/>")) {
        at_ += 2;
        return result;
      }
      if (looking_at(">")) {
        ++at_;
        break;
      }
      if (at_ >= text_.size())
        fail(fmt::format("the tag <{}> of line {} has no end", result.name, result.line), "close it by >");
      if (at_ == before)
        fail(fmt::format("unexpected `{}` in the tag <{}>", text_[at_], result.name),
             "attributes are written name=\"value\" with space between them");
      add_attribute(result);
    }
    if (result.name == options_.raw_element) {
      result.content = text_.substr(at_);
      at_ = text_.size();
      ended_ = true;
    } else {
      result.content = text_.substr(at_, std::min(text_.find('<', at_), text_.size()) - at_);
      read_content(result, depth);
    }
    return result;
  }

  void add_attribute(XmlElement& element) {
    const std::string name = read_name("an attribute");
    if (element.attributes.size() == most_attributes)
      fail(fmt::format("<{}> has more than {} attributes", element.name, most_attributes), "");
    if (element.attribute(name) != nullptr)
      fail(fmt::format("<{}> has the attribute `{}` twice", element.name, name), "keep one of them");
    skip_space();
    if (!looking_at("=")) fail(fmt::format("the attribute `{}` has no value", name), "write name=\"value\"");
    ++at_;
    skip_space();
    if (!looking_at("\"") && !looking_at("'"))
      fail(fmt::format("the value of the attribute `{}` is not in quotes", name), "write name=\"value\"");
    const char quote = text_[at_++];
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos || text_.substr(at_, end - at_).find('<') != std::string_view::npos)
      fail(fmt::format("the value of the attribute `{}` has no end", name), "close its quotes");
    const std::string_view raw = text_.substr(at_, end - at_);
    element.attributes.emplace_back(name, unescaped(raw));
    at_ = end + 1;
  }

  std::string unescaped(std::string_view raw) const {
    std::string value;
    while (!raw.empty()) {
      const std::size_t mark = raw.find('&');
      value += raw.substr(0, mark);
      if (mark == std::string_view::npos) break;
      const std::size_t end = raw.find(';', mark);
      if (end == std::string_view::npos) fail("an `&` does not begin a known entity", "write &amp;");
      append_entity(value, raw.substr(mark + 1, end - mark - 1));
      raw = raw.substr(end + 1);
    }
    return value;
  }

  void append_entity(std::string& value, std::string_view entity) const {
    static constexpr std::pair<std::string_view, char> known[] = {
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [name, character] : known) {
      if (entity == name) {
        value += character;
        return;
      }
    }
    const bool hexadecimal = entity.starts_with("#x");
    const std::string_view digits = entity.starts_with("#") ? entity.substr(hexadecimal ? 2 : 1) : "";
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || code == 0 ||
        code > 0x10ffff || surrogate)
      fail(fmt::format("`&{};` is not known", entity), "write the character itself; an & as &amp;");
    append_utf8(value, code);
  }

  void read_content(XmlElement& parent, int depth) {
    while (true) {
      const std::size_t mark = text_.find('<', at_);
      if (mark == std::string_view::npos)
        fail(fmt::format("<{}> of line {} is not closed", parent.name, parent.line),
             fmt::format("add </{}>", parent.name));
      at_ = mark;
      if (looking_at("<![CDATA[")) {
        skip_to("]]>", "a CDATA section");
      } else if (looking_at("</")) {
        at_ += 2;
        const std::string name = read_name("an element");
        if (name != parent.name)
          fail(fmt::format("</{}> closes <{}> of line {}", name, parent.name, parent.line),
               fmt::format("close it by </{}>", parent.name));
        skip_space();
        if (!looking_at(">")) fail(fmt::format("</{} has no end", name), "close it by >");
        ++at_;
        return;
      } else if (!skip_remark()) {
        parent.children.push_back(element(depth + 1));
        if (ended_) return;
      }
    }
  }

  std::string_view text_;
  const std::string& name_;
  const XmlOptions& options_;
  std::size_t at_ = 0;
  int elements_ = 0;
  bool ended_ = false;  ///< by the raw element
  mutable std::size_t counted_ = 0;
  mutable int line_ = 1;
};

}  // namespace

const std::string* XmlElement::attribute(std::string_view wanted) const {
  for (const auto& [key, value] : attributes) {
    if (key == wanted) return &value;
  }
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view wanted) const {
  for (const XmlElement& element : children) {
    if (element.name == wanted) return &element;
  }
  return nullptr;
}

XmlElement parse_xml(std::string_view text, const std::string& name, const XmlOptions& options) {
  return XmlReader(text, name, options).read();
}

}  // namespace bulwark
