#include "unlocked.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace saltus::bindings {

namespace {

std::atomic<int> under_way = 0;
std::atomic<bool> closing = false;

void close() {
  closing = true;
  const py::gil_scoped_release others;
  while (under_way > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

bool is_closing() { return closing; }

Unlocked::Count::Count() {
  if (closing) throw std::runtime_error("the interpreter is ending");
  ++under_way;
}
Unlocked::Count::~Count() { --under_way; }

void bind_closing(py::module_&) { py::module_::import("atexit").attr("register")(py::cpp_function(&close)); }

}  // namespace saltus::bindings
