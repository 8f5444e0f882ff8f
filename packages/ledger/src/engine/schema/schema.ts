import type { EventState, ReservationState } from '@seatwise/domain'
import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'
import type {
  AdoptionsTable,
  EndedIdentitiesTable,
  ErasuresTable,
  LastingKeysTable,
  OutsideIdentitiesTable,
  PasskeysTable,
  RecoveryCodesTable,
  SessionsTable,
  SignInChallengesTable,
  SignInCodesTable,
  SignInTriesTable,
  SigningKeysTable,
  UsersTable,
} from './schema-accounts.ts'
import type { AddresseesTable } from './schema-addressees.ts'
import type {
  EticketsTable,
  MailLinksTable,
  OffersTable,
  ReturnRequestsTable,
  TransfersTable,
} from './schema-after-sale.ts'
import type { OrderAnswersTable, TicketAnswersTable } from './schema-answers.ts'
import type { CodesTable } from './schema-codes.ts'
import type { Json, Nullable, NullableTime, StampedTime, Time } from './schema-columns.ts'
import type { ConnectorsTable } from './schema-connectors.ts'
import type { DoorPayoutsTable, DoorSalesTable, DoorScansTable, TicketResendsTable } from './schema-door.ts'
import type { FairnessReportsTable, RoomDrawsTable } from './schema-draws.ts'
import type { HandoverCodesTable, SaleSessionsTable } from './schema-handovers.ts'
import type { EventImagesTable, OrganizationLogosTable } from './schema-images.ts'
import type { JoinRefusalsTable, JoinVerdictsTable, RoomInvitationsTable } from './schema-joining.ts'
import type { SchemaMigrationsTable } from './schema-migrations.ts'
import type { ApiKeysTable, InvitationsTable, MembersTable } from './schema-organizations.ts'
import type {
  BuyerMailsTable,
  DeliveriesTable,
  OutboxTable,
  TicketNewsTable,
  TurnMailsTable,
  WebhooksTable,
} from './schema-outbox.ts'
import type { OrganizationsTable, ProviderChargesTable, PurchasesTable, ReceiptsTable } from './schema-payments.ts'
import type { CancellationsTable, CancelledOrdersTable, RefundsTable, SandboxRefundsTable } from './schema-refunds.ts'
import type { BrandsTable, QueueEntriesTable, RoomEpochsTable, RoomLogTable, RoomsTable } from './schema-rooms.ts'
import type { LogHeadsTable, LogNodesTable } from './schema-tree.ts'

