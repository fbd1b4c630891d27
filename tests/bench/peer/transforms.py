"""Gradients of single examples by torch.func, beside the rows func/per_example_grad of ../transforms.cpp: prints
`name best_ns median_ns`. Usage: PYTHON transforms.py, with an interpreter that has torch."""
import statistics
import time

import torch
from torch.func import functional_call, grad, vmap

EXAMPLES = 256
torch.manual_seed(0)
network = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))
parameters = {name: tensor.detach() for name, tensor in network.named_parameters()}
images, digits = torch.rand(EXAMPLES, 64), torch.randint(10, (EXAMPLES,))


def loss(parameters, image, digit):
    return torch.nn.functional.cross_entropy(functional_call(network, parameters, (image,)), digit)


def row(name, run):
    run()
    count, times = 1, []
    while (seconds := timed(run, count)) < 0.02:
        count = count * 2 if seconds < 0.002 else int(count * 0.024 / seconds) + 1
    for _ in range(15):
        times.append(timed(run, count) * 1e9 / count)
    print(f"{name:<34} {min(times):14.1f} {statistics.median(times):14.1f}")


def timed(run, count):
    start = time.perf_counter()
    for _ in range(count):
        run()
    return time.perf_counter() - start


by_example = grad(loss)
row("func/per_example_grad/vmap", lambda: vmap(by_example, in_dims=(None, 0, 0))(parameters, images, digits))
