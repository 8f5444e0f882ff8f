/**
 * The name of a ticket towards people and other systems: the room's first characters, so that two rooms' tickets are
 * never mixed up in a support mail, and the number. It proves nothing; the ticket token does.
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