/** The tables as `migrations/` makes them, for the compiler. A test compares the two. */
export interface Schema {
  schema_migrations: SchemaMigrationsTable
  users: UsersTable
  erasures: ErasuresTable
  ended_identities: EndedIdentitiesTable
  sessions: SessionsTable
  sign_in_codes: SignInCodesTable
  sign_in_tries: SignInTriesTable
  passkeys: PasskeysTable
  recovery_codes: RecoveryCodesTable
  outside_identities: OutsideIdentitiesTable
  sign_in_challenges: SignInChallengesTable
  lasting_keys: LastingKeysTable
  organizations: OrganizationsTable
  organization_logos: OrganizationLogosTable
  events: EventsTable
  event_images: EventImagesTable
  seat_types: SeatTypesTable
  codes: CodesTable
  seats: SeatsTable
  seat_maps: SeatMapsTable
  seat_changes: SeatChangesTable
  rooms: RoomsTable
  room_log: RoomLogTable
  room_epochs: RoomEpochsTable
  log_nodes: LogNodesTable
  log_heads: LogHeadsTable
  connectors: ConnectorsTable
  room_draws: RoomDrawsTable
  fairness_reports: FairnessReportsTable
  brands: BrandsTable
  queue_entries: QueueEntriesTable
  join_refusals: JoinRefusalsTable
  join_verdicts: JoinVerdictsTable
  room_invitations: RoomInvitationsTable
  handover_codes: HandoverCodesTable
  sale_sessions: SaleSessionsTable
  reservations: ReservationsTable
  reservation_items: ReservationItemsTable
  addressees: AddresseesTable
  order_answers: OrderAnswersTable
  ticket_answers: TicketAnswersTable
  purchases: PurchasesTable
  receipts: ReceiptsTable
  door_sales: DoorSalesTable
  door_payouts: DoorPayoutsTable
  ticket_resends: TicketResendsTable
  provider_charges: ProviderChargesTable
  refunds: RefundsTable
  cancellations: CancellationsTable
  cancelled_orders: CancelledOrdersTable
  operations: OperationsTable
  etickets: EticketsTable
  door_scans: DoorScansTable
  transfers: TransfersTable
  return_requests: ReturnRequestsTable
  offers: OffersTable
  mail_links: MailLinksTable
  outbox: OutboxTable
  webhooks: WebhooksTable
  deliveries: DeliveriesTable
  buyer_mails: BuyerMailsTable
  ticket_news: TicketNewsTable
  turn_mails: TurnMailsTable
  signing_keys: SigningKeysTable
  sandbox_payments: SandboxPaymentsTable
  sandbox_webhooks: SandboxWebhooksTable
  sandbox_refunds: SandboxRefundsTable
  operator_actions: OperatorActionsTable
  rehearsals: RehearsalsTable
  adoptions: AdoptionsTable
  members: MembersTable
  invitations: InvitationsTable
  api_keys: ApiKeysTable
}

export type SeatStatus = 'available' | 'held' | 'sold' | 'blocked'

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
  doors_at: NullableTime
  age_min: Nullable<number>
  presale_start_at: NullableTime
  sales_start_at: Time
  sales_end_at: Time
  /** Of every seat type. */
  currency: Generated<string>
  tax_rate: Generated<number>
  fees: Generated<unknown>
  after: Generated<unknown>
  shapes: Generated<unknown>
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
  organization_id: Generated<string>
  state: Generated<EventState>
  cancelled_at: NullableTime
  refunds_until: NullableTime
  checkout: Generated<unknown>
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
  area: Nullable<unknown>
  variants: Generated<unknown>
  hidden: Generated<boolean>
}

interface SeatsTable {
  id: Generated<string>
  event_id: string
  seat_type_id: string
  ordinal: number
  row_label: Nullable<string>
  seat_number: Nullable<number>
  along: Nullable<number>
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
  offered: Generated<number>
  free_from: ColumnType<Record<string, number>, Record<string, number> | string | undefined, string>
}

interface SeatChangesTable {
  event_id: string
  version: number
  at: Time
  changes: Nullable<[seatId: string, status: SeatStatus][]>
}

interface ReservationsTable {
  id: string
  event_id: string
  buyer_id: string
  status: ReservationState
  amount: number
  lines: Generated<unknown>
  tax: Generated<number>
  currency: string
  expires_at: Time
  paid_at: NullableTime
  room_id: Nullable<string>
  ticket_number: Nullable<number>
  fence: Nullable<number>
  extended: Generated<boolean>
  adopted_from: Nullable<string>
  code_id: Nullable<string>
  created_at: StampedTime
  updated_at: StampedTime
}

interface ReservationItemsTable {
  reservation_id: string
  seat_id: string
  seat_type_id: string
  price: number
  variant_id: Nullable<string>
  discount: Generated<number>
  fees: Generated<number>
  /** Follows the reservation by itself; written once, with the item. */
  reservation_status: ColumnType<ReservationState, ReservationState, never>
  refund_id: Nullable<string>
  returned: Generated<boolean>
  sold: GeneratedAlways<boolean>
}

interface OperationsTable {
  actor_id: string
  key: string
  fingerprint: string
  status_code: Nullable<number>
  answer: Nullable<Record<string, unknown>>
  created_at: StampedTime
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

/** A row as it is read from a table or put into it: `Row<'seats'>`, `NewRow<'seats'>`. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>
