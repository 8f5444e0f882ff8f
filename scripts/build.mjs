// `npm run build`: makes what is published, each package as a folder and as a tarball in dist/.
import './require-node.mjs'

import('./commands/build.mjs').then(({ build }) => build(process.argv.slice(2))).catch(crash)

function crash(error) {
  console.error(error)
  process.exit(1)
}
