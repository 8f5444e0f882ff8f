/** Whole requests as text, as wrk sends them. */

export function joinRequest(url: URL, accessToken: string): string {
  return (
    `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${accessToken}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
  )
}

export function pollRequest(url: URL, ticketToken: string): string {
  return `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nSeatwise-Ticket: ${ticketToken}\r\n\r\n`
}
