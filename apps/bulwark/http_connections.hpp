// The connections of the HTTP server: a thread talks on each. None can keep others out: a request that takes
// long to arrive is dropped, and when there are many connections, the one that is idle for longest makes
// room.
#pragma once

#include "http_request.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>

namespace bulwark::app {

struct HttpResponse {
  int status = 200;
  std::string type = "application/octet-stream";
  std::string body;
};

class HttpConnections {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  explicit HttpConnections(Handler handler) : handler_(std::move(handler)) {}
  /// Ends them all.
  ~HttpConnections();
  HttpConnections(const HttpConnections&) = delete;
  HttpConnections& operator=(const HttpConnections&) = delete;

  /// Takes over an open socket.
  void add(int socket);

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection {
    int socket = -1;
    bool answering = false;    ///< its request is being worked on
    bool ending = false;       ///< told to go
    Clock::time_point active;  ///< when bytes last went out, or it began
  };

  bool make_room();
  void talk(Connection& connection);
  std::string read_head(Connection& connection, std::string& bytes);
  bool send_all(Connection& connection, std::string_view bytes);
  HttpResponse answer(const HttpHead& head) const;
  void note(Connection& connection, bool answering);

  Handler handler_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::list<Connection> connections_;
};

}  // namespace bulwark::app
