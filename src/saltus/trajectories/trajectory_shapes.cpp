#include "saltus/trajectories/trajectory_shapes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

enum Kind {
  kBall,
  kCapsule,
  kPolygon,
  kHalfSpace,
  kHollow,
  kPolyline,
  kCompound,
  kPolyhedron,
  kCylinder,
  kHollowCylinder,
  kMesh,
  kEllipsoid
};

template <class Vector>
void push_all(const Vector& v, std::vector<double>& out) {
  for (int i = 0; i < v.size(); ++i) out.push_back(v[i]);
}

struct Encoder {
  EncodedShape out;

  template <int Dim>
  void operator()(const Ball<Dim>& s) {
    out.kind = kBall, out.numbers = {s.radius};
  }
  template <int Dim>
  void operator()(const Capsule<Dim>& s) {
    out.kind = kCapsule;
    push_all(s.start, out.numbers), push_all(s.end, out.numbers), out.numbers.push_back(s.radius);
  }
  void operator()(const ConvexPolygon& s) {
    out.kind = kPolygon;
    for (const Vec<2>& v : s.vertices) push_all(v, out.numbers);
  }
  template <int Dim>
  void operator()(const HalfSpace<Dim>& s) {
    out.kind = kHalfSpace;
    push_all(s.normal, out.numbers), out.numbers.push_back(s.offset);
  }
  template <int Dim>
  void operator()(const Hollow<Dim>& s) {
    out.kind = kHollow, out.numbers = {s.radius};
  }
  void operator()(const HollowCylinder& s) { out.kind = kHollowCylinder, out.numbers = {s.radius}; }
  void operator()(const Cylinder& s) { out.kind = kCylinder, out.numbers = {s.radius, s.half_length}; }
  void operator()(const Ellipsoid& s) {
    out.kind = kEllipsoid;
    push_all(s.semi_axes, out.numbers);
  }
  void operator()(const Polyline& s) {
    out.kind = kPolyline, out.numbers = {s.closed ? 1.0 : 0.0};
    for (const Vec<2>& v : s.points) push_all(v, out.numbers);
  }
  void operator()(const ConvexPolyhedron& s) {
    out.kind = kPolyhedron;
    put_vertices(s.vertices);
    out.numbers.push_back(s.faces());
    for (int face = 0; face < s.faces(); ++face) {
      out.numbers.push_back(s.corners(face));
      for (int k = s.face_begin[face]; k < s.face_begin[face + 1]; ++k)
        out.numbers.push_back(s.face_vertex[k]);
    }
  }
  void operator()(const TriangleMesh& s) {
    out.kind = kMesh;
    put_vertices(s.vertices);
    for (const std::array<int, 3>& triangle : s.triangles)
      push_all(Vec<3>(triangle[0], triangle[1], triangle[2]), out.numbers);
  }
  template <int Dim>
  void operator()(const Compound<Dim>& s) {
    out.kind = kCompound;
    for (const auto& part : s.parts) {
      const EncodedShape inner = encode_shape<Dim>(to_shape<Dim>(part.shape));
      out.numbers.push_back(inner.kind);
      out.numbers.push_back(static_cast<double>(inner.numbers.size()));
      push_all(part.pose.position, out.numbers);
      if constexpr (Dim == 2) {
        out.numbers.push_back(part.pose.angle());
      } else {
        const Eigen::Quaterniond& turn = part.pose.orientation();
        push_all(Eigen::Vector4d(turn.w(), turn.x(), turn.y(), turn.z()), out.numbers);
      }
      out.numbers.insert(out.numbers.end(), inner.numbers.begin(), inner.numbers.end());
    }
  }

  void put_vertices(const std::vector<Vec<3>>& vertices) {
    out.numbers.push_back(static_cast<double>(vertices.size()));
    for (const Vec<3>& v : vertices) push_all(v, out.numbers);
  }
};

// Takes numbers off the front and complains when there are too few or too many.
class Decoder {
 public:
  Decoder(const EncodedShape& shape, std::string where) : shape_(shape), where_(std::move(where)) {}

