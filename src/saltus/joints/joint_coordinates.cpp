#include "saltus/joints/joint_coordinates.hpp"

namespace saltus {

template <int Dim>
JointRows<Dim> build_rows(const FreeDirection& direction, const PlacedFrames<Dim>& frames, double near) {
  JointRows<Dim> rows;
  if (!direction.rotation) {
    rows.push(evaluate<Dim>(direction.coordinate, frames, near));
    return rows;
  }
  if constexpr (Dim == 3) {
    for (const Coordinate about : {Coordinate::about_x, Coordinate::about_y, Coordinate::about_z})
      rows.push(evaluate<3>(about, frames));
    rows.value = rotation_between(frames);
  }
  return rows;
}

template <int Dim>
bool place_pair(const FramePair<Dim>& pair, std::span<const int> slot_of, std::span<const Pose<Dim>> poses,
                PlacedFrames<Dim>& frames) {
  int a = -1, b = -1;
  if (!find_slot(pair.a, slot_of, a) || !find_slot(pair.b, slot_of, b)) return false;
  frames =
      place_frames<Dim>(pair.frame_a, a < 0 ? nullptr : &poses[a], pair.frame_b, b < 0 ? nullptr : &poses[b]);
  return true;
}

template JointRows<2> build_rows<2>(const FreeDirection&, const PlacedFrames<2>&, double);
template JointRows<3> build_rows<3>(const FreeDirection&, const PlacedFrames<3>&, double);
template bool place_pair<2>(const FramePair<2>&, std::span<const int>, std::span<const Pose<2>>,
                            PlacedFrames<2>&);
template bool place_pair<3>(const FramePair<3>&, std::span<const int>, std::span<const Pose<3>>,
                            PlacedFrames<3>&);

}  // namespace saltus
