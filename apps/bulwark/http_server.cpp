#include "http_server.hpp"

#include <bulwark/base/error.hpp>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace bulwark::app {
namespace {

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

HttpServer::HttpServer(int port, int alternatives, HttpConnections::Handler handler)
    : connections_(std::move(handler)) {
  for (int offset = 0; offset <= alternatives && listener_ < 0; ++offset)
    listener_ = listen_on(port + offset);
  if (listener_ < 0) {
    throw InputError(fmt::format("port {} of this machine is in use", port),
                     "give another with --port, or 0 for any that is free");
  }
}

HttpServer::~HttpServer() {
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
    if (socket < 0) {
      // Out of descriptors, perhaps: some will be closed in a moment.
      std::this_thread::sleep_for(std::chrono::milliseconds(wait_milliseconds));
      continue;
    }
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections_.add(socket);
  }
}

}  // namespace bulwark::app
