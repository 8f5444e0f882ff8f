/** Ends the command with one sentence for the person in front of it. */
export function giveUp(sentence) {
  console.error(sentence)
  process.exit(1)
}
