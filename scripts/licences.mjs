// `npm run licences`: lists the licence of every package in package-lock.json, and fails for one that we have not accepted.
import './require-node.mjs'

import('./commands/licences.mjs').then(({ licences }) => licences()).catch(crash)

function crash(error) {
  console.error(error)
  process.exit(1)
}
