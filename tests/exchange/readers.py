"""What others' readers make of the library's files: traces by Perfetto's and against the schema of Chrome's, logs by TensorBoard's,
npz by NumPy's, torch.save()'s files, here and back by torch.load(); what the interpreter lacks is skipped. Usage: readers.py PROGRAM [CALLS]. PYTHON names the
interpreter that has them; else the one that runs this."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from checks import Count
from others import by_named_interpreter, there

by_named_interpreter()
program, calls = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
count = Count()
check = count.check
# Of a call of an operator that does nothing, beyond its time without a profiler: 49 ns where little else runs (docs/measured.md).
MOST_NANOSECONDS, MOST_BYTES = 200, 40


def slices(trace, proto):
    """Checks that every thread's slices nest and end, and returns how many there are."""
    open_, last, n, flows = {}, {}, 0, {}
    for packet in trace.packet:
        if not packet.HasField("track_event"):
            continue
        sequence, event = packet.trusted_packet_sequence_id, packet.track_event
        if event.type == proto.TrackEvent.TYPE_COUNTER:
            continue
        check_order = packet.timestamp >= last.get(sequence, 0)
        if not check_order:
            check(False, f"an event of {packet.timestamp} after one of {last[sequence]}")
            return n
        last[sequence] = packet.timestamp
        depth = open_.get(sequence, 0) + (1 if event.type == proto.TrackEvent.TYPE_SLICE_BEGIN else -1)
        n += event.type == proto.TrackEvent.TYPE_SLICE_BEGIN
        if depth < 0:
            check(False, "a slice ends that did not begin")
            return n
        open_[sequence] = depth
        for flow in list(event.flow_ids) + list(event.terminating_flow_ids):
            flows[flow] = flows.get(flow, 0) + 1
    check(all(d == 0 for d in open_.values()), "slices do not end")
    check(all(f == 2 for f in flows.values()), "arrows without an end")
    return n


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    output = subprocess.run([program, "traces", folder, str(calls)], capture_output=True, text=True, check=True).stdout
    off, on, each = map(float, re.findall(r"[\d.]+", output))
    print(f"a call without a profiler {off} ns, with one {on} ns, {each} bytes in Perfetto's trace")
    check(on - off <= MOST_NANOSECONDS, f"a profiler adds {on - off:.1f} ns to a call, at most {MOST_NANOSECONDS} are wanted")
    check(each <= MOST_BYTES, f"a call takes {each} bytes of the trace, at most {MOST_BYTES} are wanted")
    if proto := there("perfetto.protos.perfetto.trace.perfetto_trace_pb2", "perfetto"):
        for name, least in (("calls", calls + 1), ("step", 5)):
            trace = proto.Trace()
            trace.ParseFromString((folder / f"{name}.perfetto-trace").read_bytes())
            found = slices(trace, proto)
            check(found >= least and (name != "calls" or found == least), f"{name}: {found} slices, expected {least}")
    # Chrome's trace: the form that its specification gives to the events that are written.
    document = json.loads((folder / "step.json").read_text())
    number, text = {"type": "number"}, {"type": "string"}
    one = {"type": "object", "required": ["ph", "pid"], "properties": {"ph": {"enum": ["X", "M", "C", "s", "f"]}, "name": text, "cat": text, "ts": number,
           "dur": {"type": "number", "minimum": 0}, "pid": {"type": "integer"}, "tid": {"type": "integer"}, "args": {"type": "object"}, "bp": {"const": "e"}, "id": {"type": "integer"}},
           "additionalProperties": False, "allOf": [{"if": {"properties": {"ph": {"const": "X"}}}, "then": {"required": ["name", "ts", "dur", "tid"]}}]}
    if jsonschema := there("jsonschema", "jsonschema"):
        try:
            jsonschema.validate(document, {"type": "object", "required": ["traceEvents"], "properties": {"traceEvents": {"type": "array", "minItems": 5, "items": one}}})
            check(True)
        except jsonschema.ValidationError as error:
            check(False, f"Chrome's trace: {error}")
    check(any(e.get("name") == 'step "one" \\ \t é' for e in document["traceEvents"]), "a range's name did not survive JSON")
    spans = sorted((e["ts"], -e["dur"]) for e in document["traceEvents"] if e["ph"] == "X" and e["tid"] == 1)
    inside = []
    for start, minus in spans:
        while inside and inside[-1] <= start:
            inside.pop()
        check(not inside or start - minus <= inside[-1] + 1e-3, f"a call at {start} ends after the one around it")
        inside.append(start - minus)
    xml.dom.minidom.parse(str(folder / "step.svg"))

    subprocess.run([program, "logs", folder / "logs"], check=True)
    if accumulator := there("tensorboard.backend.event_processing.event_accumulator", "tensorboard"):
        read = accumulator.EventAccumulator(str(folder / "logs"), size_guidance={accumulator.SCALARS: 0})
        read.Reload()
        scalars = read.Scalars("train/loss")
        check([s.step for s in scalars] == list(range(1000)) and abs(scalars[9].value - 0.1) < 1e-7, "TensorBoard reads other scalars")
        histogram = read.Histograms("weights")[0]
        check(histogram.step == 4 and histogram.histogram_value.num == 5 and histogram.histogram_value.max == 3, "TensorBoard reads another histogram")
        image = read.Images("digit")[0]
        check((image.step, image.width, image.height) == (300, 5, 2) and image.encoded_image_string[1:4] == b"PNG", "TensorBoard reads another picture")
        note = read.Tensors("note/text_summary")[0]
        check(note.step == 7 and list(note.tensor_proto.string_val) == [b"plain words"], "TensorBoard reads another text")
        check((read.Scalars("timed")[0].wall_time, read.Scalars("timed")[0].value) == (1234.5, 0.5), "TensorBoard reads another time")
        bins = read.Histograms("bins")[0].histogram_value
        check((list(bins.bucket_limit), list(bins.bucket)) == ([-1, 0, 1, 2, 3], [0, 1, 3, 0, 2]), "TensorBoard reads other bins")
        batch = read.Images("batch")[0]
        check((batch.step, batch.width, batch.height) == (1, 15, 2), "TensorBoard reads another batch of pictures")
        run = lambda name: accumulator.EventAccumulator(str(folder / "logs" / name)).Reload()
        for name, value in (("train", 0.5), ("test", 0.75)):
            check([(s.step, s.value) for s in run("run_loss_" + name).Scalars("run/loss")] == [(3, value)], f"TensorBoard reads another line {name}")
        from tensorboard.plugins.hparams import metadata as hparams
        from tensorboard.plugins.pr_curve import metadata as curves
        from tensorboard.util import tensor_util
        curve, about = read.Tensors("curve")[0], read.SummaryMetadata("curve").plugin_data
        want = [[3, 3, 1, 1, 1], [2, 1, 1, 1, 0], [0, 1, 1, 1, 2], [0, 0, 2, 2, 2], [.6, .75, .5, .5, 1], [1, 1, 1 / 3, 1 / 3, 1 / 3]]
        check(curve.step == 6 and abs(tensor_util.make_ndarray(curve.tensor_proto) - want).max() < 1e-6, "TensorBoard reads another curve")
        check(about.plugin_name == curves.PLUGIN_NAME and curves.parse_plugin_metadata(about.content).num_thresholds == 5, "TensorBoard reads a curve as something else")
        one = run("one")
        content = {tag: one.SummaryMetadata(tag).plugin_data.content for tag in one.PluginTagToContent("hparams")}
        start = hparams.parse_session_start_info_plugin_data(content[hparams.SESSION_START_INFO_TAG]).hparams
        check((start["lr"].number_value, start["size"].number_value, start["optimizer"].string_value, start["nesterov"].bool_value, len(start)) == (0.1, 32, "adam", True, 4), "TensorBoard reads other hyperparameters")
        experiment = hparams.parse_experiment_plugin_data(content[hparams.EXPERIMENT_TAG])
        check([(h.name, h.type) for h in experiment.hparam_infos] == [("lr", 3), ("size", 3), ("optimizer", 1), ("nesterov", 2)] and [m.name.tag for m in experiment.metric_infos] == ["accuracy"], "TensorBoard reads another experiment")
        check(hparams.parse_session_end_info_plugin_data(content[hparams.SESSION_END_INFO_TAG]).status == 1 and [(s.step, s.value) for s in one.Scalars("accuracy")] == [(2, 0.75)], "TensorBoard reads another end of a run")
        import io, wave
        from google.protobuf import text_format
        from tensorboard.plugins.custom_scalar import layout_pb2
        from tensorboard.plugins.mesh import metadata as meshes
        from tensorboard.plugins.projector import projector_config_pb2
        sound = read.Audio("sound")[0]
        wav = wave.open(io.BytesIO(sound.encoded_audio_string))
        check((sound.step, sound.sample_rate, sound.length_frames, sound.content_type) == (8, 8000, 3, "audio/wav"), "TensorBoard reads another sound")
        check((wav.getnchannels(), wav.getsampwidth(), wav.getframerate(), wav.readframes(9)) == (1, 2, 8000, b"\0\0\xff\x3f\x01\x80"), "the sound is another WAV")
        for part, kind, shape, value in (("VERTEX", 1, [1, 4, 3], 1), ("FACE", 2, [1, 2, 3], 1), ("COLOR", 3, [1, 4, 3], 255)):
            mesh, about = read.Tensors("shape_" + part)[0], read.SummaryMetadata("shape_" + part).plugin_data
            about = (about.plugin_name, meshes.parse_plugin_metadata(about.content))
            array = tensor_util.make_ndarray(mesh.tensor_proto)
            check(mesh.step == 9 and list(array.shape) == shape and (array == value).all(), f"TensorBoard reads another mesh's {part}")
            check(about[0] == "mesh" and (about[1].name, about[1].content_type, list(about[1].shape), about[1].components) == ("shape", kind, shape, 14) and "Perspective" in about[1].json_config, f"TensorBoard reads a mesh's {part} as something else")
        projector = text_format.Parse((folder / "logs" / "projector_config.pbtxt").read_text(), projector_config_pb2.ProjectorConfig()).embeddings[0]
        files = [(folder / "logs" / path) for path in (projector.tensor_path, projector.metadata_path, projector.sprite.image_path)]
        check((projector.tensor_name, projector.tensor_path, list(projector.sprite.single_image_dim)) == ("words/all:00012", "00012/words%2fall/tensors.tsv", [5, 2]), "TensorBoard reads another projector")
        check(files[0].read_text() == "0.5\t1\n2\t-3.25\n0\t0.10000000149011612\n" and files[1].read_text() == 'name\tsize\ncat\t1\ndog\t2\nowl "\t3\n' and files[2].read_bytes()[1:4] == b"PNG", "TensorBoard reads another embedding")
        layout = layout_pb2.Layout.FromString(read.Tensors("custom_scalars__config__")[0].tensor_proto.string_val[0])
        both, band = layout.category[0].chart
        check((layout.category[0].title, both.title, list(both.multiline.tag)) == ("losses", "both", ["train/loss", "timed"]), "TensorBoard reads another chart")
        check((band.title, band.margin.series[0].value, band.margin.series[0].lower, band.margin.series[0].upper) == ("band", "a", "b", "c"), "TensorBoard reads another margin")
        check(read.SummaryMetadata("custom_scalars__config__").plugin_data.plugin_name == "custom_scalars", "TensorBoard reads charts as something else")
        nodes = {node.name: node for node in read.Graph().node}
        shape = [d.size for d in nodes["0/weight"].attr["_output_shapes"].list.shape[0].dim]
        check(nodes["0/weight"].op == "Parameter" and shape == [2, 3], "TensorBoard reads another parameter")
        check(all(i.split(":")[0] in nodes for node in nodes.values() for i in node.input) and any(node.op == "TanhBackward0" for node in nodes.values()), "TensorBoard reads another graph")

    if np := there("numpy", "numpy"):
        arrays = {}
        for dtype in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split():
            plain = (np.arange(24).reshape(4, 6) % (2 if dtype == "bool" else 100)).astype(dtype)
            for what, array in {"plain": plain, "columns": np.asfortranarray(plain), "strided": plain[::2, 1:], "none": plain[:0], "one": plain[1, 2],
                                "many": np.tile(plain, (50, 50))}.items():
                arrays[f"{dtype} {what}"] = array
        for save in (np.savez, np.savez_compressed):
            save(folder / "in.npz", **arrays)
            done = subprocess.run([program, "npz", folder / "in.npz", folder / "out.npz"], capture_output=True, text=True)
            if done.returncode != 0 and "compressed" in save.__name__:
                print("SKIPPED: the build has no zlib:", done.stderr.strip())
                continue
            check(done.returncode == 0, done.stderr)
            back = np.load(folder / "out.npz") if done.returncode == 0 else {}
            for name, array in arrays.items():
                same = name in back and back[name].dtype == array.dtype and back[name].shape == array.shape and np.array_equal(back[name], array)
                check(same, f"npz {name} came back otherwise")

    if torch := there("torch", "torch"):
        import struct
        codes = {"BOOL": "bool", "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64", "U8": "uint8", "U16": "uint16", "U32": "uint32", "U64": "uint64", "F16": "float16",
                 "BF16": "bfloat16", "F32": "float32", "F64": "float64", "C64": "complex64", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2"}
        tensors = {}
        for dtype in codes.values():
            base = (torch.arange(24) % 2 if dtype == "bool" else torch.arange(24)).reshape(4, 6).to(torch.float32).to(getattr(torch, dtype))
            for what, t in {"plain": base, "transposed": base.t(), "strided": base[::2, 1:], "none": base[:0], "expanded": base[:1].expand(3, 6)}.items():
                tensors[f"{dtype}.{what}"] = t
        torch.save(tensors, folder / "in.pt")
        done = subprocess.run([program, "torch", folder / "in.pt", folder / "out.safetensors"], capture_output=True, text=True)
        check(done.returncode == 0, done.stderr)
        raw = (folder / "out.safetensors").read_bytes() if done.returncode == 0 else struct.pack("<Q", 2) + b"{}"
        (size,) = struct.unpack("<Q", raw[:8])
        header = json.loads(raw[8:8 + size])
        for name, t in tensors.items():
            entry = header.get(name)
            if not entry:
                check(False, f"{name} of torch.save() is missing")
                continue
            begin, end = entry["data_offsets"]
            data = raw[8 + size + begin:8 + size + end]
            want = bytes(t.contiguous().reshape(-1).view(torch.uint8).tolist()) if t.numel() else b""
            check(codes.get(entry["dtype"]) == name.split(".")[0] and entry["shape"] == list(t.shape) and data == want, f"{name} of torch.save() came over otherwise")
        # What is written here, PyTorch reads without code: dtypes, strides, shared memory, marks and plain data.
        base, turns = torch.arange(12.0).reshape(3, 4), torch.tensor([1 - 2j, 3 + 4j])
        values = {"tensors": tensors, "half": torch.view_as_complex(torch.ones(2, 2, dtype=torch.float16)), "double": torch.ones(2, dtype=torch.complex128), "conj": turns.conj(), "neg": turns.clone().conj().imag,
                  "leaf": torch.ones(2, requires_grad=True), "views": [base, base[1:, 1:].t()], "scalar": torch.tensor(2.5), "plain": [1, -1, 255, 256, -2**31, 2**62, -2**63, 2.5,
                  float("inf"), None, True, False, "r\xe4t", (), (1,), (1, 2, 3, 4), {}, [], {"a": {3: (2,)}}, 1 + 2j], "empty": torch.empty(0, 3)}
        torch.save(values, folder / "all.pt")
        done = subprocess.run([program, "save", folder / "all.pt", folder / "back.pt"], capture_output=True, text=True)
        check(done.returncode == 0, done.stderr)
        for weights_only, mmap in ((True, False), (True, True), (False, False)) if done.returncode == 0 else ():
            back = torch.load(folder / "back.pt", weights_only=weights_only, mmap=mmap)
            check(list(back) == [*values, "bits"] and back["plain"] == values["plain"], "torch.load() reads other plain data")

            def same(a, b, name):
                alike = a.dtype == b.dtype and a.shape == b.shape and a.stride() == b.stride() and a.requires_grad == b.requires_grad and a.is_conj() == b.is_conj() and a.is_neg() == b.is_neg()
                bits = lambda t: torch.view_as_real(t.resolve_conj().resolve_neg()) if t.is_complex() else t.detach().resolve_neg()
                check(alike and torch.equal(bits(a).contiguous().view(torch.uint8) if a.dim() else bits(a), bits(b).contiguous().view(torch.uint8) if b.dim() else bits(b)), f"torch.load() reads another {name}")
            for name, t in tensors.items():
                same(back["tensors"][name], t, name)
            for name in ("half", "double", "conj", "neg", "leaf", "scalar", "empty"):
                same(back[name], values[name], name)
            for i, t in enumerate(values["views"]):
                same(back["views"][i], t, f"view {i}")
            same(back["bits"], base.view(torch.int32), "view of other dtype")
            back["views"][0][1, 1] = 2.0
            check(back["views"][1][0, 0] == 2 and back["bits"][1, 1] == 0x40000000, "views written here do not share memory")
count.finish()
