// Rigid bodies of the plane as a model of the event-driven scheme.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "saltus/dynamics/body_set.hpp"
#include "saltus/geometry/shapes.hpp"
#include "saltus/laws/pair_law.hpp"
#include "saltus/schemes/event_driven.hpp"

namespace saltus {

// A body as it enters: its shape about the centre of mass, its pose, and where a message finds it.
struct EventBody {
  const Shape<2>* shape = nullptr;
  BodyModel<2> model;
  Pose<2> pose;
  std::string where;
  int coordinate = -1;  // of its x among those of the model; y and angle follow; -1: it stands
};

// Where a contact of the model lies: between two bodies of the list, the normal and the impulse (n, t) from `a` on `b`.
struct EventTouch {
  int a = -1, b = -1;
  std::uint64_t feature = 0;
  const PairLaw* law = nullptr;
  std::function<void(const Eigen::VectorXd& q, Vec<2>& point, Vec<2>& normal)> place;
};

// Whether a law has a place in the scheme; throws InputError with `where` where not.
void check_event_law(const PairLaw& law, int dimension, const std::string& where);

// Coordinates (x, y, angle) of each moving body. `law(i, j)` is that of two bodies of the list; a null one: they do not touch.
// Throws InputError for two shapes whose gap is not known here in closed form. `touches`: one of each contact of the model.
EventModel build_rigid_model(const std::vector<EventBody>& bodies,
                             const std::function<const PairLaw*(int, int)>& law,
                             const std::function<Vec<2>(double)>& gravity, std::vector<EventTouch>& touches);

}  // namespace saltus
