// A body that glides over a surface and is slowed down by it.
#include <cmath>

// path: where the body is after each step of length dt. drag: the force against its motion at each of `count` speeds,
// at equal distances from 0 to `fastest`; in between it is interpolated.
void glide(const double *drag, int count, double fastest, double speed, double dt, double *path, int steps) {
  double place = 0;
  for (int i = 0; i < steps; ++i) {
    double at = std::fmin(std::fmax(speed, 0) / fastest, 0.999999) * (count - 1);
    int below = (int)at;
    double force = drag[below] + (at - below) * (drag[below + 1] - drag[below]);
    speed -= dt * force;
    place += dt * speed;
    path[i] = place;
  }
}
