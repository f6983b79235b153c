// Where the bodies of joints are while joints are made: at the start of a scene, or in the course of a run, when a joint begins.
#pragma once

#include <string>
#include <unordered_map>

#include "saltus/joints/joint_set.hpp"
#include "saltus/sim/simulation_model.hpp"

namespace saltus {

// What a joint may be off, over its size, before it is taken back unless its time is given (joints/joint_set.hpp).
inline constexpr double kLeftAlone = 1e-3;

template <int Dim>
class JointPlaces {
 public:
  explicit JointPlaces(const SimulationModel<Dim>& model);
  // In the course of a run: joints begin where bodies are at this time.
  void move(const BodySet<Dim>& bodies, double time);

  const SimulationModel<Dim>& model() const { return model_; }
  BodyId find_body(const std::string& name, const SceneJoint<Dim>& joint) const;  // throws InputError
  const SceneBody<Dim>& body(BodyId id) const { return model_.scene.bodies[id]; }
  bool is_prescribed(BodyId id) const;  // fixed, driven in all directions, or the world
  bool waits(
      const Joint<Dim>& joint) const;  // one of its bodies appears later: whether it closes is seen then
  double closed() const;               // what a joint may be off, over the size of its bodies
  std::string moment() const;          // "at the start", or when it begins, for messages

  Pose<Dim> pose_of(BodyId id) const;  // where a body is, or will be when it appears
  // In the frame of the centre of mass, from the world or from the frame of the shape.
  // Throws InputError: off the node of a deformable body, which does not turn and so has no arms.
  Vec<Dim> joint_point(BodyId id, const Vec<Dim>& point, const SceneJoint<Dim>& joint) const;
  Mat<Dim> turned_back(BodyId id,
                       const Mat<Dim>& axes) const;  // axes in the frame of the body, from the world
  Vec<3> in_world(BodyId id,
                  const Vec<3>& local) const;  // a direction in the world, from the frame of the body
  PlacedFrames<Dim> placed(const FramePair<Dim>& pair) const;
  double size_of(
      const Joint<Dim>& joint) const;  // its longest arm; where it has none, the size of its bodies

 private:
  const SimulationModel<Dim>& model_;
  const BodySet<Dim>* moving_ = nullptr;  // in the course of a run, where bodies are; null: at the start
  double time_ = 0;
  std::unordered_map<std::string, std::size_t> bodies_;
};

// What is wrong with a joint that has been made is an InputError: it does not close, begins outside its limits, or has a motor that
// nothing can take.
template <int Dim>
void check_joint(const SceneJoint<Dim>& from, const std::string& label, const Joint<Dim>& joint,
                 const JointSet<Dim>& joints, const JointPlaces<Dim>& places);
// The axis of a joint as its first body has it (one) and as its second body has it.
template <int Dim>
void check_aligned(const SceneJoint<Dim>& from, const Vec<Dim>& one, const FramePair<Dim>& pair,
                   const JointPlaces<Dim>& places);

}  // namespace saltus
