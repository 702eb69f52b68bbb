#!/usr/bin/env bash
# Makes the .deb of a build, unpacks it, and uses program and module from there:  deb_test.sh BUILD_FOLDER PYTHON [chroot]
# With `chroot` a minimal Debian is made by debootstrap, and apt installs the package into it; this needs root and a
# Debian mirror.
set -euo pipefail
build=$1
python=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# docs/python.md: cpack --config build/release/CPackConfig.cmake
cpack --config "$build/CPackConfig.cmake" -B "$folder/cpack" >cpack.log || { cat cpack.log; exit 1; }
package=$(echo "$folder"/cpack/bulwark_*.deb)
dpkg-deb --info "$package"
depends=$(dpkg-deb --field "$package" Depends)
for library in libtbb libmetis python3-numpy; do
  grep -q "$library" <<<"$depends" || { echo "the package does not depend on $library: $depends"; exit 1; }
done

cat >use.py <<'END'
import bulwark
simulation = bulwark.Simulation("multibody/quickstart")
with simulation.record("run"):
    print(bulwark.__file__, bulwark.scenes_folder(), simulation.step(3))
END

if [ "${3:-}" = chroot ]; then
  root=$folder/root
  mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
  debootstrap --variant=minbase bookworm "$root" "$mirror" >debootstrap.log 2>&1 || { tail debootstrap.log; exit 1; }
  cp "$package" "$root/tmp/bulwark.deb"
  cp use.py "$root/tmp"
  chroot "$root" sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /tmp/bulwark.deb' >apt.log 2>&1 || { tail apt.log; exit 1; }
  chroot "$root" sh -c 'cd /tmp && bulwark scenes | tail -2 && python3 use.py && bulwark check run'
  echo "deb: installed into a fresh Debian and used"
  exit
fi

dpkg -x "$package" root
scenes=$(root/usr/bin/bulwark scenes)
grep -q "in $folder/root/usr/share/bulwark/scenes" <<<"$scenes"
test -e root/usr/share/doc/bulwark/docs/python.md
PYTHONPATH=$folder/root/usr/lib/python3/dist-packages "$python" use.py | tee used
grep -q "$folder/root/usr/share/bulwark/scenes" used
root/usr/bin/bulwark check run
timeout 60 root/usr/bin/bulwark view run --html page.html
grep -qi "<html" page.html
echo "deb: unpacked and used"
