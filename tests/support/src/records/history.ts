import {
  type Check,
  type ClientRecord,
  checkRecords,
  type FaultRecord,
  type HistoryRecord,
  type Report,
} from '@seatwise/checker'

type Asked = Partial<
  Pick<ClientRecord, 'read' | 'operation' | 'room' | 'event' | 'ticket' | 'fence' | 'isProtected' | 'identity'>
>
type Told = Partial<Omit<ClientRecord, 'record' | 'client' | 'call' | 'phase' | 'monotonicMs' | 'action'>>

/** One call that was begun; exactly one of these ends it. */
export interface OpenCall {
  ok(told?: Told): void
  /** Surely not applied. */
  fail(told?: Told): void
  /** The outcome is unknown. */
  info(told?: Told): void
}

/** Writes down what clients asked and were told, and what was broken, by one monotonic clock. */
export class History {
  readonly records: HistoryRecord[] = []
  #calls = 0

  begin(client: string, action: string, asked: Asked = {}): OpenCall {
    this.#calls += 1
    const head = { record: 'client', client, call: String(this.#calls), action, ...asked } as const
    const write = (phase: ClientRecord['phase'], told: Told = {}): void => {
      this.records.push({ ...head, ...told, phase, monotonicMs: performance.now() })
    }
    write('invoke')
    return {
      ok: (told) => write('ok', told),
      fail: (told) => write('fail', told),
      info: (told) => write('info', told),
    }
  }

  /** The room's clock is this machine's, as far as a test can know. */
  fault(fault: string, target: string, phase: FaultRecord['phase'] = 'point'): void {
    this.records.push({ record: 'fault', monotonicMs: performance.now(), atMs: Date.now(), phase, fault, target })
  }

  gauge(source: string, gauge: string, value: number, bound: number): void {
    this.records.push({ record: 'gauge', monotonicMs: performance.now(), source, gauge, value, bound })
  }

  /** Judges what the clients were told together with the log. */
  async check(log: AsyncIterable<HistoryRecord> | Iterable<HistoryRecord>, checks?: readonly Check[]): Promise<Report> {
    return await checkRecords(this.#with(log), checks)
  }

  async *#with(log: AsyncIterable<HistoryRecord> | Iterable<HistoryRecord>): AsyncGenerator<HistoryRecord> {
    yield* log
    yield* this.records
  }
}
