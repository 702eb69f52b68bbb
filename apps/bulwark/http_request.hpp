// The requests of HTTP/1.1 as far as a server of GET needs them: from the bytes of a connection to a path and
// a query. Any bytes may come.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace bulwark::app {

struct HttpRequest {
  std::string path;                          ///< decoded, as "/api/run"
  std::map<std::string, std::string> query;  ///< decoded, as {"from", "12"}
};

/// The first line of a request and the header lines that matter.
struct HttpHead {
  std::string method, target, host;
  bool keep = true;       ///< the connection stays open
  bool has_body = false;  ///< which GET never needs
};

/// Bytes that a request's head may have.
inline constexpr std::size_t longest_head = 16384;

/// Takes the next request's head, up to and with its empty line, from the bytes that came; nothing while it
/// is not whole.
std::optional<std::string> take_head(std::string& bytes);

/// Nothing for what is no request.
std::optional<HttpHead> parse_head(std::string_view text);

HttpRequest request_of(std::string_view target);

/// Whether the request was made to this machine by one of its own names. A page of another site may have its
/// name point to this machine, but its requests still carry that name.
bool is_this_machine(std::string host);

}  // namespace bulwark::app
