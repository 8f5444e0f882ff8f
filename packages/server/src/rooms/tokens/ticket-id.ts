/**
 * The public id of a ticket: the first characters of the room, so that tickets of two rooms are not confused in a
 * support mail, and the number. It proves nothing; the ticket token does.
 */
export function ticketId(room: string, number: number): string {
  return `tkt_${room.slice(0, 8)}${number.toString(36)}`
}

/** The number of a ticket of this room, or null. */
export function ticketNumber(room: string, id: string): number | null {
  const match = /^tkt_([0-9a-f]{8})([0-9a-z]{1,10})$/.exec(id)
  if (match === null || match[1] !== room.slice(0, 8)) return null
  const number = Number.parseInt(match[2] ?? '', 36)
  return Number.isSafeInteger(number) && number > 0 ? number : null
}
