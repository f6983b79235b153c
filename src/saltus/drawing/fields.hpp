// What pictures colour bodies and meshes by, and what exports hold of them: numbers computed from frames.
//
// | name | bodies | nodes of meshes | unit |
// |---|---|---|---|
// | velocity, displacement | of the centre of mass; since its first frame | of the node | m/s, m |
// | spin, rotation | rate and angle turned since its first frame | | rad/s, rad |
// | pressure | -tr(sum f l)/(d V) over its contacts, l from centre to contact | | Pa (N/m) |
// | force | sum of the sizes of its contact forces | | N |
// | residual, penetration | the largest of its contacts: of its law; of its gap below zero | | m/s, m |
// | body, material, status | which; status: no contact, sticks, slides, held | body: which system | |
// | stress.xx ... | | what the trajectory stores of nodes (drawing/mesh_fields.hpp) | as there |
//
// velocity, displacement and spin stand for their size; NAME.x, .y, .z for a component. Forces are those of the step that
// ended at the frame, impulse over h.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "saltus/trajectories/trajectory_reader.hpp"

namespace saltus {

struct Field {
  std::string name;    // as asked for
  std::string base;    // without its component
  int component = -1;  // -1: a number of its own, or the size of a vector
  std::string unit;
  bool is_category = false;  // values count in `categories`, or are ids where that is empty
  bool is_signed = false;    // zero is in the middle of its colours
  bool is_of_nodes = false;  // stored of the nodes of meshes
  std::vector<std::string> categories;
};

// The names of the table above but for what is stored of nodes.
std::vector<std::string> list_body_fields(int dimension);

// `of_nodes`: what else there is, of nodes of meshes (drawing/mesh_fields.hpp). Throws InputError, opened by `where`, with the
// list of names.
Field find_field(const std::string& name, const TrajectoryHeader& header,
                 const std::vector<std::string>& of_nodes, const std::string& where);

// The fields of a trajectory (output.fields) that it is computed from, beside positions.
std::vector<std::string> stored_fields_of(const Field& field);

enum class BodyStatus { no_contact, sticks, slides, held };

// Numbers of one frame; nan where there is none.
struct FieldValues {
  std::vector<double> bodies;              // as Frame::bodies
  std::vector<std::vector<double>> nodes;  // of each system; empty: not known for nodes
};

template <int Dim>
class FieldReader {
 public:
  explicit FieldReader(const TrajectoryReader<Dim>& reader) : reader_(reader) {}

  FieldValues compute(const Field& field, const Frame<Dim>& frame, std::int64_t number);

  // Vectors and angles since the first frame a body was in; frames up to `number` are read when it was not in the first.
  Vec<Dim> displacement(const FrameBody<Dim>& body, std::int64_t number);
  double rotation(const FrameBody<Dim>& body, std::int64_t number);
  // Of each body of a frame.
  std::vector<double> pressures(const Frame<Dim>& frame) const;
  std::vector<double> forces(const Frame<Dim>& frame) const;
  std::vector<double> residuals(const Frame<Dim>& frame) const;
  std::vector<double> penetrations(const Frame<Dim>& frame) const;
  std::vector<BodyStatus> statuses(const Frame<Dim>& frame) const;

 private:
  const Pose<Dim>& first_pose(const FrameBody<Dim>& body, std::int64_t number);

  const TrajectoryReader<Dim>& reader_;
  std::unordered_map<BodyId, Pose<Dim>> first_;
  std::int64_t known_ = 0;  // frames whose bodies are in first_
};

extern template class FieldReader<2>;
extern template class FieldReader<3>;

}  // namespace saltus
