// Bodies as nodes, pairs that touch as edges: chains of strong forces, loops, and how strong a force still
// joins two sides of a sample.
#pragma once

#include <array>
#include <optional>

#include "saltus/measure/region.hpp"

namespace saltus {

template <int Dim>
struct NetworkEdge {
  int a = -1, b = -1;                        // in Snapshot::bodies, a < b
  double force = 0;                          // sum of the normal forces of the contacts of the pair, N
  Vec<Dim> branch = Vec<Dim>::Zero();        // from the centre of a to that of b, through the contact
  IntVec<Dim> images = IntVec<Dim>::Zero();  // periodic cells it goes over on that way
};

template <int Dim>
struct ContactNetwork {
  std::vector<NetworkEdge<Dim>> edges;  // between grains
  std::vector<NetworkEdge<Dim>> walls;  // a: a grain, b: what is none; branch from the grain to the contact
  double mean_force = 0;                // of the edges; 0 without any
};
template <int Dim>
ContactNetwork<Dim> build_network(const Snapshot<Dim>& snapshot);

// Sets of nodes that edges join, with the number of grains in each.
template <int Dim>
struct Topology {
  int joined = 0;      // grains with an edge
  int components = 0;  // sets of them
  int largest = 0;     // grains in the largest set
  int loops = 0;       // independent ones: edges - grains + components
  int triangles = 0;   // loops of three grains
};
template <int Dim>
Topology<Dim> compute_topology(const ContactNetwork<Dim>& network, std::size_t bodies);

// Chains after Peters, Muthuswamy, Wibowo and Tordesillas (Phys. Rev. E 72, 2005): grains whose major stress
// is above the mean, joined where the branch is within `angle` of the direction of the major stress of both;
// three grains make a chain. Numbers of grains, one per chain.
template <int Dim>
std::vector<int> find_chains(const Snapshot<Dim>& snapshot, const ContactNetwork<Dim>& network, double angle);

// The largest force such that the edges that carry it or more join, along an axis, one side to the other, in
// means of the edges; nothing when all of them do not. Sides are walls whose contacts look that way (within
// 45 degrees); in a periodic direction edges must go around the cell; with a box, grains that reach its sides
// are joined to them.
template <int Dim>
std::optional<double> compute_percolation(const Snapshot<Dim>& snapshot, const ContactNetwork<Dim>& network,
                                          int axis, const Bounds<Dim>* box);

}  // namespace saltus
