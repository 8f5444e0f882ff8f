import { randomBytes } from 'node:crypto'
import { type Connector, type Ledger, sealConnectorAgain } from '@seatwise/ledger'
import { deriveKeys, seal, unseal } from '../../identity/index.ts'

/** As long as the keys that the format's author issues. */
const SECRET_BYTES = 36

/** Keys shared with sites, sealed in the ledger: useless to a thief who reads only the ledger. */
export interface ConnectorSecrets {
  make(): string
  seal(roomId: string, secretKey: string): Pick<Connector, 'sealedSecret' | 'sealedWith'>
  open(connector: Connector): Promise<string>
}

export function createConnectorSecrets(secrets: readonly Buffer[], ledger: Ledger): ConnectorSecrets {
  const keys = deriveKeys(secrets, 'connector-secret')
  const [current] = keys
  const sealFor = (roomId: string, secretKey: string) => ({
    sealedSecret: seal(current, roomId, Buffer.from(secretKey)),
    sealedWith: current.id,
  })
  return {
    make: () => randomBytes(SECRET_BYTES).toString('hex'),
    seal: sealFor,
    async open(connector) {
      const key = keys.find(({ id }) => id === connector.sealedWith)
      if (key === undefined) throw new Error('The key of this connector was sealed with a SEATWISE_SECRET that is gone')
      const secretKey = unseal(key, connector.roomId, connector.sealedSecret).toString()
      // Seals it with the newest secret, so that the operator can remove an older one from the settings.
      if (key !== current) await sealConnectorAgain(ledger.db, connector, sealFor(connector.roomId, secretKey))
      return secretKey
    },
  }
}
