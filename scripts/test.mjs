// `npm test`: installs what is missing, also from the system's packages, then runs every test.
import './require-node.mjs'

import('./commands/test.mjs').then(({ test }) => test(process.argv.slice(2))).catch(crash)

function crash(error) {
  console.error(error)
  process.exit(1)
}
