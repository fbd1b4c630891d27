// How a simulation answers to a parameter: forward mode through code that is no function of tensors.
#include <iostream>

#include <tenon/func.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

/// Pendulums of several lengths, in seconds and metres.
struct Pendulums {
  Tensor length, angle = ops::ones_like(length), speed = ops::zeros_like(length);
  void step(double dt) {
    speed = speed - ops::sin(angle) / length * (9.81 * dt);
    angle = angle + speed * dt;
  }
};

Tensor angle_after(const Tensor& length, int steps) {
  Pendulums p{length};
  for (int i = 0; i < steps; ++i) p.step(0.001);
  return p.angle;
}

int main() {
  Tensor length = tensor({0.5, 1.0, 2.0}, kDouble);

  func::DualLevel level;
  Pendulums p{level.make_dual(length, ops::ones_like(length))};
  for (int i = 0; i < 1000; ++i) p.step(0.001);
  auto [angle, change] = level.unpack_dual(p.angle);
  std::cout << "angle by length: " << change << "\n";

  Tensor differences = (angle_after(length + 1e-5, 1000) - angle_after(length - 1e-5, 1000)) / 2e-5;
  std::cout << "differences agree: " << (ops::allclose(change, differences, 1e-6) ? "yes" : "no") << "\n";
}
// Prints:
// angle by length: tensor([-3.5406,  0.2840,  0.4569], dtype=float64)
// differences agree: yes
