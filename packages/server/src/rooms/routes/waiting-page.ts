/** The page where visitors of a room without an event wait, with the address they want to visit afterwards. */
export function waitingPage(roomId: string, to: string | null): string {
  const page = `/rooms/${encodeURIComponent(roomId)}/wait`
  return to === null || to === '' ? page : `${page}?to=${encodeURIComponent(to)}`
}
