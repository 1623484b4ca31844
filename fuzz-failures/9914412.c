struct Inner { double v[2]; int k; };
struct Outer { struct Inner in[2]; double w; double *link; };
static NOINLINE double h1(double *__restrict p, const double *__restrict q, int k) {
  for (int i = 0; i < k; i++) p[i % 2] = 0.6 * p[(i + 1) % 2] + 0.2 * q[i % 2] * p[i % 2];
  return p[0] * q[1];
}
double f(double *x, double *y, int n, double a) {
  double s = 0.1;
  double a2[3] = {a, (sin(0.05 * (double)(n)) - 0.337), cos(sin(x[((n + n) % 4)]))};
  struct Outer o3;
  o3.in[0].v[0] = 4 * sin(((cos(y[(n) % 3]) + (s < 0.7427 ? x[((0 % 3) % 4)] : a)) * y[((n * 3 + 1)) % 3])); o3.in[0].v[1] = s; o3.in[0].k = ((int)(fabs(0.05 * (double)(n)) * 3.0) % 2); o3.in[1] = o3.in[0]; o3.w = 4 * sin((s - x[(n) % 5])); o3.link = (1.334 + 0.575) < 0.3884 ? o3.in[1].v : y;
  if (n % 2 == 1) { o3.in[1].v[(n) % 2] = s; o3.in[1].k = (o3.in[0].k + 1) % 3; }
  struct Outer o4;
  o4.in[0].v[0] = 4 * tanh(((tanh(y[o3.in[1].k]) * log(1.1 + fabs(0.05 * (double)((o3.in[1].k * 3 + 1))))) * ((o3.w + o3.link[((o3.in[1].k % 4)) % 2]) * cos(1.437)))); o4.in[0].v[1] = 4 * tanh(((1.012 * 0.05 * (double)((n + 2))) - fabs(a2[((n + n)) % 3] + 0.0725))); o4.in[0].k = o3.in[1].k; o4.in[1] = o4.in[0]; o4.w = ((sin(0.05 * (double)(3)) * exp(-fabs(o3.w))) / (1.2 + fabs(fmin(sin(a), cos(0.05 * (double)(o3.in[1].k)) + 0.0531)))); o4.link = ((n + o3.in[1].k) + (3 + o3.in[1].k)) % 2 == 0 ? o4.in[1].v : a2;
  if (((o3.in[(((n + n) * 2 + 1)) % 2].v[(((5 * 3 + 1) * 2 + 1)) % 2] - 0.05 * (double)((0 % 4))) < 0.9516 || (s + y[(((1 % 2) * 4 + 1)) % 3]) > 0.9676)) { o4.in[1].v[(4) % 2] = 4 * sin((s + o3.link[(n) % 2])); o4.in[1].k = (o4.in[0].k + 1) % 3; }
  {
    int k5 = 0;
    if (s < 0.3778) goto Middle6;
    Top7:
    {
      { double a8[2] = {4 * sin((sqrt(1.1 + fabs((s * a))) * o3.w)), (sin(o3.w) * (0.05 * (double)((4 % 2)) + 0.05 * (double)(k5)))}, b9[2] = {cos(s), o3.in[(((n + n) * 2 + 1)) % 2].v[(5) % 2]}; double t10 = h1(a8, b9, (((o4.in[(o3.in[1].k) % 2].k + o4.in[(o3.in[1].k) % 2].k) * 2 + 1)) % 5); s = 0.5 * s + 0.3 * t10 + 0.1 * a8[1]; }
    }
    Middle6:
    {
      if ((o3.in[1].k % 3 == 2 && o4.in[(o3.in[1].k) % 2].k % 2 == 0)) {
        o4.w += 0.1 * 0.25 * ((a2[(5) % 3] * exp(-fabs(0.05 * (double)(n)))));
        a2[((((int)(fabs(x[o4.in[(o3.in[1].k) % 2].k]) * 3.0) % 3) * 2 + 1)) % 2] = cos(exp(-fabs(y[(k5) % 3])));
      } else if (hypot(y[(k5) % 3], 1.3 + fabs(o4.w)) < -0.0787) {
        a2[((o4.in[(o3.in[1].k) % 2].k + o4.in[(o3.in[1].k) % 2].k)) % 2] = 0.05 * (double)(o3.in[1].k);
      }
    }
    k5++;
    if (k5 < o3.in[1].k) goto Top7;
    if (k5 < 3 && (0.05 * (double)(k5) + o4.w) > -0.6626) goto Middle6;
  }
  float f11[3] = {(float)(4 * tanh(fabs(sin(fmax(s, y[((o3.in[1].k + 2) % 3)] + 0.0531)) * (s * o4.w) + 0.0605))), (float)(0.9756 * ((fmin(o4.w, o3.w + 0.0531) * sin(x[(n) % 5])))), (float)(tanh(atan2(cos(o4.w), 1.3 + fabs(sin(1.361)))))};
  f11[(5) % 3] = f11[o4.in[(o3.in[1].k) % 2].k] * 0.5f + sinf(f11[0]);
  o3.w = 0.5 * o3.w + 0.3 * (double)f11[(((o3.in[1].k + o4.in[(o3.in[1].k) % 2].k) * 3 + 1)) % 3];
  if (n % 2 == 1) {
    { double a12[2] = {0.2353 * (((0.05 * (double)(n) - a) * (o3.w / (1.2 + fabs(o3.link[((o4.in[(o3.in[1].k) % 2].k + o3.in[1].k)) % 2]))))), tanh(o4.w)}, b13[2] = {0.625 * (fabs(1.416 + 0.0881)), sin(o3.link[((4 % 4)) % 2])}; double t14 = h1(a12, b13, (n) % 5); o3.w = 0.5 * o3.w + 0.3 * t14 + 0.1 * a12[1]; }
    o3.w = o3.w;
  } else if (3 % 3 == 0) {
    { double a15[2] = {0.5 * ((s - o4.w)), exp(-fabs((fabs(o4.w + 0.0174) < -0.0746 ? o3.w : a)))}, b16[2] = {0.0625 * ((x[o4.in[(o3.in[1].k) % 2].k] * x[o3.in[1].k])), sin((x[0] + x[o3.in[1].k]))}; double t17 = h1(a15, b16, (o4.in[(o3.in[1].k) % 2].k % 4)); o3.w = 0.5 * o3.w + 0.3 * t17 + 0.1 * a15[1]; }
  }
  return s + exp(-fabs(o4.in[((o3.in[1].k + 4)) % 2].v[(((o4.in[(o3.in[1].k) % 2].k + 1) * 3 + 1)) % 2]));
}
