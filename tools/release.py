"""Writes the release: tenon-VERSION.tar.gz of what git knows, and tenon.wrap for Meson's subprojects, into a folder.
Usage: release.py FOLDER [URL]; `./dev release` calls it. URL: where the archive will lie; without one a project takes it from
its subprojects/packagefiles."""
import hashlib
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import gzip

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main(folder, url=None):
    if not shutil.which("git"):
        raise SystemExit("a release holds what git knows: install git")
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    version = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text()).group(1)
    name = f"tenon-{version}"
    names = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, text=True, check=True).stdout.split("\0")
    packed = io.BytesIO()
    # The same bytes from the same sources: no times, no owners.
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream, tarfile.open(fileobj=stream, mode="w") as archive:
        for path in sorted(n for n in names if n and (ROOT / n).is_file()):
            info = tarfile.TarInfo(f"{name}/{path}")
            data = (ROOT / path).read_bytes()
            info.size, info.mode = len(data), 0o755 if (ROOT / path).stat().st_mode & 0o100 else 0o644
            archive.addfile(info, io.BytesIO(data))
    archive = folder / f"{name}.tar.gz"
    archive.write_bytes(packed.getvalue())
    lines = ["[wrap-file]", f"directory = {name}"]
    if url:
        lines.append(f"source_url = {url}")
    lines += [f"source_filename = {archive.name}", f"source_hash = {hashlib.sha256(packed.getvalue()).hexdigest()}", "", "[provide]",
              "dependency_names = tenon, tenon-headers"]
    (folder / "tenon.wrap").write_text("\n".join(lines) + "\n")
    print(f"wrote {archive} and {folder / 'tenon.wrap'}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
