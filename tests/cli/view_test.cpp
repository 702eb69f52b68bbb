#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cli/program.hpp>
#include <nlohmann/json.hpp>
#include <thread>

namespace bulwark {
namespace {

/// A connection to this machine; -1 when nobody listens.
int connected(int port) {
  const int peer = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(peer, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return peer;
  close(peer);
  return -1;
}

/// Sends one request to this machine and returns the whole answer, or "" when nobody listens.
std::string ask(int port, const std::string& request) {
  const int peer = connected(port);
  std::string answer;
  if (peer >= 0 &&
      send(peer, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
    char bytes[4096];
    for (ssize_t count = 1; count > 0;) {
      count = recv(peer, bytes, sizeof bytes, 0);
      if (count > 0) answer.append(bytes, static_cast<std::size_t>(count));
    }
  }
  close(peer);
  return answer;
}

std::string get(int port, const std::string& path, const std::string& host = "localhost") {
  return ask(port, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
}

class ViewCommand : public testing::Test {
 protected:
  void SetUp() override {
    write_all(folder / "scene.json", falling_box_scene());
    ASSERT_EQ(bulwark_program(folder.path(), {"run", "scene.json", "-o", "run", "--steps", "2"}).exit_code,
              0);
    const auto [code, text] = bulwark_program(folder.path(), {"view", "run", "--html", "page.html"});
    if (contains(text, "built without the viewer")) {
      EXPECT_EQ(code, 2);
      EXPECT_TRUE(contains(text, "npm")) << text;
      GTEST_SKIP() << "this program was built without the viewer";
    }
    ASSERT_EQ(code, 0) << text;
  }
  /// Of the server that was started in the folder, once it says so; 0 when it does not.
  int port_of_server() const {
    for (int wait = 0; wait < 500; ++wait) {
      const std::string text = read_all(folder / "program_output.txt");
      const std::size_t place = text.find("http://localhost:");
      if (place != std::string::npos && text.find('\n') != std::string::npos)
        return std::stoi(text.substr(place + 17));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return 0;
  }
  TemporaryFolder folder;
};

TEST_F(ViewCommand, WritesAPageThatCarriesTheRun) {
  const std::string page = read_all(folder / "page.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(
      contains(page, "<script type=\"application/json\" id=\"run\">{\"run\":{\"title\":\"Falling box\""));
  EXPECT_FALSE(contains(page, "src=\"")) << "it needs other files";
}

TEST_F(ViewCommand, AnswersThePageAndNobodyElse) {
  RunningProgram program(folder.path(), {"view", "run", "--no-browser", "--port", "0"});
  const int port = port_of_server();
  ASSERT_GT(port, 0) << read_all(folder / "program_output.txt");

  EXPECT_TRUE(contains(get(port, "/"), "<!doctype html>"));
  const std::string run = get(port, "/api/run?from=1", "127.0.0.1:1234");
  EXPECT_TRUE(run.starts_with("HTTP/1.1 200 OK\r\n")) << run;
  const auto json = nlohmann::json::parse(run.substr(run.find("\r\n\r\n") + 4));
  EXPECT_EQ(json["steps"], nlohmann::json({1, 2}));
  EXPECT_TRUE(get(port, "/api/frame/1/speed").starts_with("HTTP/1.1 200"));

  for (const char* path :
       {"/api/frame/9", "/api/frame/-1", "/api/frame/1/taste", "/api/surface/xyz", "/api/steps/1",
        "/run/summary.json", "/../run/summary.json", "/%2e%2e/scene.json", "/api", "//", ""}) {
    EXPECT_TRUE(get(port, path).starts_with("HTTP/1.1 40")) << path << "\n" << get(port, path);
  }
  EXPECT_TRUE(get(port, "/api/run", "elsewhere.example").starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(ask(port, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n").starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(ask(port, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc")
                  .starts_with("HTTP/1.1 405"));
  EXPECT_TRUE(ask(port, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
  EXPECT_EQ(ask(port, std::string(100000, 'x')), "");

  // Two requests on one connection.
  const std::string two = ask(port,
                              "GET /api/steps HTTP/1.1\r\nHost: localhost\r\n\r\n"
                              "GET /api/steps HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_NE(two.find("HTTP/1.1 200", 1), std::string::npos) << two;

  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 0);
}

TEST_F(ViewCommand, IsNotLockedOutByConnectionsThatAskForNothing) {
  RunningProgram program(folder.path(), {"view", "run", "--no-browser", "--port", "0"});
  const int port = port_of_server();
  ASSERT_GT(port, 0) << read_all(folder / "program_output.txt");
  std::vector<int> idle;
  for (int round = 0; round < 3; ++round) {
    for (const std::string begun : {"", "G", "GET / HT", "GET / HTTP/1.1\r\nHost: localhost\r\n"}) {
      for (int i = 0; i < 30; ++i) {
        idle.push_back(connected(port));
        ASSERT_GE(idle.back(), 0);
        send(idle.back(), begun.data(), begun.size(), MSG_NOSIGNAL);
      }
    }
    EXPECT_TRUE(get(port, "/api/run").starts_with("HTTP/1.1 200")) << idle.size() << " connections";
    EXPECT_TRUE(get(port, "/api/frame/1").starts_with("HTTP/1.1 200")) << idle.size() << " connections";
  }
  // Nor by clients that ask for much and read none of it.
  const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (int i = 0; i < 100; ++i) {
    idle.push_back(connected(port));
    for (int k = 0; k < 20; ++k)
      send(idle.back(), request.data(), request.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  bool answered = false;
  for (int i = 0; i < 50 && !answered; ++i) answered = get(port, "/api/run").starts_with("HTTP/1.1 200");
  EXPECT_TRUE(answered);
  for (const int peer : idle) close(peer);
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 0);
}

TEST_F(ViewCommand, ShowsWhatItCanOfADamagedRunAndNothingBesideIt) {
  write_all(folder / "run/frames/frame_000001.vtu", "damaged");
  write_all(folder / "secret.vtu", read_all(folder / "run/frames/frame_000002.vtu"));
  std::filesystem::create_symlink("../../secret.vtu", folder / "run/frames/frame_000003.vtu");
  RunningProgram program(folder.path(), {"view", "run", "--no-browser", "--port", "0"});
  const int port = port_of_server();
  ASSERT_GT(port, 0) << read_all(folder / "program_output.txt");
  EXPECT_TRUE(get(port, "/api/run").starts_with("HTTP/1.1 200")) << get(port, "/api/run");
  EXPECT_TRUE(get(port, "/api/frame/0/speed").starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(get(port, "/api/frame/2").starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(get(port, "/api/scale/speed").starts_with("HTTP/1.1 200"));
  const std::string damaged = get(port, "/api/frame/1"), linked = get(port, "/api/frame/3");
  EXPECT_TRUE(damaged.starts_with("HTTP/1.1 404") && contains(damaged, "frame_000001.vtu")) << damaged;
  EXPECT_TRUE(linked.starts_with("HTTP/1.1 404") && contains(linked, "a link points outside")) << linked;
  program.send(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 0);
}

TEST_F(ViewCommand, ATakenPortIsBadInput) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  const std::string port = std::to_string(ntohs(address.sin_port));
  const auto [code, text] = bulwark_program(folder.path(), {"view", "run", "--no-browser", "--port", port});
  EXPECT_EQ(code, 2);
  EXPECT_TRUE(contains(text, "port " + port)) << text;
  close(listener);
}

TEST(View, ASceneIsShownAsItStarts) {
  const TemporaryFolder folder;
  write_all(folder / "scene.json", falling_box_scene());
  // One that intersects as well: that is when one wants to look.
  for (const std::string height : {"0.55", "0.2"}) {
    const auto [code, text] = bulwark_program(
        folder.path(),
        {"view", "scene.json", "--html", "start.html", "--set", "/bodies/1/position=[0," + height + ",0]"});
    ASSERT_EQ(code, 0) << text;
    EXPECT_TRUE(contains(text, "1 frames")) << text;
    EXPECT_TRUE(contains(read_all(folder / "start.html"), "Falling box"));
    EXPECT_EQ(contains(text, "warning"), height == "0.2") << text;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "out")) << "no run is left behind";
  EXPECT_EQ(bulwark_program(folder.path(), {"view", "multibody/quickstart", "--html", "b.html"}).exit_code, 0)
      << "a shipped scene, by its name";
}

TEST(View, ABadSceneIsBadInput) {
  const TemporaryFolder folder;
  write_all(folder / "bad.json", "{ \"bulwark\": 1, \"bodys\": [] }");
  const auto [code, text] = bulwark_program(folder.path(), {"view", "bad.json", "--html", "a.html"});
  EXPECT_EQ(code, 2) << text;
  EXPECT_TRUE(contains(text, "bodys")) << text;
}

TEST(View, AFolderThatIsNoRunIsBadInput) {
  const TemporaryFolder folder;
  for (const char* name : {".", "none"}) {
    const auto [code, text] = bulwark_program(folder.path(), {"view", name});
    EXPECT_EQ(code, 2) << text;
    EXPECT_TRUE(contains(text, "bulwark run -o")) << text;
  }
}

}  // namespace
}  // namespace bulwark
