#include "http_server.hpp"

#include <bulwark/base/error.hpp>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <thread>

namespace bulwark::app {
namespace {

constexpr std::size_t longest_head = 16384;  // bytes of a request
constexpr std::size_t most_connections = 64;
constexpr int idle_seconds = 60;

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

struct Head {
  std::string method, target, host;
  bool keep = true;       ///< the connection stays open
  bool has_body = false;  ///< which GET never needs
};

std::optional<Head> parse_head(std::string_view text) {
  Head head;
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

/// A page of another site may have its name point to this machine, but its requests still carry that name.
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

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// The next request's head, up to and with its empty line; "" when the other side is done or talks nonsense.
std::string read_head(int socket, std::string& buffer) {
  while (true) {
    const std::size_t end = buffer.find("\r\n\r\n");
    if (end != std::string::npos) {
      std::string head = buffer.substr(0, end + 4);
      buffer.erase(0, end + 4);
      return head;
    }
    if (buffer.size() > longest_head) return "";
    char bytes[4096];
    const ssize_t count = recv(socket, bytes, sizeof bytes, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return "";
    buffer.append(bytes, static_cast<std::size_t>(count));
  }
}

HttpResponse answer(const Head& head, const HttpServer::Handler& handler) {
  if (!is_this_machine(head.host))
    return plain(403, "This server answers only to the names of its own machine, as localhost.");
  if (head.method != "GET") return plain(405, "Only GET is answered here.");
  try {
    return handler(request_of(head.target));
  } catch (const InputError& error) {
    return plain(404, error.what());
  } catch (const std::exception& error) {
    return plain(500, error.what());
  }
}

void talk(int socket, const HttpServer::Handler& handler) {
  std::string buffer;
  while (true) {
    const std::string text = read_head(socket, buffer);
    if (text.empty()) return;
    const std::optional<Head> head = parse_head(text);
    const HttpResponse response =
        head ? answer(*head, handler) : plain(400, "This is not a request that is understood here.");
    const bool keep = head && head->keep && !head->has_body;
    const std::string lines = fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\nConnection: {}\r\n\r\n",
        response.status, reason(response.status), response.type, response.body.size(),
        keep ? "keep-alive" : "close");
    if (!send_all(socket, lines) || !send_all(socket, response.body) || !keep) return;
  }
}

int listen_on(int port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) throw InputError(fmt::format("cannot open a socket: {}", std::strerror(errno)));
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      listen(listener, SOMAXCONN) == 0)
    return listener;
  close(listener);
  return -1;
}

}  // namespace

/// The threads that talk, and the sockets they talk on.
struct HttpServer::Connections {
  explicit Connections(Handler answer_with) : handler(std::move(answer_with)) {}

  void add(int socket) {
    const std::lock_guard lock(mutex);
    if (sockets.size() >= most_connections) {
      close(socket);
      return;
    }
    sockets.insert(socket);
    std::thread([this, socket] {
      talk(socket, handler);
      const std::lock_guard end(mutex);
      sockets.erase(socket);
      close(socket);
      empty.notify_all();
    }).detach();
  }

  void end_all() {
    std::unique_lock lock(mutex);
    for (const int socket : sockets) shutdown(socket, SHUT_RDWR);
    empty.wait(lock, [this] { return sockets.empty(); });
  }

  Handler handler;
  std::mutex mutex;
  std::condition_variable empty;
  std::set<int> sockets;
};

HttpServer::HttpServer(int port, int alternatives, Handler handler)
    : connections_(std::make_unique<Connections>(std::move(handler))) {
  for (int offset = 0; offset <= alternatives && listener_ < 0; ++offset)
    listener_ = listen_on(port + offset);
  if (listener_ < 0) {
    throw InputError(fmt::format("port {} of this machine is taken", port),
                     "give another with --port, or 0 for any that is free");
  }
}

HttpServer::~HttpServer() {
  connections_->end_all();
  close(listener_);
}

int HttpServer::port() const {
  sockaddr_in address = {};
  socklen_t size = sizeof address;
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

void HttpServer::serve(const std::function<bool()>& stop) {
  constexpr int wait_milliseconds = 200;
  while (!stop()) {
    pollfd listening = {listener_, POLLIN, 0};
    if (poll(&listening, 1, wait_milliseconds) <= 0) continue;
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    const timeval idle = {idle_seconds, 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &idle, sizeof idle);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &idle, sizeof idle);
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections_->add(socket);
  }
}

}  // namespace bulwark::app
