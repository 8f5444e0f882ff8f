import { throughAbly } from '@seatwise/client'
import { BaseRealtime, FetchRequest, WebSocketTransport } from 'ably/modular'

/** The parts of Ably's SDK that listening needs: the whole would be twice as large. No page shows who is present by name. */
class Realtime extends BaseRealtime {
  constructor(options: object) {
    super({ ...options, plugins: { WebSocketTransport, FetchRequest } })
  }
}

export const listen = throughAbly(async () => ({ Realtime }))
