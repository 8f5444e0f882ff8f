// Runs before every page. Next 15 and earlier call this file middleware.js and the function `middleware`.
import { createGuard, forFetch } from '@seatwise/guard'
import { NextResponse } from 'next/server'

const { SEATWISE_URL, SEATWISE_ROOM, SEATWISE_GUARD_SECRET, SITE_URL } = process.env

const guarded = forFetch(
  createGuard({
    roomUrl: SEATWISE_URL,
    room: SEATWISE_ROOM,
    site: SITE_URL,
    failOpen: false, // while the room cannot be reached, no visitor without a session gets in
    secret: SEATWISE_GUARD_SECRET,
  }),
)

export function proxy(request, event) {
  return guarded(request, () => NextResponse.next(), event)
}

export const config = { matcher: ['/((?!_next/static|_next/image).*)'] }
