// The requests of HTTP, as the viewer's server takes them from a connection.
#include <http_request.hpp>

#include <fuzz/feeds.hpp>

#include <cstdlib>

namespace bulwark::fuzz {

void feed_request(std::string_view bytes) {
  std::string came(bytes);
  while (const std::optional<std::string> text = app::take_head(came)) {
    const std::optional<app::HttpHead> head = app::parse_head(*text);
    if (!head) continue;
    app::is_this_machine(head->host);
    const app::HttpRequest request = app::request_of(head->target);
    if (request.path.size() > head->target.size()) std::abort();
  }
}

}  // namespace bulwark::fuzz
