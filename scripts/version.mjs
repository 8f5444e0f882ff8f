// `npm run version`: raises the version of everything as the changesets say, and puts their texts into CHANGELOG.md.
import './require-node.mjs'

import('./commands/version.mjs').then(({ version }) => version()).catch(crash)

function crash(error) {
  console.error(error)
  process.exit(1)
}
