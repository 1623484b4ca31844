#include <chipmunk/chipmunk.h>

// Where a ball is after a second.
double throw(const double *x) {
  cpSpace *Space = cpSpaceNew();
  cpSpaceSetGravity(Space, cpv(0, -9.81));
  cpBody *Ball = cpSpaceAddBody(Space, cpBodyNew(1, 1));
  cpBodySetVelocity(Ball, cpv(x[0], x[1]));
  for (int I = 0; I < 20; ++I)
    cpSpaceStep(Space, 0.05);
  cpVect At = cpBodyGetPosition(Ball);
  double Value = At.x * At.y;
  cpSpaceRemoveBody(Space, Ball);
  cpBodyFree(Ball);
  cpSpaceFree(Space);
  return Value;
}

// Two bodies and a spring with friction.
double spring(const double *x) {
  cpSpace *Space = cpSpaceNew();
  cpBody *A = cpSpaceAddBody(Space, cpBodyNew(1, 1)), *B = cpSpaceAddBody(Space, cpBodyNew(2, 1));
  cpBodySetPosition(A, cpv(0, 0));
  cpBodySetPosition(B, cpv(1.5, 0.3));
  cpConstraint *Spring = cpSpaceAddConstraint(Space, cpDampedSpringNew(A, B, cpvzero, cpvzero, x[0], x[1], x[2]));
  for (int I = 0; I < 10; ++I)
    cpSpaceStep(Space, 0.05);
  cpVect At = cpBodyGetPosition(A);
  double Value = At.x + 2 * At.y;
  cpSpaceRemoveConstraint(Space, Spring);
  cpConstraintFree(Spring);
  cpSpaceRemoveBody(Space, A);
  cpSpaceRemoveBody(Space, B);
  cpBodyFree(A);
  cpBodyFree(B);
  cpSpaceFree(Space);
  return Value;
}

// A ball that meets the ground.
double bounce(const double *x) {
  cpSpace *Space = cpSpaceNew();
  cpSpaceSetGravity(Space, cpv(0, -9.81));
  cpShape *Ground = cpSpaceAddShape(Space, cpSegmentShapeNew(cpSpaceGetStaticBody(Space), cpv(-9, 0), cpv(9, 0), 0));
  cpShapeSetElasticity(Ground, 1);
  cpBody *Ball = cpSpaceAddBody(Space, cpBodyNew(1, cpMomentForCircle(1, 0, 0.2, cpvzero)));
  cpShape *Shape = cpSpaceAddShape(Space, cpCircleShapeNew(Ball, 0.2, cpvzero));
  cpShapeSetElasticity(Shape, x[0]);
  cpBodySetPosition(Ball, cpv(0, 1));
  cpBodySetVelocity(Ball, cpv(x[1], 0));
  for (int I = 0; I < 15; ++I)
    cpSpaceStep(Space, 0.05);
  cpVect At = cpBodyGetPosition(Ball);
  double Value = At.x + At.y;
  cpSpaceRemoveShape(Space, Shape);
  cpSpaceRemoveShape(Space, Ground);
  cpSpaceRemoveBody(Space, Ball);
  cpShapeFree(Shape);
  cpShapeFree(Ground);
  cpBodyFree(Ball);
  cpSpaceFree(Space);
  return Value;
}

double moment(const double *x) {
  cpVect Corners[3] = {{x[0], x[1]}, {x[2], x[3]}, {x[4], x[5]}};
  return cpMomentForPoly(2, 3, Corners, cpv(0.1, 0.2), 0) + cpAreaForPoly(3, Corners, 0.1);
}
