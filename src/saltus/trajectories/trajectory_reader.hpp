// Reads a trajectory frame by frame, with shapes and poses ready for use.
//
//     TrajectoryReader<2> reader("wall.h5");
//     for (std::int64_t i = 0; i < reader.frames(); ++i) draw(reader.frame(i));
//
// Throws InputError when the file is not a trajectory of this dimension or is damaged.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "saltus/dynamics/body_set.hpp"
#include "saltus/geometry/shapes.hpp"
#include "saltus/laws/pair_law.hpp"
#include "saltus/sim/system_mesh.hpp"
#include "saltus/trajectories/trajectory_file.hpp"

namespace saltus {

template <int Dim>
struct FrameBody {
  BodyId id = -1;
  const Shape<Dim>* shape = nullptr;  // in body axes, about the centre of mass; lives as long as the reader
  Pose<Dim> pose;
  Vec<Dim> velocity = Vec<Dim>::Zero();
  Spin<Dim> spin = Spin<Dim>::Zero();
  bool fixed = false;
  bool prescribed = false;  // every degree of freedom locked or driven
  bool follows = false;     // the surface of a mesh, which is drawn instead
  double mass = 0;
  int scene_index = -1;  // in TrajectoryHeader::body_names; -1: not known
  int material = -1;     // in TrajectoryHeader::materials; -1: not known
  int system = -1;       // whose point or surface it follows

  // A body at a point of a system without a mesh (the bob of a pendulum given by its equations) is held by no one: it moves as the
  // system does, although no equation of its own moves it.
  bool is_point_of_system() const { return system >= 0 && !follows; }
  bool is_held() const { return prescribed && !is_point_of_system(); }
  bool stands() const { return fixed && !is_point_of_system(); }
};

template <int Dim>
struct FrameContact {
  int a = -1, b = -1;  // in Frame::bodies
  Vec<Dim> point = Vec<Dim>::Zero();
  Mat<Dim> axes = Mat<Dim>::Identity();  // columns n, t (, s)
  Vec<Dim> impulse = Vec<Dim>::Zero();   // in these axes, N s
  Vec<Dim> velocity = Vec<Dim>::Zero();  // in these axes, m/s
  double gap = 0;
  double residual = 0;  // of its law, m/s
  ContactStatus status = ContactStatus::inactive;
};

// What is stored of the nodes or cells of a mesh, row after row.
struct FrameField {
  std::string name;                     // "stress"
  std::vector<std::string> components;  // "xx"...; of one number a single empty name
  std::vector<double> values;
};

// What moves and is not a rigid body. A mesh has the places of its nodes, and elements of Dim + 1 nodes.
template <int Dim>
struct FrameSystem {
  Eigen::VectorXd coordinates, velocity;                            // velocity: empty where it was not stored
  std::vector<Vec<Dim>> nodes;                                      // empty: no place in space
  const std::vector<std::array<int, Dim + 1>>* elements = nullptr;  // lives as long as the reader
  const SystemMesh<Dim>* mesh = nullptr;  // so does this; files of older programs: without cells and surfaces
  std::vector<FrameField> node_fields, cell_fields;  // those that were stored
};

template <int Dim>
struct FrameJoint {
  int a = -1, b = -1;  // in Frame::bodies; -1: the world, or not there
  Vec<Dim> point = Vec<Dim>::Zero();
  Vec<Dim> point_b = Vec<Dim>::Zero();  // on the second body
  // Of up to three free directions (joints/joint.hpp): m or rad, per s, N s or N m s.
  Vec<3> value = Vec<3>::Zero(), rate = Vec<3>::Zero(), effort = Vec<3>::Zero();
  double gap = 0, row = 0, motor_work = 0;  // m, N s or N m s, J
  Vec<Dim> impulse = Vec<Dim>::Zero();      // on b, world axes, N s
  Spin<Dim> moment = Spin<Dim>::Zero();     // on b, N m s
};

template <int Dim>
struct Frame {
  std::int64_t step = 0;
  double time = 0;
  std::vector<FrameBody<Dim>> bodies;
  std::vector<FrameContact<Dim>> contacts;
  std::vector<FrameSystem<Dim>> systems;  // as header().system_names
  std::vector<FrameJoint<Dim>> joints;    // as header().joint_names; empty where they were not stored
};

// 2 or 3, to choose the reader by.
int trajectory_dimension(const std::string& path);

template <int Dim>
class TrajectoryReader {
 public:
  explicit TrajectoryReader(const std::string& path);

  const TrajectoryHeader& header() const { return header_; }
  const TrajectoryFile& file() const { return file_; }
  std::int64_t frames() const { return file_.frames(); }
  double time(std::int64_t frame) const { return index_.time[static_cast<std::size_t>(frame)]; }
  std::int64_t nearest_frame(double time) const;
  const TrajectoryData& index() const { return index_; }  // the columns of frames

  std::size_t systems() const { return systems_.size(); }
  const SystemMesh<Dim>& mesh(std::size_t system) const { return systems_[system].mesh; }

  // Without the field `positions` there is nothing to show: InputError. Contacts lack what was not written.
  Frame<Dim> frame(std::int64_t number) const;
  bool has_bodies() const;  // the field `positions`

 private:
  struct Model {
    std::size_t shape = 0;
    bool fixed = false, prescribed = false, follows = false;
    double mass = 0;
    int scene_index = -1, material = -1, system = -1;
  };
  struct System {
    std::int64_t coordinates = 0;
    SystemMesh<Dim> mesh;
  };
  void read_models();
  void read_systems(const TrajectoryData& data);
  void read_meshes(const TrajectoryData& data);
  void fill_parts(std::size_t number, const std::unordered_map<BodyId, int>& place, Frame<Dim>& frame) const;
  void fill_contacts(const TrajectoryData& data, const std::unordered_map<BodyId, int>& place,
                     Frame<Dim>& frame) const;

  TrajectoryFile file_;
  TrajectoryHeader header_;
  TrajectoryData index_;  // columns of the frames
  std::vector<Shape<Dim>> shapes_;
  std::unordered_map<BodyId, Model> models_;
  std::vector<System> systems_;
  std::vector<std::int64_t> joint_a_, joint_b_;
};

extern template class TrajectoryReader<2>;
extern template class TrajectoryReader<3>;

}  // namespace saltus
