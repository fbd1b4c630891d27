# An overlay port: vcpkg install tenon --overlay-ports=packaging/vcpkg/ports. The sources are the tree that it lies in.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

if("blas" IN_LIST FEATURES)
  set(blas enabled)
else()
  set(blas disabled)
endif()

vcpkg_configure_meson(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -Dtests=disabled -Dexamples=disabled -Dlapack=disabled -Dshared=disabled -Dblas=disabled "-Dcblas=${blas}"
)
vcpkg_install_meson()
vcpkg_fixup_pkgconfig()

# CMake's files find the tree by their own place, so they stay where Meson installs them.
set(VCPKG_POLICY_SKIP_MISPLACED_CMAKE_FILES_CHECK enabled)
set(VCPKG_POLICY_SKIP_LIB_CMAKE_MERGE_CHECK enabled)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
