// `npm run docs`: makes the documentation site in site/dist; `-- --serve` also serves it on this machine.
import './require-node.mjs'

import('./commands/docs.mjs').then(({ docs }) => docs(process.argv.slice(2))).catch(crash)

function crash(error) {
  console.error(error)
  process.exit(1)
}
