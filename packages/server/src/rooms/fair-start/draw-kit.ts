import { hash, randomBytes } from 'node:crypto'
import { draws, type Ledger } from '@seatwise/ledger'
import { type Beacon, PUBLIC_BEACON } from '../../config/index.ts'
import { deriveKeys, seal, unseal } from '../../identity/index.ts'

const SECRET_BYTES = 32

/** What draws need: a beacon, and secrets, made before the first ticket, and encrypted in the ledger until the line is sealed. */
export interface DrawKit {
  /** The public beacon of draws with `drand`. */
  readonly beacon: Beacon
  /** Makes and stores a new secret; returns its commitment. */
  make(roomId: string): Promise<string>
  /** The commitment of a secret that was made and never announced, or of a new one. */
  makeOnce(roomId: string): Promise<string>
  /** Seals a secret with the newest of the server's secrets, so that the operator can remove an older one. */
  sealAgain(draw: draws.NewDraw): Promise<void>
  open(roomId: string, draw: Pick<draws.DrawRow, 'commitment' | 'sealedSecret' | 'sealedWith'>): Buffer
}

export function createDrawKit(
  secrets: readonly Buffer[],
  ledger: Pick<Ledger, 'db'>,
  beacon: Beacon = PUBLIC_BEACON,
): DrawKit {
  const keys = deriveKeys(secrets, 'draw-secret')
  const [current] = keys
  async function make(roomId: string): Promise<string> {
    const secret = randomBytes(SECRET_BYTES)
    const commitment = hash('sha256', secret, 'hex')
    const sealed: draws.NewDraw = {
      roomId,
      commitment,
      sealedSecret: seal(current, roomId, secret),
      sealedWith: current.id,
    }
    await draws.keepDraw(ledger.db, sealed)
    return commitment
  }
  return {
    beacon,
    make,
    async makeOnce(roomId) {
      return (await draws.readUnannounced(ledger.db, roomId))?.commitment ?? (await make(roomId))
    },
    async sealAgain(draw) {
      const { roomId } = draw
      const sealedSecret = seal(current, roomId, open(roomId, draw))
      await draws.sealDrawAgain(ledger.db, draw, { sealedSecret, sealedWith: current.id })
    },
    open,
  }

  function open(
    roomId: string,
    { commitment, sealedSecret, sealedWith }: Pick<draws.DrawRow, 'commitment' | 'sealedSecret' | 'sealedWith'>,
  ): Buffer {
    const key = keys.find(({ id }) => id === sealedWith)
    if (key === undefined) throw new Error('The secret of this draw was sealed with a SEATWISE_SECRET that is gone')
    const secret = unseal(key, roomId, sealedSecret)
    if (hash('sha256', secret, 'hex') !== commitment)
      throw new Error('The secret of this draw is not the committed one')
    return secret
  }
}
