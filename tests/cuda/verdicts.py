"""Holds the rows of a bench on a device against those of PyTorch on the same one, by what the component is to reach. Usage: verdicts.py OURS PEERS, files with what the two benches
printed. A row `NAME BEST MEDIAN`, in microseconds; best times are compared. Fails where one is not reached or cannot be judged."""
import pathlib
import re
import sys


def rows(path):
    return {name: float(best) for name, best in re.findall(r"^(gpu/\S+)\s+([\d.]+)\s+[\d.]+\s*$", pathlib.Path(path).read_text(), re.M)}


def main():
    ours, peer = rows(sys.argv[1]), rows(sys.argv[2])
    beside = lambda name: peer[f"gpu/{name}"] / ours[f"gpu/{name}"]  # above 1: ours is faster
    demands = [("add_out_256m, bandwidth beside copy's", 0.95, lambda: 3 / ours["gpu/add_out_256m"] / (2 / ours["gpu/copy_256m"])),
               ("train/mlp_b64_graph beside the peer's eager step", 3, lambda: peer["gpu/train/mlp_b64"] / ours["gpu/train/mlp_b64_graph"])]
    demands += [(f"{name} beside the peer", least, lambda name=name: beside(name)) for name, least in
                [("add_out_256m", 1), ("add_256m", 1), ("launch/add_16", 5), ("launch/add_out_16", 5), ("gemm_f32_4096", 0.97), ("gemm_tf32_4096", 0.97),
                 ("gemm_bf16_8192", 0.97), ("layer_norm_8192", 1), ("softmax_8192", 1), ("chain_256m", 3)]]
    failed = 0
    for what, least, ratio in demands:
        try:
            got = ratio()
            reached = got >= least
            print(f"{what:52} {got:8.2f}, at least {least}: {'reached' if reached else 'NOT REACHED'}")
        except KeyError as missing:
            reached = False
            print(f"{what:52} NOT JUDGED: no row {missing}")
        failed += not reached
    for name in sorted(ours.keys() & peer.keys()):
        print(f"  {name:34} {ours[name]:12.3f} {peer[name]:12.3f} {peer[name] / ours[name]:8.2f}")
    print(f"{len(demands) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
