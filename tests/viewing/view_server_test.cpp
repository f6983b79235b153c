#include "saltus/viewing/view_server.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "viewing/sliding_ball.hpp"
#include "viewing/unpacked_view.hpp"

namespace saltus::view_server_test {
namespace {

// What the server answers to these bytes at an address of this machine, as a stranger to any library; empty: no connection.
std::string ask(const std::string& host, int port, const std::string& request) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, host.c_str(), &address.sin_addr);
  std::string answer;
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
    (void)!::write(socket, request.data(), request.size());
    char buffer[4096];
    for (ssize_t size = 0; (size = ::read(socket, buffer, sizeof buffer)) > 0;)
      answer.append(buffer, static_cast<std::size_t>(size));
  }
  ::close(socket);
  return answer;
}

class ViewServerTest : public testing::Test {
 protected:
  ViewServerTest() : server_(run_sliding_ball<3>(folder_)), thread_([this] { server_.serve(); }) {
    const std::string address = server_.address();
    const std::size_t slash = address.find('/', 7);
    root_ = address.substr(slash);
    host_ = address.substr(7, slash - 7);
  }
  ~ViewServerTest() override {
    // It can be stopped only once it serves.
    while (get(root_ + "state").empty()) std::this_thread::yield();
    server_.stop();
    thread_.join();
  }

  std::string get(const std::string& path, const std::string& host = {},
                  const std::string& method = "GET") const {
    return ask("127.0.0.1", server_.port(),
               method + " " + path + " HTTP/1.1\r\nHost: " + (host.empty() ? host_ : host) +
                   "\r\nConnection: close\r\n\r\n");
  }
  static std::string status(const std::string& answer) { return answer.substr(9, 3); }
  static std::string body(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

  const TemporaryFolder folder_;
  ViewServer server_;
  std::thread thread_;
  std::string root_, host_;
};

TEST_F(ViewServerTest, whoever_has_the_address_gets_the_page_and_the_packs) {
  EXPECT_NE(body(get(root_)).find("<!doctype html>"), std::string::npos);
  EXPECT_NE(get(root_).find("Content-Security-Policy: default-src 'none'"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(body(get(root_ + "state")))["frames"], 11);
  EXPECT_EQ(UnpackedView(body(get(root_ + "model"))).about["name"], "ball");
  const UnpackedView frame(body(get(root_ + "frame/10?contacts=1&field=velocity&field=status")));
  EXPECT_TRUE(frame.has("contact.point"));
  EXPECT_TRUE(frame.has("field.status"));
  EXPECT_FALSE(frame.has("body.velocity"));
}

TEST_F(ViewServerTest, without_the_token_everything_is_refused) {
  std::string wrong = root_;
  wrong[5] = wrong[5] == '0' ? '1' : '0';
  for (const std::string& path :
       {std::string("/"), std::string("/state"), std::string("/model"), wrong, wrong + "model"})
    EXPECT_EQ(status(get(path)), "403") << path;
  EXPECT_GE(root_.size(), 34u);  // 128 bits
}

TEST_F(ViewServerTest, no_other_file_can_be_read_and_nothing_written) {
  std::ofstream(folder_.path("secret")) << "secret";
  for (const std::string path :
       {"secret", "../secret", "..%2fsecret", "frame/../../secret", "a.h5", "/etc/passwd", "frame/99",
        "frame/-1", "frame/1e3", "frame/10?field=nothing"}) {
    const std::string answer = get(root_ + path);
    EXPECT_NE(status(answer), "200") << path;
    EXPECT_EQ(answer.find("root:"), std::string::npos) << path;
    EXPECT_EQ(answer.find("\r\n\r\nsecret"), std::string::npos) << path;
  }
  for (const std::string method : {"POST", "PUT", "DELETE"})
    EXPECT_EQ(status(get(root_ + "model", {}, method)), "403");
}

TEST_F(ViewServerTest, a_name_that_only_points_here_is_refused) {
  EXPECT_EQ(status(get(root_ + "state", "attacker.example:" + std::to_string(server_.port()))), "403");
  EXPECT_EQ(status(get(root_ + "state", "localhost:" + std::to_string(server_.port()))), "200");
}

TEST_F(ViewServerTest, other_machines_do_not_reach_it) {
  // 127.0.0.2 is this machine too, by another address: who listened everywhere would answer there.
  EXPECT_EQ(ask("127.0.0.2", server_.port(), "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), "");
}

}  // namespace
}  // namespace saltus::view_server_test
