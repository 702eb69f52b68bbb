// A small HTTP server for the machine it runs on: GET only, HTTP/1.1 with lasting connections, a thread for
// each. It listens on 127.0.0.1 and answers only requests that were made to this machine by its own names, so
// that no page from elsewhere can read along.
#pragma once

#include "http_connections.hpp"

#include <functional>

namespace bulwark::app {

class HttpServer {
 public:
  /// Listens on `port`, or on one of the `alternatives` ports after it when it is taken; 0 takes any free
  /// one. `handler` is called from several threads at once; what it throws becomes an answer with that
  /// message. Throws InputError when no port is free.
  HttpServer(int port, int alternatives, HttpConnections::Handler handler);
  ~HttpServer();

  int port() const;

  /// Answers until `stop` returns true; it is asked a few times a second.
  void serve(const std::function<bool()>& stop);

 private:
  HttpConnections connections_;
  int listener_ = -1;
};

}  // namespace bulwark::app
