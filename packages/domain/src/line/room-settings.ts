/** The settings of a waiting room. All may be changed while a sale runs. */
export interface RoomSettings {
  /** Most tickets on the floor at once. */
  capacity: number
  /** Refill of the admission bucket. */
  ratePerMinute: number
  /** Size of the admission bucket: most tickets admitted at one instant. */
  burst: number
  /** How long an admitted ticket has to enter; 0 makes it active at once. */
  claimSeconds: number
  sessionSeconds: number
  reservationSeconds: number
  /** A waiting ticket that was not seen for so long is away: it keeps its place and does not count. */
  heartbeatTimeoutSeconds: number
  /** How long an away ticket may still come back after admission has passed its place. */
  graceSeconds: number
  /** How long a ticket may be away in any case. */
  awaySeconds: number
  maxWaiting: number
  maxSeatsPerBuyer: number
  priorityMode: 'skip' | 'lanes'
  reserveOnAdmit: boolean
  stockAware: boolean
  /** Joining without an access token makes a guest. */
  guests: boolean
  /** Most live guest tickets of one address; 0 sets no limit. */
  guestsPerAddress: number
  /** Who may join: every visitor, accounts that proved their address, or visitors with an invitation. */
  entry: 'anyone' | 'verified' | 'invited'
  /** Most live guest tickets of one device, which a signed cookie tells; 0 sets no limit. */
  guestsPerDevice: number
  /** Whether drawing a ticket costs a proof of work: never, when joins come faster than usual, or always. */
  challenge: 'off' | 'auto' | 'always'
  keepLineWhenSoldOut: boolean
  presence: boolean
  /** From then on joining is possible before the sale opens; ISO 8601 in UTC. Fixed from the first ticket on. */
  preQueueAt: string | null
  /** How those who wait at the start are put into an order. Fixed from the first ticket on. */
  draw: DrawMode
  /** Most visitors who stand together as one ticket; 1 allows no groups. */
  groupMax: number
}

/** `none`: in the order in which they came. `commit` and `drand`: by a public draw, see docs/fair-start.md. */
export type DrawMode = 'none' | 'commit' | 'drand'

export const ROOM_DEFAULTS: Readonly<RoomSettings> = Object.freeze({
  capacity: 100,
  ratePerMinute: 600,
  burst: 50,
  claimSeconds: 60,
  sessionSeconds: 300,
  reservationSeconds: 300,
  heartbeatTimeoutSeconds: 90,
  graceSeconds: 120,
  awaySeconds: 3_600,
  maxWaiting: 1_000_000,
  maxSeatsPerBuyer: 6,
  priorityMode: 'skip',
  reserveOnAdmit: false,
  stockAware: true,
  guests: true,
  // Households, offices and the gateways of mobile networks share an address; a limit of a few would turn them away.
  guestsPerAddress: 100,
  entry: 'anyone',
  guestsPerDevice: 1,
  challenge: 'auto',
  keepLineWhenSoldOut: false,
  presence: false,
  preQueueAt: null,
  draw: 'none',
  groupMax: 6,
})

/** The range of each number in the settings; values outside are refused, never clamped. */
export const ROOM_LIMITS = {
  capacity: { min: 1, max: 1_000_000 },
  ratePerMinute: { min: 1, max: 1_000_000 },
  burst: { min: 1, max: 1_000_000 },
  claimSeconds: { min: 0, max: 3_600 },
  sessionSeconds: { min: 1, max: 86_400 },
  reservationSeconds: { min: 1, max: 86_400 },
  heartbeatTimeoutSeconds: { min: 1, max: 3_600 },
  graceSeconds: { min: 0, max: 3_600 },
  awaySeconds: { min: 1, max: 86_400 },
  maxWaiting: { min: 1, max: 10_000_000 },
  maxSeatsPerBuyer: { min: 1, max: 100 },
  guestsPerAddress: { min: 0, max: 100_000 },
  guestsPerDevice: { min: 0, max: 1_000 },
  groupMax: { min: 1, max: 20 },
} as const
