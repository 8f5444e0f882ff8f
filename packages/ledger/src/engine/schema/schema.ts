import type { EndReason, ReservationState, RoomSettings, TicketState } from '@seatwise/domain'
import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'
import type { EndedIdentitiesTable, LastingKeysTable, SigningKeysTable, UsersTable } from './schema-accounts.ts'
import type { Json, Nullable, NullableTime, StampedTime, Time } from './schema-columns.ts'
import type { HandoverCodesTable, SaleSessionsTable } from './schema-handovers.ts'

/** The tables as `migrations/` makes them, for the compiler. A test compares the two. */
export interface Schema {
  schema_migrations: SchemaMigrationsTable
  users: UsersTable
  ended_identities: EndedIdentitiesTable
  lasting_keys: LastingKeysTable
  events: EventsTable
  seat_types: SeatTypesTable
  seats: SeatsTable
  seat_maps: SeatMapsTable
  seat_changes: SeatChangesTable
  rooms: RoomsTable
  room_log: RoomLogTable
  room_epochs: RoomEpochsTable
  connectors: ConnectorsTable
  brands: BrandsTable
  queue_entries: QueueEntriesTable
  handover_codes: HandoverCodesTable
  sale_sessions: SaleSessionsTable
  reservations: ReservationsTable
  reservation_items: ReservationItemsTable
  purchases: PurchasesTable
  operations: OperationsTable
  etickets: EticketsTable
  outbox: OutboxTable
  webhooks: WebhooksTable
  deliveries: DeliveriesTable
  signing_keys: SigningKeysTable
  sandbox_payments: SandboxPaymentsTable
  sandbox_webhooks: SandboxWebhooksTable
  operator_actions: OperatorActionsTable
  rehearsals: RehearsalsTable
  adoptions: AdoptionsTable
}

export type SeatStatus = 'available' | 'held' | 'sold' | 'blocked'
export type PurchaseStatus = 'PROCESSING' | 'PAID' | 'DECLINED' | 'REFUNDING' | 'REFUNDED' | 'STUCK'

interface SchemaMigrationsTable {
  version: number
  name: string
  checksum: string
  applied_at: StampedTime
}

interface EventsTable {
  id: string
  organizer_id: Nullable<string>
  name: string
  code: Nullable<string>
  description: Generated<string>
  location: Generated<string>
  time_zone: Generated<string>
  starts_at: NullableTime
  ends_at: NullableTime
  sales_start_at: Time
  sales_end_at: Time
  /** Of every seat type. */
  currency: Generated<string>
  additional_info: ColumnType<
    Record<string, unknown>,
    Record<string, unknown> | string | undefined,
    Record<string, unknown> | string
  >
  created_at: StampedTime
  updated_at: StampedTime
  name_folded: GeneratedAlways<string>
  code_folded: GeneratedAlways<string | null>
  place_folded: GeneratedAlways<string>
  near_folded: GeneratedAlways<string>
  name_words: GeneratedAlways<string>
  words: GeneratedAlways<string>
  happens_at: GeneratedAlways<Date>
  over_at: GeneratedAlways<Date>
  listed_at: GeneratedAlways<Date>
}

interface SeatTypesTable {
  id: string
  event_id: string
  position: number
  name: string
  description: Generated<string>
  price: number
  currency: string
  reserved_seating: boolean
  layout: Nullable<unknown>
}

interface SeatsTable {
  id: Generated<string>
  event_id: string
  seat_type_id: string
  ordinal: number
  row_label: Nullable<string>
  seat_number: Nullable<number>
  x: Nullable<number>
  y: Nullable<number>
  accessible: Generated<boolean>
  status: Generated<SeatStatus>
  reservation_id: Nullable<string>
  held_until: NullableTime
  retired: Generated<boolean>
}

interface SeatMapsTable {
  event_id: string
  version: Generated<number>
  available: number
  held: number
  sold: number
  blocked: number
  free_from: ColumnType<Record<string, number>, Record<string, number> | string | undefined, string>
}

interface SeatChangesTable {
  event_id: string
  version: number
  at: Time
  changes: Nullable<[seatId: string, status: SeatStatus][]>
}

interface ConnectorsTable {
  room_id: string
  kind: 'known-user-v3'
  customer_id: string
  event_id: string
  sealed_secret: string
  sealed_with: string
  created_at: StampedTime
}

interface RoomsTable {
  id: string
  event_id: Nullable<string>
  owner_id: Nullable<string>
  name: string
  target: Nullable<string>
  settings: Json<RoomSettings>
  paused: Generated<boolean>
  message: Nullable<string>
  epoch: Generated<number>
  seq: Generated<number>
  chain: Generated<string>
  archived_at: NullableTime
  created_at: StampedTime
  updated_at: StampedTime
}

interface BrandsTable {
  room_id: string
  colour: Nullable<string>
  logo: Nullable<string>
  text: Nullable<string>
  updated_at: StampedTime
}

interface RoomLogTable {
  room_id: string
  epoch: number
  seq: number
  at: Time
  operation: string
  kind: string
  body: Json<Record<string, unknown>>
  hash: string
  copied_at: Generated<Date | null>
}

