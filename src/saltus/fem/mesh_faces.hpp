// Faces of the elements of a mesh, sorted so that those with the same corners lie together.
//
// Linear in elements but for the sort of the faces at one node; nothing depends on hashing.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "saltus/fem/solid_mesh.hpp"

namespace saltus {

// A face by its corners, whatever element and corner it is seen from: the smallest node first, then round in the
// direction of its smaller neighbour.
struct FaceKey {
  std::array<int, 4> corners{-1, -1, -1, -1};
  bool reversed = false;  // against the order given: two elements on either side of a face differ in it

  explicit FaceKey(std::span<const int> given);  // two, three or four corners
};

struct MeshFace {
  std::array<int, 4> corners;
  int element;
  signed char face;  // as in face_nodes
  bool reversed;

  MeshSide side() const { return {element, face}; }
};

class MeshFaces {
 public:
  // The nodes of the mesh must exist.
  template <int Dim>
  explicit MeshFaces(const SolidMesh<Dim>& mesh);

  // Calls visit(std::span<const MeshFace>) for the faces of each set of corners, in the order of these.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0, end; i < faces_.size(); i = end) {
      for (end = i + 1; end < faces_.size() && faces_[end].corners == faces_[i].corners;) ++end;
      visit(std::span(faces_).subspan(i, end - i));
    }
  }
  // Faces with these corners, in whatever order they go round; empty where there are none.
  std::span<const MeshFace> find(std::span<const int> corners) const;

 private:
  std::vector<MeshFace> faces_;     // by corners, then element
  std::vector<std::size_t> first_;  // of the faces whose smallest corner is a node, in faces_
};

}  // namespace saltus
