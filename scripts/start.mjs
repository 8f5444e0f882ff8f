// `npm start`: installs what is missing, then serves. Arguments after `--` go to `seatwise serve`.
import './require-node.mjs'

import('./commands/start.mjs').then(({ start }) => start(process.argv.slice(2))).catch(crash)

function crash(error) {
  console.error(error)
  process.exit(1)
}