  bool at_end() const { return next_ == shape_.numbers.size(); }
  double real() {
    if (at_end()) fail("too few numbers");
    return shape_.numbers[next_++];
  }
  int integer(int end) {
    const double value = real();
    if (!(value >= 0) || value >= end || value != std::floor(value)) fail("an index out of range");
    return static_cast<int>(value);
  }
  // A count of things that take at least `each` numbers.
  int count(int each) {
    return integer(static_cast<int>((shape_.numbers.size() - next_) / static_cast<std::size_t>(each)) + 1);
  }
  template <int N>
  Vec<N> vector() {
    Vec<N> v;
    for (int i = 0; i < N; ++i) v[i] = real();
    return v;
  }
  template <int N>
  std::vector<Vec<N>> vectors_to_end() {
    std::vector<Vec<N>> all;
    while (!at_end()) all.push_back(vector<N>());
    return all;
  }
  std::vector<Vec<3>> counted_vertices() {
    std::vector<Vec<3>> vertices(static_cast<std::size_t>(count(3)));
    for (Vec<3>& v : vertices) v = vector<3>();
    return vertices;
  }
  EncodedShape inner(int kind, int size) {
    EncodedShape part{kind, {}};
    for (int i = 0; i < size; ++i) part.numbers.push_back(real());
    return part;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where_, fmt::format("damaged shape of kind {}: {}", shape_.kind, what));
  }
  const std::string& where() const { return where_; }

 private:
  const EncodedShape& shape_;
  std::string where_;
  std::size_t next_ = 0;
};

ConvexPolyhedron decode_polyhedron(Decoder& in) {
  ConvexPolyhedron s;
  s.vertices = in.counted_vertices();
  const int faces = in.count(4), vertices = static_cast<int>(s.vertices.size());
  s.face_begin.push_back(0);
  for (int face = 0; face < faces; ++face) {
    const int corners = in.count(1);
    if (corners < 3) in.fail("a face with fewer than 3 corners");
    for (int k = 0; k < corners; ++k) s.face_vertex.push_back(in.integer(vertices));
    const int* corner = s.face_vertex.data() + s.face_begin.back();
    Vec<3> normal = Vec<3>::Zero();  // Newell: right for any polygon, whichever corners are nearly in line
    for (int k = 0; k < corners; ++k)
      normal += s.vertices[corner[k]].cross(s.vertices[corner[(k + 1) % corners]]);
    s.normal.push_back(normal.normalized());
    s.offset.push_back(s.normal.back().dot(s.vertices[corner[0]]));
    s.face_begin.push_back(static_cast<int>(s.face_vertex.size()));
  }
  return s;
}

TriangleMesh decode_mesh(Decoder& in) {
  TriangleMesh s;
  s.vertices = in.counted_vertices();
  const int vertices = static_cast<int>(s.vertices.size());
  while (!in.at_end()) {
    std::array<int, 3> triangle;
    for (int& corner : triangle) corner = in.integer(vertices);
    s.triangles.push_back(triangle);
  }
  return s;
}

template <int Dim>
Compound<Dim> decode_compound(Decoder& in) {
  Compound<Dim> s;
  while (!in.at_end()) {
    const int kind = in.integer(static_cast<int>(shape_kind_names().size()));
    const int size = in.count(1);
    if (kind == kCompound) in.fail("a compound inside a compound");
    typename Compound<Dim>::Part part;
    const Vec<Dim> position = in.vector<Dim>();
    if constexpr (Dim == 2) {
      part.pose = Pose<2>(position, in.real());
    } else {
      const Vec<4> q = in.vector<4>();
      if (!(q.norm() > 0)) in.fail("a quaternion of no length");
      part.pose = Pose<3>(position, Eigen::Quaterniond(q[0], q[1], q[2], q[3]));
    }
    const Shape<Dim> shape = decode_shape<Dim>(in.inner(kind, size), in.where());
    const bool convex = std::visit(
        [&](const auto& inner) {
          if constexpr (std::is_constructible_v<ConvexShape<Dim>, decltype(inner)>) {
            part.shape = inner;
            return true;
          } else {
            return false;
          }
        },
        shape);
    if (!convex) in.fail("a part that is not convex");
    s.parts.push_back(std::move(part));
  }
  return s;
}

template <int Dim>
Capsule<Dim> decode_capsule(Decoder& in) {
  Capsule<Dim> s;
  s.start = in.vector<Dim>(), s.end = in.vector<Dim>(), s.radius = in.real();
  return s;
}

