import type { DrawNote } from '../../fair-start.ts'

/** The announcement of a draw as a line of the log. */
export function drawLine(note: DrawNote): string {
  return `draw\t${JSON.stringify(note)}`
}
