// Spheres or bricks settle in Bullet: bullet_settle KIND BODIES ITERATIONS SECONDS; for vs_yade_bullet.
//
// Steps of 5 ms, friction 0.5 (Bullet multiplies those of the two bodies), no restitution, nothing put to sleep.
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  ~World() {
    for (auto& body : bodies) world.removeRigidBody(body.get());
  }

  void add(std::unique_ptr<btCollisionShape> shape, double mass, const btTransform& at) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape.get(), inertia);
    info.m_startWorldTransform = at;
    info.m_friction = btScalar(std::sqrt(0.5));
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    shapes.push_back(std::move(shape));
    world.addRigidBody(bodies.back().get());
  }
  void add_plane(double x, double y, double z, double offset) {
    add(std::make_unique<btStaticPlaneShape>(btVector3(btScalar(x), btScalar(y), btScalar(z)),
                                             btScalar(offset)),
        0, btTransform::getIdentity());
  }
};

void print_places(const World& world, std::size_t count, std::string& text) {
  char line[400];
  for (std::size_t i = 0; i < count; ++i) {
    const btTransform& at = world.bodies[i]->getWorldTransform();
    const btVector3& x = at.getOrigin();
    const btQuaternion q = at.getRotation();
    std::snprintf(line, sizeof line, "RESULT %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", double(x.x()),
                  double(x.y()), double(x.z()), double(q.w()), double(q.x()), double(q.y()), double(q.z()));
    text += line;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const bool spheres = std::string(argv[1]) == "spheres";
  World world;
  world.world.setGravity(btVector3(0, 0, btScalar(-9.81)));
  world.world.getSolverInfo().m_numIterations = std::atoi(argv[3]);
  std::ifstream in(argv[2]);
  double x[3], q[4], mass, half[3];
  while (in >> x[0] >> x[1] >> x[2] >> q[0] >> q[1] >> q[2] >> q[3] >> mass >> half[0] >> half[1] >>
         half[2]) {
    const btVector3 sides{btScalar(half[0]), btScalar(half[1]), btScalar(half[2])};
    std::unique_ptr<btCollisionShape> shape;
    if (spheres)
      shape = std::make_unique<btSphereShape>(btScalar(half[0]));
    else
      shape = std::make_unique<btBoxShape>(sides);
    const btQuaternion turn{btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])};
    world.add(std::move(shape), mass,
              btTransform(turn, btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2]))));
  }
  const std::size_t count = world.bodies.size();
  world.add_plane(0, 0, 1, 0);
  if (spheres)
    for (const double side : {-1.0, 1.0}) {
      world.add_plane(side, 0, 0, -1.2);
      world.add_plane(0, side, 0, -1.2);
    }
  const int steps = int(std::lround(std::atof(argv[4]) / 5e-3));
  std::string text;
  const std::clock_t start = std::clock();
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2) print_places(world, count, text);
    world.world.stepSimulation(btScalar(5e-3), 0);
  }
  const double cpu = double(std::clock() - start) / CLOCKS_PER_SEC;
  print_places(world, count, text);
  double kinetic = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const btRigidBody& body = *world.bodies[i];
    kinetic += 0.5 * body.getMass() * body.getLinearVelocity().length2();
  }
  std::printf("RESULT %.6f %.9g\n%s", cpu, kinetic, text.c_str());
}
