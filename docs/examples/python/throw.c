/* How far a ball flies: a simulator as it stood on many disks in 1985, with its settings in global variables. */
#include <math.h>

static double gravity = 9.81, drag = 0.02; /* m/s^2; 1/m, per kilogram */
static double x, y, vx, vy;

static void advance(double dt, double wind) {
  double u = vx - wind, speed = sqrt(u * u + vy * vy);
  vx -= dt * drag * speed * u;
  vy -= dt * (gravity + drag * speed * vy);
  x += dt * vx;
  y += dt * vy;
}

/* m; from a hand 1.5 m above the ground. speed: m/s, angle: radians, wind: m/s from behind. */
double distance(double speed, double angle, double wind) {
  double x0, y0;
  x = 0;
  y = 1.5;
  vx = speed * cos(angle);
  vy = speed * sin(angle);
  do {
    x0 = x;
    y0 = y;
    advance(0.02, wind);
  } while (y > 0);
  return x0 + (x - x0) * y0 / (y0 - y); /* Where the line between the last two places meets the ground. */
}
