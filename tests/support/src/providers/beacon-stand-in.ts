import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bls12_381 } from '@noble/curves/bls12-381.js'

const DST = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'
/** A chain of its own: no verifier takes it for a published one. */
const CHAIN_HASH = 'ab'.repeat(32)
const GENESIS_SECONDS = 1_700_000_000

/** A beacon with a key of its own that publishes a round every second, in the form of drand. */
export class BeaconStandIn {
  readonly chain: {
    readonly hash: string
    readonly publicKey: string
    readonly genesisSeconds: number
    readonly periodSeconds: number
  }
  isPublishing = true
  readonly #key = bls12_381.utils.randomSecretKey()
  readonly #server: Server

  static async open(): Promise<BeaconStandIn> {
    const beacon = new BeaconStandIn()
    await new Promise<void>((resolve) => beacon.#server.listen(0, '127.0.0.1', resolve))
    return beacon
  }

  constructor() {
    const publicKey = bls12_381.shortSignatures.getPublicKey(this.#key).toHex()
    this.chain = { hash: CHAIN_HASH, publicKey, genesisSeconds: GENESIS_SECONDS, periodSeconds: 1 }
    this.#server = createServer((request, response) => {
      const round = Number(request.url?.split('/').at(-1))
      const isOut = this.isPublishing && (GENESIS_SECONDS + round - 1) * 1_000 <= Date.now()
      response.statusCode = isOut ? 200 : 404
      response.end(isOut ? JSON.stringify({ round, signature: this.sign(round) }) : '{}')
    })
  }

  /** For a server that draws by it. The first address never answers. */
  get settings(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo
    const { hash, publicKey, genesisSeconds, periodSeconds } = this.chain
    return {
      SEATWISE_DRAND_CHAIN: [hash, publicKey, genesisSeconds, periodSeconds].join(','),
      SEATWISE_DRAND_URLS: `http://127.0.0.1:1,http://127.0.0.1:${port}`,
    }
  }

  sign(round: number): string {
    const message = Buffer.alloc(8)
    message.writeBigUInt64BE(BigInt(round))
    const { shortSignatures } = bls12_381
    const digest = Uint8Array.from(createHash('sha256').update(message).digest())
    return shortSignatures.Signature.toHex(shortSignatures.sign(shortSignatures.hash(digest, DST), this.#key))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
