#include <box2d/box2d.h>

// Where a ball is after a second.
double fall(const double *x) {
  b2World World(b2Vec2(0, -9.81f));
  b2BodyDef Definition;
  Definition.type = b2_dynamicBody;
  Definition.linearVelocity.Set(float(x[0]), float(x[1]));
  b2Body *Ball = World.CreateBody(&Definition);
  b2CircleShape Circle;
  Circle.m_radius = 0.2f;
  Ball->CreateFixture(&Circle, 1);
  for (int I = 0; I < 20; ++I)
    World.Step(0.05f, 6, 2);
  return Ball->GetPosition().x * Ball->GetPosition().y;
}

// A pendulum: a body on a joint.
double swing(const double *x) {
  b2World World(b2Vec2(0, -9.81f));
  b2BodyDef Definition;
  b2Body *Wall = World.CreateBody(&Definition);
  Definition.type = b2_dynamicBody;
  Definition.position.Set(1, 0);
  Definition.linearVelocity.Set(0, float(x[0]));
  b2Body *Ball = World.CreateBody(&Definition);
  b2CircleShape Circle;
  Circle.m_radius = 0.2f;
  Ball->CreateFixture(&Circle, 1);
  b2RevoluteJointDef Joint;
  Joint.Initialize(Wall, Ball, b2Vec2(0, 0));
  World.CreateJoint(&Joint);
  for (int I = 0; I < 10; ++I)
    World.Step(0.02f, 20, 10);
  return Ball->GetPosition().x + 2 * Ball->GetPosition().y;
}