interface RoomEpochsTable {
  room_id: string
  epoch: number
  reason: string
  began_at: StampedTime
  first_number: number
  mark: Nullable<number>
}

interface QueueEntriesTable {
  room_id: string
  number: number
  identity: string
  user_id: Nullable<string>
  guest_id: Nullable<string>
  class: Generated<number>
  place: number
  state: TicketState
  reason: Nullable<EndReason>
  away: Generated<boolean>
  generation: Generated<number>
  epoch: number
  fence: Nullable<number>
  extended: Generated<boolean>
  reserved_seats: Generated<number>
  code: Nullable<string>
  limit_key: Nullable<string>
  shown: Nullable<{ name: string; avatar: string | null }>
  joined_at: Time
  admitted_at: NullableTime
  entered_at: NullableTime
  deadline: NullableTime
  session_end: NullableTime
  ended_at: NullableTime
  name: Nullable<string>
  avatar: Nullable<string>
  address: Nullable<string>
  user_agent: Nullable<string>
  metadata: Nullable<Record<string, unknown>>
}

interface ReservationsTable {
  id: string
  event_id: string
  buyer_id: string
  status: ReservationState
  amount: number
  currency: string
  expires_at: Time
  paid_at: NullableTime
  room_id: Nullable<string>
  ticket_number: Nullable<number>
  fence: Nullable<number>
  extended: Generated<boolean>
  adopted_from: Nullable<string>
  created_at: StampedTime
  updated_at: StampedTime
}

interface ReservationItemsTable {
  reservation_id: string
  seat_id: string
  seat_type_id: string
  price: number
  /** Follows the reservation by itself; written once, with the item. */
  reservation_status: ColumnType<ReservationState, ReservationState, never>
  sold: GeneratedAlways<boolean>
}

interface PurchasesTable {
  id: string
  reservation_id: string
  provider: string
  provider_ref: Nullable<string>
  status: PurchaseStatus
  amount: number
  currency: string
  captured: Generated<number>
  refunded: Generated<number>
  actor_id: Nullable<string>
  operation_key: Nullable<string>
  reason: Nullable<string>
  asked_at: NullableTime
  created_at: StampedTime
  updated_at: StampedTime
}

interface OperationsTable {
  actor_id: string
  key: string
  fingerprint: string
  status_code: Nullable<number>
  answer: Nullable<Record<string, unknown>>
  created_at: StampedTime
}

interface EticketsTable {
  id: Generated<string>
  reservation_id: string
  seat_id: string
  event_id: string
  /** Follows the reservation by itself. */
  reservation_status: ColumnType<'PAID' | 'REFUNDED', 'PAID' | undefined, never>
  issued_at: StampedTime
  checked_in_at: NullableTime
  checked_in_by: Nullable<string>
}

interface OutboxTable {
  id: Generated<string>
  aggregatetype: string
  aggregateid: string
  type: string
  payload: Json<Record<string, unknown>>
  position: GeneratedAlways<number>
  created_at: StampedTime
  handed_at: NullableTime
}

interface WebhooksTable {
  id: string
  owner_id: string
  url: string
  types: Generated<string[]>
  sealed_secret: string
  sealed_with: string
  failures: Generated<number>
  rests_until: StampedTime
  created_at: StampedTime
}

interface DeliveriesTable {
  id: Generated<string>
  position: number
  kind: 'mail' | 'webhook'
  webhook_id: Nullable<string>
  aggregateid: string
  attempts: Generated<number>
  due_at: StampedTime
  delivered_at: NullableTime
  given_up_at: NullableTime
  problem: Nullable<string>
}

interface SandboxPaymentsTable {
  ref: string
  purchase_id: string
  amount: number
  currency: string
  return_url: string
  method: Nullable<string>
  status: Generated<'created' | 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'canceled'>
  concludes_at: NullableTime
  concludes_as: Nullable<'succeeded' | 'failed'>
  mischief: Generated<string[]>
  captured: Generated<number>
  refunded: Generated<number>
  created_at: StampedTime
}

interface SandboxWebhooksTable {
  id: Generated<string>
  ref: string
  type: string
  due_at: Time
  attempts: Generated<number>
}

interface OperatorActionsTable {
  id: GeneratedAlways<number>
  at: StampedTime
  actor_id: string
  event_id: Nullable<string>
  room_id: Nullable<string>
  kind: string
  subject: Nullable<string>
  before: ColumnType<Record<string, unknown>, string | undefined, string>
  after: ColumnType<Record<string, unknown>, string | undefined, string>
  undoes: Nullable<number>
}

interface RehearsalsTable {
  id: GeneratedAlways<number>
  event_id: string
  at: StampedTime
  by_id: string
  verdict: 'passed' | 'failed'
  report: Json<Record<string, unknown>>
}

interface AdoptionsTable {
  guest_id: string
  user_id: string
  identity: string
  canceled: Generated<string[]>
  adopted_at: StampedTime
  tried_at: NullableTime
  delivered_at: NullableTime
}

/** A row as it is read from a table or put into it: `Row<'seats'>`, `NewRow<'seats'>`. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>
