#!/bin/sh
# Installs the Debian packages named as arguments, as root, without starting the services in them:
# the tests start private servers and want the programs only.
set -eu
export DEBIAN_FRONTEND=noninteractive

policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' HUP INT TERM
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi

apt-get --quiet update
apt-get --quiet install --yes --no-install-recommends "$@"
