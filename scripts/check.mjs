// `npm run check`: installs what is missing, then runs every static check.
import './require-node.mjs'

import('./commands/check.mjs').then(({ check }) => check()).catch(crash)

function crash(error) {
  console.error(error)
  process.exit(1)
}
