// Choices of the event-driven scheme (schemes/event_driven.hpp).
#pragma once

namespace saltus {

struct EventOptions {
  double tolerance =
      1e-10;  // of a step of the integration: relative to |q| and |v| of a coordinate, and absolute, m and m/s
  int most_events = 200;  // in one step h; with more, impacts accumulate: time stepping takes the step
};

}  // namespace saltus
