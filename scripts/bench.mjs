// `npm run bench`: installs what is missing, then measures everything and prints each bar beside its figure.
import './require-node.mjs'

import('./commands/bench.mjs').then(({ bench }) => bench(process.argv.slice(2))).catch(crash)

function crash(error) {
  console.error(error)
  process.exit(1)
}
