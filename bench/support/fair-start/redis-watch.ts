import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { redisCommand } from '@seatwise/testbench'

const SLOW_MICROS = 1_000
const SLOW_KEPT = 4_096
const MEMORY_EVERY_MS = 500
const PAUSE_MS = 1

/** Asks a Redis and a server all the time, and remembers the longest answer. */
export class RedisWatch {
  readonly #port: number
  readonly #socket: Socket
  #isOn = true
  #stallMs = 0
  #serverStallMs = 0
  #bytes: number[] = []
  #asking: Promise<unknown> = Promise.resolve()

  constructor(port: number, socket: Socket) {
    this.#port = port
    this.#socket = socket
  }

  static async begin(port: number, url: URL): Promise<RedisWatch> {
    await redisCommand(port, 'CONFIG', 'SET', 'slowlog-log-slower-than', String(SLOW_MICROS))
    await redisCommand(port, 'CONFIG', 'SET', 'slowlog-max-len', String(SLOW_KEPT))
    await redisCommand(port, 'SLOWLOG', 'RESET')
    const socket = connect({ host: '127.0.0.1', port })
    const watch = new RedisWatch(port, socket)
    watch.#asking = Promise.all([watch.#ping(), watch.#askServer(url), watch.#weigh()])
    return watch
  }

  async #ping(): Promise<void> {
    while (this.#isOn) {
      const askedAt = performance.now()
      const answered = new Promise((resolve) => this.#socket.once('data', resolve))
      this.#socket.write('PING\r\n')
      await answered
      this.#stallMs = Math.max(this.#stallMs, performance.now() - askedAt)
      await delay(PAUSE_MS)
    }
  }

  async #askServer(url: URL): Promise<void> {
    while (this.#isOn) {
      const askedAt = performance.now()
      await (await fetch(url)).arrayBuffer()
      this.#serverStallMs = Math.max(this.#serverStallMs, performance.now() - askedAt)
      await delay(PAUSE_MS)
    }
  }

  async #weigh(): Promise<void> {
    while (this.#isOn) {
      const text = String(await redisCommand(this.#port, 'INFO', 'memory'))
      this.#bytes.push(Number(/^used_memory:(\d+)/m.exec(text)?.[1]))
      await delay(MEMORY_EVERY_MS)
    }
  }

  async end() {
    this.#isOn = false
    await this.#asking
    this.#socket.destroy()
    const slow = (await redisCommand(this.#port, 'SLOWLOG', 'GET', String(SLOW_KEPT))) as [number, number, number][]
    const [longest] = slow.toSorted(([, , one], [, , other]) => other - one)
    console.log(`the longest command of Redis: ${JSON.stringify(longest)?.slice(0, 200) ?? 'none'}`)
    return {
      redisCommandMs: Math.max(0, ...slow.map(([, , micros]) => micros)) / 1_000,
      redisStallMs: this.#stallMs,
      serverStallMs: this.#serverStallMs,
      redisMegabytes: (this.#bytes[0] ?? 0) / 2 ** 20,
      redisPeakMegabytes: Math.max(...this.#bytes) / 2 ** 20,
    }
  }
}
