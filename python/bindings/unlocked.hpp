// Work without the interpreter's lock.
//
// A thread that asks for the lock while the interpreter ends is ended by Python, in the middle of C++, which ends the process.
// So the end waits for work that is under way, which looks at `is_closing` and comes back soon, and refuses more.
#pragma once

#include "bindings.hpp"

namespace saltus::bindings {

bool is_closing();

class Unlocked {
 public:
  Unlocked() = default;  // RuntimeError while the interpreter ends
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  struct Count {
    Count();
    ~Count();
  };
  Count count_;  // before the lock is given away, until it is back
  py::gil_scoped_release others_;
};

void bind_closing(py::module_& module);

}  // namespace saltus::bindings
