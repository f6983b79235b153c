// Finds all contacts between bodies.
//
//     Detector<3> detector;
//     const int floor = detector.add(Plane{}, {.fixed = true});
//     const int ball = detector.add(Sphere{0.1});
//     for (const ContactPoint<3>& c : detector.update(poses, {}, alert)) ...
//
// A contact is listed when its gap is at most alert + travel[a] + travel[b], where travel[i] is how far body i may travel in the
// step (in a periodic cell: up to one period); within that distance the gap is the true one. An alert below 0 is -alert widths of the
// narrower of the two bodies; walls and ground have none. Contacts come in the order of `precedes`, whatever the history and the number of
// threads: the list of two bodies depends on their shapes, poses and travel and on alert alone. Buffers grow as needed: no contact is
// dropped, and after warm-up nothing is allocated.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "saltus/collision/contact_point.hpp"
#include "saltus/collision/pair_filter.hpp"
#include "saltus/geometry/shapes.hpp"

namespace saltus {

template <int Dim>
class Detector {
 public:
  Detector();
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  // Index of the new body: the lowest free one, so that a removed body's index is used again.
  // Throws InputError when the shape is not usable (see `check`).
  int add(const Shape<Dim>& shape, const BodyFlags& flags = {}, const std::string& where = {});
  void remove(int body);
  void reserve(int bodies);
  void set_flags(int body, const BodyFlags& flags);
  int size() const;  // one more than the largest index in use

  // New places of the corners of ground, in its own frame: a surface that deforms.
  void move_corners(int body, std::span<const Vec<Dim>> corners);

  // Bodies in groups g and h (bit numbers) do not touch, whatever their masks say.
  void exclude_groups(int g, int h);

  // The two bodies never touch each other (neighbours in a joint).
  void exclude_pairs(std::span<const std::pair<int, int>> pairs);  // all at once: the list is sorted

  // Cell lengths; 0 where the world is not periodic. The next update throws InputError when a bounded body is
  // as wide as the cell: it would meet its own image. Positions need not be inside the cell.
  void set_period(const Vec<Dim>& lengths);
  const Vec<Dim>& period() const;

  // Walls (half-spaces, hollow shapes) and ground (polylines, meshes) touch bodies but not each other. With
  // periods, walls do not repeat. Poses are indexed like bodies (entries of removed ones are not read);
  // `travel` is empty or has one entry per body. `watched`, one entry per body, leaves out pairs of which neither is
  // watched; empty: all are. `rolls`: false where bodies are put in their places and no law on velocities acts
  // (touches_by_rim in collision/piece.hpp). The list is valid until the next call.
  const std::vector<ContactPoint<Dim>>& update(std::span<const Pose<Dim>> poses,
                                               std::span<const double> travel, double alert,
                                               std::span<const char> watched = {}, bool rolls = true);
  const std::vector<ContactPoint<Dim>>& contacts() const;
  // Empties the list; a long one gives its memory back.
  void drop_contacts();

  struct Statistics {
    long candidates = 0;  // pairs of bodies given to the narrow phase in the last update
    long rebuilds = 0;    // how often the broad phase has been rebuilt
  };
  Statistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::size_t first_free_ = 0;  // no index below is free
};

}  // namespace saltus
