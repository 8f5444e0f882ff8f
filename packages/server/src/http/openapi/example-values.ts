const EVENT = '0193a7c2-5f1e-4b60-9d2c-6a5f0c7e4b11'
const ROOM = '0193a7c2-61aa-4c02-8e57-90b1de34f201'
const SEAT = '0193a7c3-02bd-4f7a-b1d5-2c6e8a9f0d12'
const SEAT_TYPE = '0193a7c2-7d44-4a19-a3f0-5e1c9b8d7a63'
const ORGANIZATION = '0193a7b0-1e0f-4d8b-9c2a-7f6e5d4c3b2a'
const ACCOUNT = '0193a7b8-4c3d-4e1f-8a9b-0c1d2e3f4a5b'
const RESERVATION = '0193a7c9-8e21-4b3c-9d0e-1f2a3b4c5d6e'
const PURCHASE = '0193a7ca-0f1e-4d2c-8b3a-4c5d6e7f8091'
const ETICKET = '0193a7ca-1a2b-4c3d-9e4f-5a6b7c8d9e0f'
const HASH = '6f1ed002ab5595859014ebf0951522d9cdb0f4c1b1c2d3a4958f0e7d6c5b4a39'
const TICKET = 'tkt_2Y7wq5d8Rk'

/**
 * What examples show under a name; `outer.name` is for where the name stands inside of `outer`, which may be a field or
 * a word of the address. Secrets are cut short, so that no scanner takes them for real ones.
 */
