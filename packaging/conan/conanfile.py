"""Conan 2 recipe: `conan create packaging/conan`. From the sources beside it, by Meson."""
import os
import shutil

from conan import ConanFile
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps
from conan.tools.layout import basic_layout
from conan.tools.meson import Meson, MesonToolchain

required_conan_version = ">=2.0"
# The build files name a few of the tools' tests.
FOLDERS = ("include", "core", "kernels_cpu", "kernels_cuda", "runtime", "packaging", "tools", "tests/tools")
FILES = ("meson.build", "meson_options.txt", "LICENSE")


class TenonConan(ConanFile):
    name = "tenon"
    version = "0.1.0"
    license = "BSL-1.0"
    description = "Tensors, operators, a multi-key dispatcher and autograd for C++20"
    topics = ("tensor", "autograd", "machine-learning", "header-only")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"kernels": [True, False], "blas": [True, False], "lapack": [True, False], "cuda": [True, False]}
    default_options = {"kernels": True, "blas": False, "lapack": False, "cuda": False}
    options_description = {"kernels": "the compiled CPU kernels; without them the headers alone", "blas": "OpenBLAS of the system for large products and linear algebra", "lapack": "LAPACK of the system for linear algebra",
                           "cuda": "the compiled CUDA component; needs nvcc of CUDA 12 or later, in PATH or /usr/local/cuda"}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, os.pardir, os.pardir)
        for folder in FOLDERS:
            copy(self, "*", os.path.join(root, folder), os.path.join(self.export_sources_folder, folder), excludes=("*/test_package*/build/*", "*/__pycache__/*"))
        for name in FILES:
            shutil.copy(os.path.join(root, name), self.export_sources_folder)

    def configure(self):
        if not self.options.kernels:
            self.package_type = "header-library"
            self.options.rm_safe("blas")
            self.options.rm_safe("lapack")
            self.options.rm_safe("cuda")

    def layout(self):
        basic_layout(self)

    def requirements(self):
        self.requires("boost/[>=1.74]", transitive_headers=True, options={"header_only": True})
        self.requires("xsimd/[>=8.1]", transitive_headers=True)

    def package_id(self):
        if not self.info.options.kernels:
            self.info.clear()

    def build_requirements(self):
        if self.options.kernels:
            self.tool_requires("meson/[>=1.0.1]")

    def generate(self):
        if not self.options.kernels:
            return
        PkgConfigDeps(self).generate()
        tool = MesonToolchain(self)
        tool.project_options.update({"tests": "disabled", "examples": "disabled", "shared": "disabled", "wrap_mode": "nofallback"})
        for option, name in (("blas", "blas"), ("cblas", "blas"), ("lapack", "lapack"), ("cuda", "cuda")):
            tool.project_options[option] = "enabled" if self.options.get_safe(name) else "disabled"
        tool.generate()

    def build(self):
        if self.options.kernels:
            meson = Meson(self)
            meson.configure()
            meson.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        if self.options.kernels:
            Meson(self).install()
        else:
            copy(self, "*.hpp", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "tenon")
        headers = self.cpp_info.components["headers"]
        headers.set_property("cmake_target_name", "tenon::headers")
        headers.set_property("pkg_config_name", "tenon-headers")
        # What a profile takes from the system ([platform_requires]) has no components.
        there = {dependency.ref.name for dependency in self.dependencies.host.values()}
        headers.requires = [part for part in ("boost::headers", "xsimd::xsimd") if part.split("::")[0] in there]
        headers.bindirs, headers.libdirs = [], []
        if self.settings.get_safe("os") == "Linux":
            headers.system_libs = ["pthread"]
        whole = self.cpp_info.components["tenon"]
        whole.set_property("cmake_target_name", "tenon::tenon")
        whole.set_property("pkg_config_name", "tenon")
        whole.requires = ["headers"]
        if self.options.kernels:
            # The whole archive: nothing refers to a registrar, so the linker would drop it.
            folder = os.path.join(self.package_folder, "lib")
            path = next((os.path.join(f, "libtenon_kernels_cpu.a") for f, _, names in os.walk(folder) if "libtenon_kernels_cpu.a" in names), None)
            flag = f"-Wl,--whole-archive,{path},--no-whole-archive"
            # pkg-config's file has the flags of executables and those of shared libraries: twice would be two registries.
            whole.exelinkflags = [flag]
            whole.system_libs = [name for name, on in (("openblas", self.options.get_safe("blas")), ("lapack", self.options.get_safe("lapack") and not self.options.get_safe("blas"))) if on]
        if self.options.get_safe("cuda"):
            device = self.cpp_info.components["cuda"]
            device.set_property("cmake_target_name", "tenon::cuda")
            device.set_property("pkg_config_name", "tenon-cuda")
            device.requires = ["tenon"]
            flag = f"-Wl,--whole-archive,{path.replace('kernels_cpu', 'kernels_cuda')},--no-whole-archive"
            device.exelinkflags = [flag]
            # The vendor's libraries that the build found stand in the file of pkg-config.
            listed = next(os.path.join(f, "tenon-cuda.pc") for f, _, names in os.walk(folder) if "tenon-cuda.pc" in names)
            with open(listed) as file:
                words = file.read().split()
            device.system_libs = ["cudart_static", *(name for name in ("cublasLt", "cudnn", "cufft") if f"-l{name}" in words), "dl", "rt"]
