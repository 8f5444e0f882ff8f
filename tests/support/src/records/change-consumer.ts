import type { LogicalReplicationService, Pgoutput } from 'pg-logical-replication'
import { expectFields, shape } from '../expect-fields.ts'
import { waitUntil } from '../wait-until.ts'

/** A row of the outbox, as the publication sends it. */
export interface OutboxEvent {
  readonly id: string
  readonly aggregatetype: string
  readonly aggregateid: string
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  /** A bigint, which the driver reads as text. */
  readonly position: string
}

const OUTBOX_EVENT = {
  ...{ id: shape.text, aggregatetype: shape.text, aggregateid: shape.text, type: shape.text },
  ...{ payload: shape.record, position: shape.text },
}

export interface ConsumerOptions {
  readonly url: string
  readonly slot: string
  readonly publication: string
}

/** Not after every commit, as Debezium does not either: a consumer that dies gets the events since then again. */
const COMMITS_EACH = 4

/**
 * Consumes a slot over the streaming replication protocol with pgoutput, as Debezium does. What it received outlives it,
 * like a topic of Kafka: events that come again are received again.
 */
export class ChangeConsumer {
  readonly received: OutboxEvent[] = []
  /** Kinds of changes, such as `insert`. */
  readonly kinds = new Set<string>()
  readonly #options: ConsumerOptions
  #service: LogicalReplicationService | null = null
  #commits = 0
  #arrived: OutboxEvent[] = []

  constructor(options: ConsumerOptions) {
    this.#options = options
  }

  /** Each event once, in the order of its first arrival. */
  get events(): readonly OutboxEvent[] {
    return [...new Map(this.received.toReversed().map((event) => [event.id, event])).values()].toReversed()
  }

  /** Also after the database was away, or while it still holds the slot for the connection before. */
  async start(): Promise<void> {
    await waitUntil('the slot can be consumed', () => this.#subscribe())
  }

  /** Without acknowledging what it received last, as a process that is killed. */
  async kill(): Promise<void> {
    await this.#service?.destroy()
    this.#service = null
    this.#arrived = []
  }

  async #subscribe(): Promise<boolean> {
    // Loaded here, because every test imports this package and one needs it.
    const { LogicalReplicationService, PgoutputPlugin } = await import('pg-logical-replication')
    const { url, slot, publication } = this.#options
    const service = new LogicalReplicationService(
      { connectionString: url },
      { acknowledge: { auto: false, timeoutSeconds: 0 } },
    )
    const { promise: started, resolve, reject } = Promise.withResolvers<boolean>()
    service.on('start', () => resolve(true))
    service.on('error', reject)
    service.on('data', (_lsn: string, message: Pgoutput.Message) => this.#receive(service, message))
    const plugin = new PgoutputPlugin({ protoVersion: 1, publicationNames: [publication] })
    // Resolves when the stream ends; then `start` is called again by the test that ended it.
    service.subscribe(plugin, slot).catch(reject)
    try {
      await started
    } catch (error) {
      await service.destroy()
      throw error
    }
    this.#service = service
    return true
  }

  /** A transaction counts once it is whole: a commit comes after its changes. */
  #receive(service: LogicalReplicationService, message: Pgoutput.Message): void {
    if (message.tag === 'begin' || message.tag === 'relation') return
    if (message.tag !== 'commit') {
      this.kinds.add(message.tag)
      if (message.tag === 'insert') this.#arrived.push(expectFields(message.new, OUTBOX_EVENT))
      return
    }
    this.received.push(...this.#arrived.splice(0))
    this.#commits += 1
    if (this.#commits % COMMITS_EACH === 0 && message.commitEndLsn !== null) {
      void service.acknowledge(message.commitEndLsn)
    }
  }
}
