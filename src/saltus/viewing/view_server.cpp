#include "saltus/viewing/view_server.hpp"

#include <fmt/format.h>
#include <httplib.h>

#include <array>
#include <random>

#include "saltus/base/input_error.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/viewing/viewer_bundle.hpp"
#include "saltus/viewing/watched_view.hpp"

namespace saltus {

namespace {

// 128 bits from the random numbers of the system.
std::string make_token() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random());
  return token;
}

// The page may run its own code and talk to this server, and nothing else.
constexpr const char* kPagePolicy =
    "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:; media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

FrameWish parse_wish(const httplib::Request& request) {
  FrameWish wish;
  wish.motion = request.has_param("motion");
  wish.contacts = request.has_param("contacts");
  for (std::size_t i = 0; i < request.get_param_value_count("field"); ++i)
    wish.fields.push_back(request.get_param_value("field", i));
  return wish;
}

}  // namespace

struct ViewServer::Parts {
  explicit Parts(const std::string& path) : view(path), token(make_token()) {}

  void refuse_strangers();
  void answer_page();
  void answer_data();
  // Answers GET /TOKEN/PATTERN with what `make` gives; 404 with its words for an InputError.
  template <class Make>
  void get(const std::string& pattern, const char* type, const Make& make);

  WatchedView view;
  std::string token;
  int port = 0;
  httplib::Server server;
};

void ViewServer::Parts::refuse_strangers() {
  server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    const std::string host = request.get_header_value("Host"), begin = "/" + token + "/";
    // A page elsewhere may have its own name point here: only this host's own names are answered.
    const bool own_host =
        host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
    if (own_host && request.method == "GET" && request.path.compare(0, begin.size(), begin) == 0)
      return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    response.set_content("The address must be the one that saltus view printed.\n", "text/plain");
    return httplib::Server::HandlerResponse::Handled;
  });
}

void ViewServer::Parts::answer_page() {
  server.Get("/" + token + "/", [](const httplib::Request&, httplib::Response& response) {
    const std::string_view page = viewer_bundle();
    response.set_header("Content-Security-Policy", kPagePolicy);
    // As a provider: the library would pack a text for every reader, which takes longer than sending it.
    response.set_content_provider(page.size(), "text/html; charset=utf-8",
                                  [page](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                    return sink.write(page.data() + offset, length);
                                  });
  });
}

template <class Make>
void ViewServer::Parts::get(const std::string& pattern, const char* type, const Make& make) {
  server.Get("/" + token + "/" + pattern,
             [type, make](const httplib::Request& request, httplib::Response& response) {
               try {
                 response.body = make(request);
                 response.set_header("Content-Type", type);
               } catch (const InputError& error) {
                 response.status = 404;
                 response.set_content(std::string(error.what()) + "\n", "text/plain");
               }
             });
}

void ViewServer::Parts::answer_data() {
  constexpr const char* kBytes = "application/octet-stream";
  get("state", "application/json", [this](const httplib::Request&) { return view.state(); });
  get("model", kBytes, [this](const httplib::Request&) { return view.model(); });
  get("series", kBytes, [this](const httplib::Request&) { return view.series(); });
  get("frame/([0-9]{1,15})", kBytes, [this](const httplib::Request& request) {
    return view.frame(std::stoll(request.matches[1]), parse_wish(request));
  });
}

ViewServer::ViewServer(const std::string& path) : parts_(std::make_unique<Parts>(path)) {
  httplib::Server& server = parts_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(4); };
  server.set_tcp_nodelay(true);
  server.set_keep_alive_max_count(10000);
  server.set_default_headers({{"Cache-Control", "no-store"},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cross-Origin-Resource-Policy", "same-origin"}});
  parts_->refuse_strangers();
  parts_->answer_page();
  parts_->answer_data();
  parts_->port = server.bind_to_any_port("127.0.0.1");
  if (parts_->port <= 0) throw OutputError("127.0.0.1", "no port to listen at");
}

ViewServer::~ViewServer() { stop(); }

std::string ViewServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", parts_->port, parts_->token);
}
int ViewServer::port() const { return parts_->port; }
void ViewServer::serve() { parts_->server.listen_after_bind(); }
void ViewServer::stop() { parts_->server.stop(); }

}  // namespace saltus
