#include "http_connections.hpp"

#include <bulwark/base/error.hpp>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

namespace bulwark::app {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_connections = 64;
constexpr auto longest_idle = 60s;     // between two requests
constexpr auto longest_arrival = 10s;  // of one request
constexpr auto longest_stall = 30s;    // of the other side while it is sent to

/// Waits until the socket can be read from or written to; false when it can't by then.
bool wait_for(int socket, short events, std::chrono::steady_clock::time_point deadline) {
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wanted = {socket, events, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(left.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool would_wait() {
  return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
}

HttpResponse plain(int status, std::string text) {
  return {status, "text/plain; charset=utf-8", std::move(text)};
}

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Internal Server Error";
  }
}

}  // namespace

HttpConnections::~HttpConnections() {
  std::unique_lock lock(mutex_);
  for (Connection& connection : connections_) shutdown(connection.socket, SHUT_RDWR);
  ended_.wait(lock, [this] { return connections_.empty(); });
}

/// Tells the connection that has been idle for longest to end, when there are too many; false when all of
/// them are being answered.
bool HttpConnections::make_room() {
  std::size_t living = 0;
  Connection* idlest = nullptr;
  for (Connection& connection : connections_) {
    if (connection.ending) continue;
    ++living;
    if (connection.answering) continue;
    if (idlest == nullptr || connection.active < idlest->active) idlest = &connection;
  }
  if (living < most_connections) return true;
  if (idlest == nullptr) return false;
  idlest->ending = true;
  shutdown(idlest->socket, SHUT_RDWR);
  return true;
}

void HttpConnections::add(int socket) {
  const std::lock_guard lock(mutex_);
  if (!make_room()) {
    close(socket);
    return;
  }
  connections_.push_back({socket, false, false, Clock::now()});
  const auto place = std::prev(connections_.end());
  try {
    std::thread([this, place] {
      try {
        talk(*place);
      } catch (
          const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): this connection ends, the others stay
      }
      const std::lock_guard end(mutex_);
      close(place->socket);
      connections_.erase(place);
      ended_.notify_all();
    }).detach();
  } catch (const std::system_error&) {  // no more threads for now
    close(socket);
    connections_.erase(place);
  }
}

void HttpConnections::note(Connection& connection, bool answering) {
  const std::lock_guard lock(mutex_);
  connection.answering = answering;
  connection.active = Clock::now();
}

/// The next request's head; "" when the other side is done, too slow, or talks nonsense.
std::string HttpConnections::read_head(Connection& connection, std::string& bytes) {
  Clock::time_point deadline = Clock::now() + (bytes.empty() ? longest_idle : longest_arrival);
  while (true) {
    if (const std::optional<std::string> head = take_head(bytes)) return *head;
    if (bytes.size() > longest_head || !wait_for(connection.socket, POLLIN, deadline)) return "";
    char more[4096];
    const ssize_t count = recv(connection.socket, more, sizeof more, MSG_DONTWAIT);
    if (count < 0 && would_wait()) continue;
    if (count <= 0) return "";
    if (bytes.empty()) deadline = Clock::now() + longest_arrival;
    bytes.append(more, static_cast<std::size_t>(count));
  }
}

bool HttpConnections::send_all(Connection& connection, std::string_view bytes) {
  while (!bytes.empty()) {
    if (!wait_for(connection.socket, POLLOUT, Clock::now() + longest_stall)) return false;
    const ssize_t sent = send(connection.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && would_wait()) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
    note(connection, false);
  }
  return true;
}

HttpResponse HttpConnections::answer(const HttpHead& head) const {
  if (!is_this_machine(head.host))
    return plain(403, "This server answers only to the names of its own machine, as localhost.");
  if (head.method != "GET") return plain(405, "Only GET is answered here.");
  try {
    return handler_(request_of(head.target));
  } catch (const InputError& error) {
    return plain(404, error.what());
  } catch (const std::bad_alloc&) {
    return plain(500, "there is not enough memory for the answer");
  } catch (const std::exception& error) {
    return plain(500, error.what());
  }
}

void HttpConnections::talk(Connection& connection) {
  std::string bytes;
  while (true) {
    const std::string text = read_head(connection, bytes);
    if (text.empty()) return;
    note(connection, true);
    const std::optional<HttpHead> head = parse_head(text);
    const HttpResponse response = head ? answer(*head) : plain(400, "This request is not understood.");
    note(connection, false);
    const bool keep = head && head->keep && !head->has_body;
    const std::string lines = fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nConnection: {}\r\n\r\n",
        response.status, reason(response.status), response.type, response.body.size(),
        keep ? "keep-alive" : "close");
    if (!send_all(connection, lines) || !send_all(connection, response.body) || !keep) return;
  }
}

}  // namespace bulwark::app
