// Imported first by every script. It imports nothing and uses old syntax only, so that an old Node reaches the sentence.
const NODE_MAJOR_MIN = 20

const version = process.versions.node
if (Number(version.split('.')[0]) < NODE_MAJOR_MIN) {
  console.error(`Seatwise needs Node ${NODE_MAJOR_MIN} or later to set itself up; this is Node ${version}.`)
  process.exit(1)
}
