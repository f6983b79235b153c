// Serves one trajectory and the page that shows it, to browsers on this machine.
//
// It listens at 127.0.0.1 only, at a port that is free. Every address begins with a token that nobody can guess; requests
// without it, under another name of the host, or for anything but the page and the packs of this one file are refused.
// Paths in requests never reach the file system.
//
//     GET /TOKEN/            the page
//     GET /TOKEN/state       JSON: frames, finished, revision
//     GET /TOKEN/model, /TOKEN/series, /TOKEN/frame/N?motion=1&contacts=1&field=NAME&field=NAME
#pragma once

#include <memory>
#include <string>

namespace saltus {

class WatchedView;

class ViewServer {
 public:
  // Throws InputError when the file cannot be shown, OutputError when there is no port to listen at.
  explicit ViewServer(const std::string& path);
  ~ViewServer();

  std::string address() const;  // "http://127.0.0.1:PORT/TOKEN/"
  int port() const;
  void serve();  // until `stop`, which any thread may call
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace saltus
