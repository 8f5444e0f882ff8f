// Imported first by every script. It imports nothing and uses old syntax only, so that an old Node reaches the sentence.
var NODE_MAJOR_MIN = 20

var major = Number(process.versions.node.split('.')[0])
if (major < NODE_MAJOR_MIN) {
  console.error(
    'Seatwise needs Node ' + NODE_MAJOR_MIN + ' or later to set itself up; this is Node ' + process.versions.node + '.',
  )
  process.exit(1)
}
