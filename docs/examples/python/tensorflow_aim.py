"""Trains a network to hit a target through an old simulator in C. Usage: tensorflow_aim.py [PICTURE]."""
import sys
from pathlib import Path

import isozyme
import tensorflow as tf

model = isozyme.load(Path(__file__).with_name("throw.c"), modes=["vjp", "hvp"],
                     functions=["double distance(double speed, double angle, double wind)"])
tf.keras.backend.set_floatx("float64")
tf.keras.utils.set_random_seed(4)

network = tf.keras.Sequential([tf.keras.layers.Dense(16, "tanh"), tf.keras.layers.Dense(2)])


def aim(target, wind):
    """A speed of 5 to 35 m/s, and an angle of 0.1 to 1.3 radians."""
    speed, angle = tf.unstack(tf.sigmoid(network(tf.stack([target / 20 - 1.5, wind / 4], axis=1))), axis=1)
    return 5 + 30 * speed, 0.1 + 1.2 * angle


def distances(target, wind):
    return tf.map_fn(lambda throw: model.distance.tensorflow(*throw), (*aim(target, wind), wind),
                     fn_output_signature=tf.float64)


@tf.function
def step(target, wind):
    with tf.GradientTape() as tape:
        miss = tf.reduce_mean((distances(target, wind) - target) ** 2)
    slopes = tape.gradient(miss, network.trainable_variables)  # Through the simulator.
    optimiser.apply_gradients(zip(slopes, network.trainable_variables))
    return miss


def throws(count):
    return tf.random.uniform([count], 15, 45, tf.float64), tf.random.uniform([count], -6, 6, tf.float64)


optimiser = tf.keras.optimizers.Adam(0.01)
test = throws(200)
before = distances(*test) - test[0]
for _ in range(400):
    step(*throws(32))
after = distances(*test) - test[0]
miss = lambda errors: tf.reduce_mean(tf.abs(errors)).numpy()
print(f"mean miss {miss(before):.0f} m -> {miss(after):.1f} m")

if len(sys.argv) > 1:
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    left.plot(test[0], test[0] + before, ".", color="#b5651d", label="before")
    left.plot(test[0], test[0] + after, ".", color="#336699", label="after 400 steps")
    left.set(xlabel="target (m)", ylabel="distance thrown (m)", title="200 throws")
    left.legend()
    goal = tf.fill([61], tf.constant(30.0, tf.float64))
    wind = tf.linspace(tf.constant(-6.0, tf.float64), 6, 61)
    speed, angle = aim(goal, wind)
    right.plot(wind, speed, color="#336699", label="speed (m/s)")
    right.plot(wind, angle * 57.3, "--", color="#b5651d", label="angle (degrees)")
    right.set(xlabel="wind from behind (m/s)", title="how the network aims at 30 m")
    right.legend()
    figure.savefig(sys.argv[1], dpi=110)
