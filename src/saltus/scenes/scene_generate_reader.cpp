#include "saltus/scenes/scene_generate_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/generate/generate_blocks.hpp"
#include "saltus/generate/generate_bodies.hpp"
#include "saltus/generate/generate_sample.hpp"
#include "saltus/generate/generate_sizes.hpp"
#include "saltus/generate/generate_voronoi.hpp"
#include "saltus/generate/generate_wall.hpp"
#include "saltus/scenes/scene_body_reader.hpp"
#include "saltus/scenes/scene_csv.hpp"
#include "saltus/scenes/scene_reader.hpp"
#include "saltus/scenes/scene_shape_reader.hpp"

namespace saltus {

namespace {

constexpr Range kLength{1e-9, 1e9};
constexpr int kManyBlocks = 10'000'000;

template <int Dim>
struct Request {
  TableReader& table;
  SceneContext& context;
  Structure<Dim> structure;
  std::int64_t room;

  void require_room(std::int64_t bodies) const {
    if (bodies > room)
      throw InputError(table.where(), table.path() + ": too many bodies", fmt::format("{}", bodies),
                       fmt::format("{} more in this scene", room));
  }
};

template <int Dim>
using Bodies = std::vector<SceneBody<Dim>>;

SizeDistribution read_sizes(TableReader& t) {
  SizeDistribution sizes;
  sizes.kind =
      static_cast<SizeDistribution::Kind>(t.choice("distribution", {"list", "uniform", "mass-curve"}, 1));
  sizes.radii = t.numbers("radii", kLength);
  if (sizes.kind == SizeDistribution::Kind::list)
    sizes.counts = t.integers("counts", 0, kManyBlocks);
  else
    sizes.count = t.integer("count", 1, kManyBlocks);
  if (sizes.kind == SizeDistribution::Kind::mass_curve) sizes.passing = t.numbers("passing", Range{0, 1});
  check(sizes, t.where());
  return sizes;
}

// A number, or the two between which it is drawn.
DrawnNumber read_drawn(TableReader& t, std::string_view key, double fallback, const Range& range) {
  const toml::node* node = t.node(key);
  if (!node || !node->is_array()) {
    const double value = t.number(key, fallback, range);
    return {value, value};
  }
  const Vec<2> ends = t.vector<2>(key, range);
  if (ends[0] > ends[1]) t.fail(key, fmt::format("[{}, {}]", ends[0], ends[1]), "[least, largest]");
  return {ends[0], ends[1]};
}

DrawnCount read_drawn_count(TableReader& t, std::string_view key, int low, int high) {
  const toml::node* node = t.node(key);
  if (!node || !node->is_array()) {
    const int value = static_cast<int>(t.integer(key, low, high));
    return {value, value};
  }
  const std::vector<int> ends = t.integers(key, low, high);
  if (ends.size() != 2 || ends[0] > ends[1])
    t.fail(key, fmt::format("[{}]", fmt::join(ends, ", ")), "a number, or [least, most]");
  return {ends[0], ends[1]};
}

template <int Dim>
GrainShape read_grain_shape(TableReader& sample) {
  constexpr int kMostCorners = 200, kMostBalls = 50;
  GrainShape shape;
  std::optional<TableReader> t = sample.optional_table("grain");
  if (!t) return shape;
  const std::string round = Dim == 2 ? "disk" : "sphere", cornered = Dim == 2 ? "polygon" : "polyhedron";
  shape.where = t->where();
  shape.kind = static_cast<GrainShape::Kind>(t->choice("kind", {round, cornered, "capsule", "cluster"}));
  const Range ratio{1, 20};
  switch (shape.kind) {
    case GrainShape::Kind::ball: break;
    case GrainShape::Kind::corners:
      shape.corners = read_drawn_count(*t, "corners", Dim + 1, kMostCorners);
      shape.elongation = read_drawn(*t, "elongation", 1, ratio);
      if (Dim == 3) shape.flatness = read_drawn(*t, "flatness", 1, ratio);
      shape.angularity = read_drawn(*t, "angularity", 0, Range{0, 1});
      break;
    case GrainShape::Kind::capsule: shape.elongation = read_drawn(*t, "elongation", 2, ratio); break;
    case GrainShape::Kind::cluster: shape.corners = read_drawn_count(*t, "balls", 2, kMostBalls); break;
  }
  t->finish();
  return shape;
}

template <int Dim>
SampleBox<Dim> read_box(TableReader& t) {
  SampleBox<Dim> box{t.vector<Dim>("from"), t.vector<Dim>("to"), t.where()};
  for (int d = 0; d < Dim; ++d)
    if (!(box.high[d] > box.low[d]) || box.high[d] - box.low[d] > kLength.high)
      t.fail("to", fmt::format("{} beside {} of from", box.high[d], box.low[d]),
             "a larger number, less than 1e9 away");
  return box;
}

std::uint64_t read_seed(TableReader& t) {
  return static_cast<std::uint64_t>(t.integer("seed", 1, 0, std::numeric_limits<std::int64_t>::max()));
}

template <int Dim>
Bodies<Dim> read_voronoi(Request<Dim>& request) {
  TableReader& t = request.table;
  Tessellation<Dim> cells;
  const SampleBox<Dim> box = read_box<Dim>(t);
  cells.low = box.low, cells.high = box.high, cells.where = t.where();
  cells.count = t.integer("count", 1, kManyBlocks);
  request.require_room(cells.count);
  cells.relaxations = static_cast<int>(t.integer("relaxations", 0, 0, 1000));
  cells.stretch = t.vector<Dim>("stretch", cells.stretch, Range{0.01, 100});
  cells.joint = t.number("joint", 0, kNotNegative);
  SplitMix64 random(read_seed(t));
  return build_cells<Dim>(build_tessellation<Dim>(cells, random), request.structure);
}

template <int Dim>
Bodies<Dim> read_sample(Request<Dim>& request) {
  TableReader& t = request.table;
  const SizeDistribution sizes = read_sizes(t);
  const GrainShape shape = read_grain_shape<Dim>(t);
  request.require_room(sizes.total());
  SampleBox<Dim> box = read_box<Dim>(t);
  SplitMix64 random(read_seed(t));
  const int layout = t.choice("layout", {"lattice", "random", "growth", "deposit"}, 0);
  if (t.has("ring")) {
    const Vec<2> ring = t.vector<2>("ring", kNotNegative);
    if (layout != 1 || !(ring[1] > ring[0]))
      t.fail("ring", fmt::format("[{}, {}]", ring[0], ring[1]),
             "two increasing radii, with layout = \"random\"");
    box.inner = ring[0], box.outer = ring[1];
  }
  const std::vector<double> radii = draw_radii(sizes, Dim, random);
  const auto place = [&] {
    if (layout == 1) return place_at_random(radii, box, random);
    if (layout == 2) return place_by_growth(radii, box, random);
    if (layout == 3) return place_by_deposit(radii, box, random);
    const double spacing = t.number("spacing", 1.05, Range{1, 1000}),
                 jitter = t.number("jitter", 0.5, Range{0, 1});
    return place_on_lattice(radii, box, spacing, jitter, random);
  };
  const std::vector<Grain<Dim>> grains = place();
  return build_grains(grains, shape, random, request.structure);
}

template <int Dim>
std::vector<std::string> columns(const std::string& prefix) {
  const std::vector<std::string> all = {prefix + "x", prefix + "y", prefix + "z"};
  return {all.begin(), all.begin() + Dim};
}

template <int Dim>
const std::vector<std::string>& spin_columns() {
  static const std::vector<std::string> names =
      Dim == 2 ? std::vector<std::string>{"w"} : std::vector<std::string>{"wx", "wy", "wz"};
  return names;
}

void require_within(const Range& range, const CsvTable& csv, std::size_t row, const std::string& column,
                    double value) {
  if (!range.contains(value))
    throw InputError(csv.where(row), "column " + column, fmt::format("{}", value), range.text());
}

// Places, sizes and speeds: numbers of the range of places, as in a scene.
template <int Dim>
Vec<Dim> read_columns(const CsvTable& csv, std::size_t row, const std::string& prefix,
                      const Vec<Dim>& fallback) {
  Vec<Dim> x = fallback;
  for (int d = 0; d < Dim; ++d) {
    const std::string column = columns<Dim>(prefix)[d];
    const int c = csv.find(column);
    if (c < 0) continue;
    x[d] = csv.at(row, c);
    require_within(Range{-kLength.high, kLength.high}, csv, row, column, x[d]);
  }
  return x;
}

// One body per line: its place, optional velocity, spin and density, and the sizes that make its shape.
template <int Dim, class MakeShape>
Bodies<Dim> read_csv_bodies(Request<Dim>& request, const std::vector<std::string>& sizes,
                            const char* default_name, MakeShape&& make_shape) {
  TableReader& t = request.table;
  std::vector<std::string> required = columns<Dim>(""), allowed = required;
  required.insert(required.end(), sizes.begin(), sizes.end());
  allowed.insert(allowed.end(), sizes.begin(), sizes.end());
  for (const std::string& column : columns<Dim>("v")) allowed.push_back(column);
  for (const std::string& column : spin_columns<Dim>()) allowed.push_back(column);
  allowed.push_back("density");
  const std::string content = request.context.load_file(t, "file");
  const CsvTable csv = parse_csv(content, request.context.file_path(t, "file"), required, allowed);
  request.require_room(static_cast<std::int64_t>(csv.rows()));
  if (csv.rows() == 0)
    log_warning("{}: {} has no row under its header: no body is made of it", t.where("file"),
                request.context.file_path(t, "file"));

  BlockList<Dim> list(request.structure, default_name);
  for (std::size_t row = 0; row < csv.rows(); ++row)
    list.add(make_shape(csv, row), read_columns<Dim>(csv, row, "", Vec<Dim>::Zero()));
  Bodies<Dim> bodies = list.take();
  const int density = csv.find("density");
  for (std::size_t row = 0; row < csv.rows(); ++row) {
    bodies[row].where = csv.where(row);
    bodies[row].velocity = read_columns<Dim>(csv, row, "v", bodies[row].velocity);
    for (int k = 0; k < kSpins<Dim>; ++k) {
      const std::string& column = spin_columns<Dim>()[static_cast<std::size_t>(k)];
      if (const int c = csv.find(column); c >= 0) {
        require_within(Range{-kLength.high, kLength.high}, csv, row, column, csv.at(row, c));
        bodies[row].spin[k] = csv.at(row, c);
      }
    }
    if (density < 0) continue;
    require_within(kLength, csv, row, "density", csv.at(row, density));
    bodies[row].density = csv.at(row, density);
  }
  return bodies;
}

template <int Dim>
Bodies<Dim> read_particles(Request<Dim>& request) {
  return read_csv_bodies(request, {"r"}, "grain", [](const CsvTable& csv, std::size_t row) -> Shape<Dim> {
    const double r = csv.at(row, csv.find("r"));
    require_within(kLength, csv, row, "r", r);
    return Ball<Dim>{r};
  });
}

template <int Dim>
Bodies<Dim> read_boxes(Request<Dim>& request) {
  return read_csv_bodies(request, columns<Dim>("s"), "box",
                         [](const CsvTable& csv, std::size_t row) -> Shape<Dim> {
                           const Vec<Dim> size = read_columns<Dim>(csv, row, "s", Vec<Dim>::Zero());
                           for (int d = 0; d < Dim; ++d)
                             require_within(kLength, csv, row, columns<Dim>("s")[d], size[d]);
                           if constexpr (Dim == 2)
                             return build_rectangle(size[0], size[1]);
                           else
                             return build_box(size);
                         });
}

template <int Dim>
Bodies<Dim> read_walls(Request<Dim>& request) {
  TableReader& t = request.table;
  const Vec<Dim> low = t.vector<Dim>("from"), high = t.vector<Dim>("to");
  const std::vector<std::string>& names = side_names<Dim>();
  std::vector<std::string> wanted(names.begin(), names.end() - 1);  // all but the lid
  if (t.has("sides")) wanted = t.texts("sides");
  std::vector<int> sides;
  for (const std::string& side : wanted) {
    const auto found = std::find(names.begin(), names.end(), side);
    if (found == names.end()) t.fail("sides", '"' + side + '"', join_names(names));
    sides.push_back(static_cast<int>(found - names.begin()));
  }
  for (const Drive& drive : request.structure.model.drive)
    if (!drive.is_free())
      t.fail("kind", "\"walls\" that are driven or locked", "fixed walls; write others as bodies");
  request.require_room(static_cast<std::int64_t>(sides.size()));
  return build_walls(low, high, sides, request.structure);
}

std::vector<WallOpening> read_openings(TableReader& wall, int courses) {
  std::vector<WallOpening> openings;
  for (TableReader& t : wall.tables("openings")) {
    WallOpening opening;
    opening.where = t.where();
    const Vec<2> along = t.vector<2>("along");
    opening.low = along[0], opening.high = along[1];
    const std::vector<int> rows = t.integers("courses", 0, courses);
    if (rows.size() != 2) t.fail("courses", fmt::format("{} numbers", rows.size()), "[first, end]");
    opening.first = rows[0], opening.last = rows[1];
    opening.bearing = t.number("lintel", 0, kNotNegative);
    t.finish();
    openings.push_back(std::move(opening));
  }
  return openings;
}

template <int Dim>
Bodies<Dim> read_brick_wall(Request<Dim>& request) {
  TableReader& t = request.table;
  BrickWall<Dim> wall;
  wall.brick = t.vector<Dim>("brick", kLength);
  wall.courses = static_cast<int>(t.integer("courses", 1, 10'000));
  wall.bricks = static_cast<int>(t.integer("bricks", 1, 10'000));
  wall.head_joint = t.number("head_joint", 0, Range{0, wall.brick[0] / 2});
  wall.bed_joint = t.number("bed_joint", 0, Range{0, wall.brick[Dim - 1]});
  wall.bond = static_cast<Bond>(t.choice("bond", bond_names(), 0));
  const bool stretchers = wall.bond == Bond::running || wall.bond == Bond::stack || wall.bond == Bond::rubble;
  if (Dim == 3 && stretchers) {
    wall.leaves = static_cast<int>(t.integer("leaves", 1, 1, 100));
    wall.collar_joint = t.number("collar_joint", 0, kNotNegative);
  }
  if (wall.bond == Bond::rubble) {
    wall.length_spread = t.number("length_spread", 0.4, Range{0, 0.9});
    wall.height_spread = t.number("height_spread", 0.2, Range{0, 0.9});
    wall.seed = read_seed(t);
  }
  wall.openings = read_openings(t, wall.courses);
  check(wall, t.where());
  request.require_room(count_blocks(wall));
  return build_brick_wall(wall, request.structure);
}

template <int Dim>
Bodies<Dim> read_arch(Request<Dim>& request) {
  TableReader& t = request.table;
  Arch arch;
  arch.radius = t.number("radius", kLength);
  arch.thickness = t.number("thickness", Range{arch.radius * 1e-6, 1.9 * arch.radius});
  arch.angle = t.number("angle_spanned", arch.angle, Range{1e-3, 6.2});
  arch.voussoirs = static_cast<int>(t.integer("voussoirs", 2, 10'000));
  if (arch.angle / arch.voussoirs > 2.5)
    t.fail("voussoirs", fmt::format("{}", arch.voussoirs), "less than 2.5 rad each");
  if (Dim == 3) arch.depth = t.number("depth", kLength);
  arch.springings = t.flag("springings", true);
  request.require_room(arch.voussoirs + 2);
  return build_arch<Dim>(arch, request.structure);
}

template <int Dim>
Bodies<Dim> read_portico(Request<Dim>& request) {
  TableReader& t = request.table;
  Portico portico;
  portico.columns = static_cast<int>(t.integer("columns", 2, 1000));
  portico.drums = static_cast<int>(t.integer("drums", 1, 1000));
  portico.diameter = t.number("diameter", kLength);
  portico.drum_height = t.number("drum_height", kLength);
  portico.spacing = t.number("spacing", Range{portico.diameter, kLength.high});
  portico.architrave_height = t.number("architrave_height", kLength);
  if (Dim == 3) {
    portico.rows = static_cast<int>(t.integer("rows", 1, 1, 100));
    portico.row_spacing = t.number("row_spacing", portico.spacing, Range{portico.diameter, kLength.high});
    portico.sides = static_cast<int>(t.integer("sides", 0, 0, 1000));
    portico.roof = t.number("roof", 0, kNotNegative);
  }
  request.require_room(count_blocks<Dim>(portico));
  return build_portico<Dim>(portico, request.structure);
}

template <int Dim>
Bodies<Dim> read_tower(Request<Dim>& request) {
  TableReader& t = request.table;
  Tower<Dim> tower;
  tower.brick = t.vector<Dim>("brick", kLength);
  tower.courses = static_cast<int>(t.integer("courses", 1, 10'000));
  if (Dim == 2) tower.top_width = t.number("top_width", tower.brick[0], kLength);
  if (Dim == 3) tower.bricks = static_cast<int>(t.integer("bricks", 1, 1, 1000));
  request.require_room(Dim == 2 ? tower.courses : 4 * tower.courses * tower.bricks);
  return build_tower<Dim>(tower, request.structure);
}

Bodies<3> read_peers_spheres(Request<3>& request) {
  TableReader& t = request.table;
  const std::vector<int> count = t.integers("lattice", 1, 1000);
  if (count.size() != 3) t.fail("lattice", fmt::format("{} numbers", count.size()), "three numbers of sites");
  const std::int64_t sites = std::int64_t{count[0]} * count[1] * count[2];
  const std::int64_t wanted = t.integer("count", sites, 1, sites);
  const auto seed = t.integer("seed", 42, 0, std::numeric_limits<std::int64_t>::max());
  request.require_room(wanted);
  return build_grains(
      build_jittered_lattice({count[0], count[1], count[2]}, wanted, static_cast<std::uint64_t>(seed)),
      request.structure);
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Drives, locks, forces (and damping with them) given to the generator take the place of those that were
// saved.
template <int Dim>
void replace_motion(const SceneBody<Dim>& given, SceneBody<Dim>& body) {
  const bool is_given =
      given.fixed ||
      std::any_of(given.drive.begin(), given.drive.end(), [](const Drive& d) { return !d.is_free(); }) ||
      std::any_of(given.force.begin(), given.force.end(), [](const TimeFunction& f) { return !f.is_zero(); });
  if (!is_given) return;
  body.fixed = given.fixed, body.drive = given.drive, body.force = given.force;
  body.damping = given.damping, body.damping_rotation = given.damping_rotation;
  for (int dof = 0; dof < kDofs<Dim>; ++dof)
    if (given.fixed || given.drive[dof].kind == Drive::Kind::locked)
      (dof < Dim ? body.velocity[dof] : body.spin[dof - Dim]) = 0;
}

// Names that the scene to take bodies from does not have would choose nothing, or leave nothing out.
template <int Dim>
void check_names(const TableReader& t, const char* key, const std::vector<std::string>& wanted,
                 const Scene<Dim>& scene) {
  if (wanted.empty()) return;
  std::vector<std::string> there;
  for (const SceneBody<Dim>& body : scene.bodies)
    if (!body.name.empty()) there.push_back(body.name);
  for (const std::string& name : wanted) {
    if (holds(there, name)) continue;
    const std::string near = nearest_name(name, there);
    t.fail(key,
           fmt::format("\"{}\"{}", name, near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)),
           "names of bodies of the file");
  }
}

// Bodies whose frame is this far from a point (3D: from the line along z through it).
template <int Dim>
struct Within {
  Vec<Dim> centre = Vec<Dim>::Zero();
  double from = 0, to = std::numeric_limits<double>::infinity();

  bool contains(const Vec<Dim>& x) const {
    const double way = (x - centre).template head<2>().norm();
    return way >= from && way < to;
  }
};

template <int Dim>
Within<Dim> read_within(TableReader& t) {
  Within<Dim> within;
  std::optional<TableReader> w = t.optional_table("within");
  if (!w) return within;
  within.centre = w->vector<Dim>("centre", within.centre);
  const Vec<2> radii = w->vector<2>("radii", kNotNegative);
  within.from = radii[0], within.to = radii[1];
  if (!(within.to > within.from))
    w->fail("radii", fmt::format("[{}, {}]", radii[0], radii[1]), "two increasing numbers");
  w->finish();
  return within;
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) && !error;
}

// Bodies of another scene as they stand there: `saltus run --final-scene` makes such files.
template <int Dim>
Bodies<Dim> read_saved(Request<Dim>& request) {
  TableReader& t = request.table;
  const std::vector<std::string> names = t.texts("names"), except = t.texts("except");
  const bool at_rest = t.flag("at_rest", false);
  const Within<Dim> within = read_within<Dim>(t);
  const SceneBody<Dim>& given = request.structure.model;
  const std::string text = request.context.load_file(t, "file");
  const std::string path = request.context.file_path(t, "file");
  ReadLimits limits = request.context.limits;
  limits.bodies = request.room;
  limits.outer.push_back(request.context.scene_path);
  for (const std::string& outer : limits.outer)
    if (is_same_file(outer, path))
      t.fail("file", '"' + path + '"',
             "a scene that does not take bodies from itself, by way of others neither");
  const SceneFile file = parse_scene(text, path, {}, limits);
  const Scene<Dim>* scene = std::get_if<Scene<Dim>>(&file.scene);
  if (!scene) t.fail("file", path, fmt::format("a scene of dimension {}", Dim));
  if (names.empty() && t.has("names")) t.fail("names", "[]", "one name or more");
  check_names(t, "names", names, *scene);
  check_names(t, "except", except, *scene);
  Bodies<Dim> bodies;
  for (SceneBody<Dim> body : scene->bodies) {
    if ((!names.empty() && !holds(names, body.name)) || holds(except, body.name)) continue;
    if (!within.contains(body.pose.position)) continue;
    replace_motion(given, body);
    if (t.has("damping")) body.damping = given.damping;
    if (t.has("damping_rotation")) body.damping_rotation = given.damping_rotation;
    request.context.checked_material(body.material, t, "file");
    if (at_rest) body.velocity.setZero(), body.spin.setZero();
    body.where = t.where();
    bodies.push_back(std::move(body));
  }
  if (bodies.empty())
    t.fail("file", fmt::format("{} bodies, of which none is taken", scene->bodies.size()),
           "one body or more that names, except and within let through");
  return bodies;
}

template <int Dim>
using Reader = Bodies<Dim> (*)(Request<Dim>&);

template <int Dim>
std::vector<std::pair<std::string, Reader<Dim>>> readers() {
  std::vector<std::pair<std::string, Reader<Dim>>> list = {
      {"sample", read_sample<Dim>},   {"particles", read_particles<Dim>},   {"boxes", read_boxes<Dim>},
      {"walls", read_walls<Dim>},     {"brick-wall", read_brick_wall<Dim>}, {"arch", read_arch<Dim>},
      {"portico", read_portico<Dim>}, {"tower", read_tower<Dim>},           {"saved", read_saved<Dim>},
      {"voronoi", read_voronoi<Dim>}};
  if constexpr (Dim == 3) list.emplace_back("peers-spheres", read_peers_spheres);
  return list;
}

}  // namespace

template <int Dim>
std::vector<SceneBody<Dim>> read_generator(TableReader& t, SceneContext& context, std::int64_t room) {
  const auto list = readers<Dim>();
  std::vector<std::string> kinds;
  for (const auto& [kind, reader] : list) kinds.push_back(kind);
  const Reader<Dim> reader = list[static_cast<std::size_t>(t.choice("kind", kinds))].second;
  const std::string name = t.text("name", "");
  Request<Dim> request{t, context, {read_body_template<Dim>(t, context), read_pose<Dim>(t)}, room};
  request.structure.model.name = name;
  Bodies<Dim> bodies = reader(request);
  t.finish();
  return bodies;
}

template std::vector<SceneBody<2>> read_generator<2>(TableReader&, SceneContext&, std::int64_t);
template std::vector<SceneBody<3>> read_generator<3>(TableReader&, SceneContext&, std::int64_t);

}  // namespace saltus
