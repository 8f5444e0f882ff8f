/** Every error that leaves the server. `docs/errors.md` explains each; a test compares the two. */
export const ERRORS = {
  BAD_REQUEST: { status: 400, message: 'The request is not valid' },
  MALFORMED_JSON: { status: 400, message: 'The body is not valid JSON' },
  SALES_NOT_STARTED: { status: 400, message: 'Sales have not started yet' },
  SALES_ENDED: { status: 400, message: 'Sales have ended' },
  WEAK_PASSWORD: { status: 400, message: 'This password is too easy to guess' },
  BAD_CODE: { status: 400, message: 'This code is not valid for this room' },
  BAD_ETICKET: { status: 400, message: 'This is not an e-ticket of ours' },
  KEY_REQUIRED: { status: 400, message: 'Send an Idempotency-Key: 1 to 200 visible characters of your own choice' },
  RESERVATION_EXPIRED: { status: 400, message: 'Reservation has expired' },
  EMAIL_NEEDED: { status: 400, message: 'Say first which email address the e-tickets go to' },
  ANSWERS_NEEDED: { status: 400, message: 'Answer first what the organiser asks' },
  TERMS_NEEDED: { status: 400, message: 'Accept the terms first' },
  UNAUTHORIZED: { status: 401, message: 'Sign in first' },
  BAD_CREDENTIALS: { status: 401, message: 'Email or password is wrong' },
  CODE_WRONG: { status: 401, message: 'This code is wrong, was used before, or is too old' },
  BAD_TICKET: { status: 401, message: 'This is not a valid ticket' },
  BAD_SIGNATURE: { status: 401, message: 'The signature does not match' },
  TICKET_MOVED: { status: 401, message: 'Your place was moved to another device' },
  PAYMENT_DECLINED: { status: 402, message: 'The payment was declined' },
  FORBIDDEN: { status: 403, message: 'You may not do this' },
  FRESH_SIGN_IN_NEEDED: { status: 403, message: 'Confirm first that it is you: sign in again' },
  STRONG_SIGN_IN_NEEDED: { status: 403, message: 'Your rights need a sign-in with a passkey' },
  FOREIGN_TICKET: { status: 403, message: 'This ticket belongs to another room' },
  FOREIGN_ORIGIN: { status: 403, message: 'Only pages of this site may do this' },
  GUESTS_NOT_ALLOWED: { status: 403, message: 'Sign in to join this line' },
  NOT_INVITED: { status: 403, message: 'This line is for invited visitors' },
  NOT_VERIFIED: { status: 403, message: 'This line is for accounts with a confirmed e-mail address' },
  CHALLENGE_REQUIRED: { status: 403, message: 'Solve the challenge first and send the proof' },
  CHALLENGE_FAILED: { status: 403, message: 'This proof does not count: ask for a new challenge' },
  NOT_ACTIVE: { status: 403, message: 'You must be in ACTIVE status to make a reservation' },
  NOT_ADMITTED: { status: 403, message: 'It is not your turn yet' },
  NOT_FOUND: { status: 404, message: 'There is nothing here' },
  CODE_UNKNOWN: { status: 404, message: 'This code is not valid' },
  NOT_CONFIGURED: { status: 404, message: 'This is not set up here' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not take that method' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
  EMAIL_TAKEN: { status: 409, message: 'An account with this email exists already' },
  ALREADY_EXTENDED: { status: 409, message: 'You were given more time once already' },
  ALREADY_REFUNDED: { status: 409, message: 'One of these seats was refunded already' },
  ALREADY_PAID: { status: 409, message: 'This reservation is paid already' },
  CONNECTOR_TAKEN: { status: 409, message: 'Another room goes by these names already' },
  CODE_USED: { status: 409, message: 'This code was used already' },
  CODE_EXISTS: { status: 409, message: 'This event has a code with this text already' },
  CODE_NOT_APPLICABLE: { status: 409, message: 'This code is not for these seats' },
  CODE_USED_UP: { status: 409, message: 'This code cannot be used any more' },
  IN_PROGRESS: { status: 409, message: 'The first call with this key is still running' },
  PRICES_LOCKED: { status: 409, message: 'Visitors wait or are inside: prices can fall, and not rise' },
  LINE_STARTED: { status: 409, message: 'The line has started: this cannot be changed any more' },
  LIMIT_REACHED: { status: 409, message: 'You cannot have so many seats of this event' },
  NO_TIME_LEFT: { status: 409, message: 'Your time to choose is over: pay for the seats that you have' },
  NOT_ENOUGH_LEFT: { status: 409, message: 'Fewer seats are free than you asked for' },
  NOT_SOLD_OUT: { status: 409, message: 'This event is not sold out: join the line' },
  NOT_PAID: { status: 409, message: 'Nothing was paid that could be given back' },
  OFFER_OVER: { status: 409, message: 'This offer has ended' },
  PAYMENT_DECIDED: { status: 409, message: 'This payment is decided already' },
  PAYMENT_UNDER_WAY: { status: 409, message: 'A payment for this reservation is under way' },
  PAUSED: { status: 409, message: 'The room is paused' },
  QUEUE_FULL: { status: 409, message: 'The line is full' },
  RESERVATION_ENDED: { status: 409, message: 'This reservation is over' },
  SEAT_TAKEN: { status: 409, message: 'One of those seats was just taken' },
  SLUG_TAKEN: { status: 409, message: 'Another organization has this address' },
  SOLD_OUT: { status: 409, message: 'Event is sold out' },
  TICKET_ENDED: { status: 409, message: 'This ticket is over' },
  CANNOT_UNDO: { status: 409, message: 'This cannot be taken back' },
  LAST_OWNER: { status: 409, message: 'There must be at least one owner; make another member an owner first' },
  TEAM_LIMIT: { status: 409, message: 'There are as many of these as there may be; remove one first' },
  INVITATION_OVER: { status: 410, message: 'This invitation was used, withdrawn or is too old' },
  LAST_ADMIN: { status: 409, message: 'There must be at least one admin; give the role to another account first' },
  SALE_CONFLICT: { status: 409, message: 'This change would break a running sale' },
  GROUP_FULL: { status: 409, message: 'This group has as many members as it may have' },
  GROUP_OVER: { status: 409, message: 'This group does not wait in this line any more' },
  GROUP_RESERVED: { status: 409, message: 'Another member of your group has seats already' },
  IN_GROUP: { status: 409, message: 'You stand with a group; leave it first' },
  DUPLICATE_DEVICE: { status: 409, message: 'This device already has a place in this line' },
  TOO_MANY_GUESTS: { status: 409, message: 'Too many guests from your network are in this line' },
  ALREADY_USED: { status: 409, message: 'A visitor was let in with this e-ticket before' },
  ETICKET_VOID: { status: 409, message: 'This e-ticket was refunded or transferred' },
  TRANSFER_OVER: { status: 409, message: 'This transfer was withdrawn or accepted before' },
  ETICKET_TRANSFERRED: { status: 409, message: 'This e-ticket was transferred: only the organiser refunds it' },
  REFUND_CHANGED: { status: 409, message: 'Another amount would go back now' },
  TRANSFERS_CLOSED: { status: 409, message: 'E-tickets of this event can no longer be transferred' },
  WRONG_EVENT: { status: 409, message: 'This e-ticket is for another event' },
  TOO_MANY_WEBHOOKS: { status: 409, message: 'You have as many webhooks as you may have; delete one first' },
  EVENT_CANCELLED: { status: 410, message: 'This event was cancelled' },
  ROOM_ARCHIVED: { status: 410, message: 'This room is closed for good' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the body as application/json' },
  KEY_REUSED: { status: 422, message: 'This Idempotency-Key was used for something else' },
  UPGRADE_REQUIRED: { status: 426, message: 'This address is for WebSockets' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests; try again later' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers are too large' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side' },
  OVERLOADED: { status: 503, message: 'The server is busy; try again in a moment' },
  DRAWING: { status: 503, message: 'The order of the line is being drawn; join again in a moment' },
  REBUILDING: { status: 503, message: 'The line is being restored; your place is safe' },
  UNAVAILABLE: { status: 503, message: 'A part of the service is not reachable; try again in a moment' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS

export interface SeatwiseErrorOptions extends ErrorOptions {
  /** Says more than the catalogue's sentence: what was expected, what came, what to do. */
  message?: string
  /** Further fields of the answer, such as `available` with NOT_ENOUGH_LEFT. */
  details?: Record<string, unknown>
  /** Seconds to wait before a retry; becomes the `Retry-After` header. */
  retryAfterSeconds?: number
}

/** An outcome a caller can act on. Anything else that is thrown is a bug. */
export class SeatwiseError extends Error {
  override readonly name = 'SeatwiseError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: Record<string, unknown>
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: SeatwiseErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = ERRORS[code].status
    this.details = options.details ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
