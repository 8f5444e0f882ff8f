/** Where visitors of a room without an event wait, and where they want to go afterwards. */
export function waitingPage(roomId: string, to: string | null): string {
  const page = `/rooms/${encodeURIComponent(roomId)}/wait`
  return to === null || to === '' ? page : `${page}?to=${encodeURIComponent(to)}`
}