template <int Dim>
HalfSpace<Dim> decode_half_space(Decoder& in) {
  HalfSpace<Dim> s;
  s.normal = in.vector<Dim>(), s.offset = in.real();
  return s;
}

template <int Dim>
Shape<Dim> decode_any(int kind, Decoder& in) {
  switch (kind) {
    case kBall: return Ball<Dim>{in.real()};
    case kCapsule: return decode_capsule<Dim>(in);
    case kHalfSpace: return decode_half_space<Dim>(in);
    case kHollow: return Hollow<Dim>{in.real()};
    case kCompound: return decode_compound<Dim>(in);
    default: break;
  }
  if constexpr (Dim == 2) {
    if (kind == kPolygon) return ConvexPolygon{in.vectors_to_end<2>()};
    if (kind == kPolyline) {
      const bool closed = in.integer(2) == 1;
      return Polyline{in.vectors_to_end<2>(), closed};
    }
  } else {
    if (kind == kPolyhedron) return decode_polyhedron(in);
    if (kind == kHollowCylinder) return HollowCylinder{in.real()};
    if (kind == kMesh) return decode_mesh(in);
    if (kind == kEllipsoid) return Ellipsoid{in.vector<3>()};
    if (kind == kCylinder) {
      const double radius = in.real();
      return Cylinder{radius, in.real()};
    }
  }
  in.fail(fmt::format("not a shape in {}D", Dim));
}

}  // namespace

const std::vector<std::string>& shape_kind_names() {
  static const std::vector<std::string> names = {"ball",     "capsule",         "polygon",  "half_space",
                                                 "hollow",   "polyline",        "compound", "polyhedron",
                                                 "cylinder", "hollow_cylinder", "mesh",     "ellipsoid"};
  return names;
}

template <int Dim>
EncodedShape encode_shape(const Shape<Dim>& shape) {
  Encoder encoder;
  std::visit(encoder, shape);
  return std::move(encoder.out);
}

template <int Dim>
Shape<Dim> decode_shape(const EncodedShape& shape, const std::string& where) {
  Decoder in(shape, where);
  Shape<Dim> decoded = decode_any<Dim>(shape.kind, in);
  if (!in.at_end()) in.fail("too many numbers");
  return decoded;
}

EncodedShape shape_at(const TrajectoryData& data, std::int64_t row, const std::string& where) {
  if (row < 0 || row >= static_cast<std::int64_t>(data.shape_kind.size()))
    throw InputError(where, "a body refers to a shape that is not there", fmt::format("{}", row));
  const std::size_t i = static_cast<std::size_t>(row);
  const std::int64_t begin = data.shape_begin[i], count = data.shape_count[i];
  const std::int64_t total = static_cast<std::int64_t>(data.shape_numbers.size());
  if (begin < 0 || count < 0 || begin > total || count > total - begin)
    throw InputError(where, fmt::format("shape {} lies outside /shapes/numbers", row));
  const auto first = data.shape_numbers.begin() + begin;
  return {static_cast<int>(data.shape_kind[i]), {first, first + count}};
}

void ShapeTable::load(const TrajectoryData& data, const std::string& where) {
  rows_.clear();
  for (std::size_t row = 0; row < data.shape_kind.size(); ++row)
    rows_.emplace(shape_at(data, static_cast<std::int64_t>(row), where), static_cast<std::int64_t>(row));
  numbers_ = static_cast<std::int64_t>(data.shape_numbers.size());
}

std::int64_t ShapeTable::insert(const EncodedShape& shape, TrajectoryData& data) {
  const auto [entry, is_new] = rows_.emplace(shape, static_cast<std::int64_t>(rows_.size()));
  if (is_new) {
    data.shape_kind.push_back(shape.kind);
    data.shape_begin.push_back(numbers_);
    data.shape_count.push_back(static_cast<std::int64_t>(shape.numbers.size()));
    data.shape_numbers.insert(data.shape_numbers.end(), shape.numbers.begin(), shape.numbers.end());
    numbers_ += static_cast<std::int64_t>(shape.numbers.size());
  }
  return entry->second;
}

template EncodedShape encode_shape<2>(const Shape<2>&);
template EncodedShape encode_shape<3>(const Shape<3>&);
template Shape<2> decode_shape<2>(const EncodedShape&, const std::string&);
template Shape<3> decode_shape<3>(const EncodedShape&, const std::string&);

}  // namespace saltus
