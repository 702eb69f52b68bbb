#include "http_request.hpp"

#include <algorithm>
#include <cctype>

namespace bulwark::app {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string decoded(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0;
    if (escape && digit(text[i + 2]) >= 0) {
      result += static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2]));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

std::optional<std::string> take_head(std::string& bytes) {
  constexpr std::string_view empty_line = "\r\n\r\n";
  const std::size_t end = bytes.find(empty_line);
  if (end == std::string::npos) return std::nullopt;
  std::string head = bytes.substr(0, end + empty_line.size());
  bytes.erase(0, head.size());
  return head;
}

std::optional<HttpHead> parse_head(std::string_view text) {
  HttpHead head;
  const std::size_t line_end = text.find("\r\n");
  const std::string_view line = text.substr(0, line_end);
  const std::size_t first = line.find(' '), second = line.rfind(' ');
  if (first == std::string_view::npos || second <= first || !line.substr(second + 1).starts_with("HTTP/1."))
    return std::nullopt;
  head.method = line.substr(0, first);
  head.target = line.substr(first + 1, second - first - 1);
  head.keep = line.ends_with("HTTP/1.1");
  while (line_end != std::string_view::npos) {
    text.remove_prefix(std::min(text.size(), text.find("\r\n") + 2));
    const std::size_t end = text.find("\r\n"), colon = text.find(':');
    if (end == std::string_view::npos || end == 0 || colon > end) break;
    std::string_view value = text.substr(colon + 1, end - colon - 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    const std::string name = lower(text.substr(0, colon));
    if (name == "host") head.host = lower(value);
    if (name == "connection" && lower(value) == "close") head.keep = false;
    if (name == "transfer-encoding" || (name == "content-length" && value != "0")) head.has_body = true;
  }
  return head;
}

bool is_this_machine(std::string host) {
  const std::size_t port = host.rfind(':');
  if (port != std::string::npos && host.find(']', port) == std::string::npos) host.resize(port);
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

HttpRequest request_of(std::string_view target) {
  HttpRequest request;
  const std::size_t question = target.find('?');
  request.path = decoded(target.substr(0, question));
  if (question == std::string_view::npos) return request;
  for (std::string_view rest = target.substr(question + 1); !rest.empty();) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    request.query[decoded(pair.substr(0, equals))] = decoded(pair.substr(std::min(pair.size(), equals + 1)));
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  return request;
}

}  // namespace bulwark::app
