"""The program of test_package, found by Meson's dependency() and pkg-config: `conan test packaging/conan/test_package_meson tenon/VERSION`."""
import os
import shutil

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.layout import basic_layout
from conan.tools.meson import Meson


class TestPackageMeson(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "PkgConfigDeps", "MesonToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        basic_layout(self)

    def build(self):
        shutil.copy(os.path.join(self.source_folder, os.pardir, "test_package", "main.cpp"), self.build_folder)
        meson = Meson(self)
        meson.configure()
        meson.build()

    def test(self):
        if can_run(self):
            self.run(os.path.join(self.cpp.build.bindir, "main"), env="conanrun")