const WORDS: Readonly<Record<string, unknown>> = {
  // Ids.
  ...{ id: EVENT, eventId: EVENT, roomId: ROOM, 'rooms.id': ROOM, room: ROOM, seatId: SEAT, 'seats.id': SEAT },
  ...{ seatIds: [SEAT], seatTypeId: SEAT_TYPE, 'seatTypes.id': SEAT_TYPE, seatTypeIds: [SEAT_TYPE] },
  ...{ organizationId: ORGANIZATION, 'organizations.id': ORGANIZATION, 'organizer.id': ORGANIZATION },
  ...{ userId: ACCOUNT, 'users.id': ACCOUNT, 'user.id': ACCOUNT, sellerId: ACCOUNT, organizerId: ACCOUNT },
  ...{ actorId: ACCOUNT, ownerId: ACCOUNT, customerId: 'museum' },
  ...{ reservationId: RESERVATION, 'reservations.id': RESERVATION, 'reservation.id': RESERVATION },
  ...{ purchaseId: PURCHASE, 'purchases.id': PURCHASE, operationId: 'pay-0193a7ca', key: 'pay-0193a7ca' },
  ...{ eticketId: ETICKET, 'etickets.id': ETICKET, 'eticket.id': ETICKET },
  ...{ ticketId: TICKET, codeId: EVENT, keyId: EVENT, invitationId: EVENT, webhookId: EVENT, verdict: EVENT },
  ...{ variantId: 'child', 'variants.id': 'child', questionId: 'meal', 'questions.id': 'meal', newsId: '4711' },

  // Names and texts.
  ...{ name: 'Ada Lovelace', 'events.name': 'Aurora Live', 'search.name': 'Aurora Live', 'event.name': 'Aurora Live' },
  ...{ 'rooms.name': 'Summer drop', 'organizations.name': 'Small Stage', 'organizer.name': 'Small Stage' },
  ...{ 'keys.name': 'Till at the door', 'members.name': 'Grace Hopper', 'passkeys.name': 'My phone' },
  ...{ 'seatTypes.name': 'Stalls', 'variants.name': 'Child', 'fees.name': 'Booking', 'lines.name': 'Stalls · Child' },
  ...{ 'seller.name': 'Small Stage', 'buyer.name': 'Ada Lovelace', 'join.name': 'Ada', 'neighbors.name': 'Ada' },
  ...{ 'reservations.name': 'Ada Lovelace', 'etickets.name': 'Aurora Live', 'user.name': 'Ada Lovelace' },
  ...{ organizationName: 'Small Stage', sellerName: 'Grace Hopper', holder: 'Ada Lovelace', actorName: 'Grace Hopper' },
  ...{ description: 'An evening of northern lights.', 'seatTypes.description': 'Close to the stage' },
  ...{ location: 'Hà Nội', event: 'Aurora Live', 'seat.type': 'Stalls', type: 'ticket.joined', section: 'Left' },
  ...{ label: 'A', 'questions.label': 'What would you like to eat?', choices: ['Vegetarian', 'Vegan'] },
  ...{ 'terms.label': 'House rules', answer: 'Vegan', words: 'Tell me about other events', 'row.label': 'A', row: 'A' },
  ...{ message: 'Doors open a little later tonight.', text: 'Have your ticket ready.', alt: 'Dancers on a dark stage' },
  ...{ about: 'A small stage by the lake.', reason: 'no_show', 'eta.reason': 'paused', detail: 'The guard answered.' },
  ...{ problem: 'The receiver answered 500', limitedBy: 'capacity', q: 'ha noi', search: 'Lovelace' },
  ...{ device: 'Firefox · Linux', locale: 'en', language: 'en', types: ['reservation.created'], note: 'Small Stage' },

  // Places and addresses.
  ...{ url: 'https://shop.example/', target: 'https://shop.example/', website: 'https://small-stage.example/' },
  ...{
    'image.url': '/images/0193a7c2.webp',
    'logo.url': '/images/0193a7b0.webp',
    logo: 'https://shop.example/logo.png',
  },
  ...{ 'webhooks.url': 'https://shop.example/hooks/seatwise', 'terms.url': 'https://shop.example/rules' },
  ...{ termsUrl: 'https://shop.example/rules', avatar: 'https://shop.example/ada.png', slug: 'small-stage' },
  ...{ email: 'ada@example.com', address: '1 Lake Road, 8000 Zürich', taxNumber: 'CHE-123.456.789', colour: '#0b6e4f' },
  ...{ timeZone: 'Asia/Ho_Chi_Minh', country: 'CH' },

  // Times, in an order that makes sense.
  ...{ salesStartAt: '2026-11-15T10:00:00.000Z', salesEndAt: '2026-12-18T10:00:00.000Z' },
  ...{ presaleStartAt: '2026-11-14T10:00:00.000Z', preQueueAt: '2026-11-15T09:30:00.000Z' },
  ...{ doorsAt: '2026-12-18T11:00:00.000Z', startsAt: '2026-12-18T12:00:00.000Z', endsAt: '2026-12-18T15:00:00.000Z' },
  ...{ at: '2026-11-15T10:04:00.000Z', expiresAt: '2026-11-15T10:05:00.000Z', validUntil: '2026-12-18T10:00:00.000Z' },
  ...{ 'keys.expiresAt': '2027-01-01T00:00:00.000Z', checkedInAt: '2026-12-18T11:20:00.000Z' },
  ...{ acceptedAt: '2026-11-15T10:03:00.000Z', day: '2026-12-18', from: '2026-12-01', to: '2026-12-31' },
  ...{ until: '2026-11-15T10:30:00.000Z' },

  // Money and numbers.
  ...{
    currency: 'EUR',
    price: 9_000,
    unitPrice: 9_000,
    paid: 9_300,
    amount: 9_300,
    tax: 1_485,
    taxRate: 19,
    gross: 9_300,
  },
  ...{ 'variants.price': 4_500, perTicket: 150, percent: 10, amountOff: 500, quantity: 2, captured: 9_300 },
  ...{ totalSeats: 500, remainingSeats: 420, remaining: 420, totalQuantity: 500, number: 7, 'rows.seats': 20 },
  ...{ capacity: 100, ratePerMinute: 600, burst: 50, maxWaiting: 1_000_000, maxSeatsPerBuyer: 6, groupMax: 6 },
  ...{ claimSeconds: 60, sessionSeconds: 300, reservationSeconds: 300, heartbeatTimeoutSeconds: 90, graceSeconds: 120 },
  ...{ awaySeconds: 3_600, guestsPerAddress: 100, 'seatTypes.rows': [{ label: 'A', seats: 20, accessible: [1, 2] }] },
  ...{ position: 6, rank: 5, place: 1_042, queueLength: 6, estimatedWaitSeconds: 30, p50: 30, p90: 55 },
  ...{ pollAfterMs: 5_000, expiresIn: 43_200, limit: 20, count: 10, 'admit.count': 10, version: 18, width: 1_200 },
  ...{ height: 630, focusX: 50, focusY: 70, maxnumber: 100_000, class: 2, status: 'PENDING_PAYMENT' },
  ...{ 'queue.status': 'waiting', 'reservation.status': 'PENDING_PAYMENT', 'extend.status': 'active', spots: [[0, 0]] },
  ...{ 'deliveries.status': 500, kind: 'seat', role: 'manager', 'me.role': 'buyer', 'user.role': 'buyer', ageMin: 16 },
  ...{
    'terminate.status': 'expired',
    'invitations.status': 'SENT',
    'webhooks.status': 200,
    'purchases.status': 'PAID',
  },

  // Codes and secrets.
  ...{ code: 'SPRING', 'events.code': 'AURORA', 'reservations.code': 'SPRING', 'link.code': '48201735' },
  ...{ 'redeem.code': '48201735', 'confirm.code': '48201735', 'recovery.code': 'k7m2-9xq4-wn3v' },
  ...{
    'handover.code': 'K7M29XQ4',
    'accept.code': 'K7M29XQ4',
    'etickets.code': 'SW1.7Qm2…',
    'checkin.code': 'SW1.7Qm2…',
  },
  ...{ shortCode: 'H4KQ72MN', priorityCode: 'P2-K7M2-9XQ4…', invitation: 'K7M29XQ4WN3V', codes: ['K7M29XQ4WN3V'] },
  ...{
    group: 'K7M29XQ4',
    password: 'nine green bottles',
    secret: 'whsec_7Qm2…',
    secretKey: 'a-secret-of-the-other-vendor',
  },
  ...{
    accessToken: 'eyJhbGciOiJIUzI1NiJ9…',
    ticketToken: 'eyJ0aWNrZXQ…',
    activeToken: 'eyJwYXNz…',
    token: 'q8Zt4mXn2Kc…',
  },
  ...{ 'seatwise-guest': 'eyJhbGciOiJIUzI1NiJ9…', 'seatwise-ticket': 'eyJ0aWNrZXQ…', 'seatwise-pass': 'eyJwYXNz…' },
  ...{
    'idempotency-key': 'reserve-0193a7c9',
    proof: 'eyJhbGdvcml0aG0iOiJTSEEtMjU2IiwiY2hhbGxlbmdlIjoi…',
    ending: 'x4Rk',
  },
  ...{
    stripeAccount: 'acct_1Oa2b3C4d5',
    provider: 'sandbox',
    providerRef: 'pi_3Oa2b3C4d5',
    paymentMethod: 'sandbox_ok',
  },

  // The log and its proofs.
  ...{ root: HASH, hash: HASH, hashes: [HASH], commitment: HASH, seed: HASH, randomness: HASH, chain: HASH },
  ...{ challenge: HASH, signature: HASH, salt: '3f9c1d2e4b5a60718293a4b5?expires=1794736800&room=0193a7c2&' },
  ...{ 'beacon.signature': `${HASH}${HASH.slice(0, 32)}`, 'sse.channels': `event:${EVENT}:public` },
  ...{ 'draw.secret': HASH, 'beacon.secret': HASH, kid: 'k-2026-11', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
  ...{ entry: '{"epoch":1,"seq":42,"at":1794736800000,"kind":"joined","number":41,"class":0}', index: 41, size: 4_096 },
  ...{
    checkpoint: 'shop.example/rooms/0193a7c2\n4096\nbx7QAqtVlYWQFOvwlRUi2c2w9MGxwtOklY8Ofd1rSjk=\n',
    epoch: 1,
    seq: 42,
  },
  ...{ after: '41', nextAfter: '61', since: '1-42', cursor: '0193a7c2', nextCursor: '0193a7c2', without: 'moves' },
  ...{ channels: ['event:0193a7c2-5f1e-4b60-9d2c-6a5f0c7e4b11:public'], channel: `event:${EVENT}:public` },
}

export const VALUES: ReadonlyMap<string, unknown> = new Map(Object.entries(WORDS))
