import { readFileSync } from 'node:fs'
import { SeatwiseError } from '@seatwise/domain'
import type { Config } from '../config/index.ts'

/** The share of the descriptors the system allows; the rest is for requests, stores and files. */
const DESCRIPTORS_SHARE = 0.8

/** Limits the connections, of one sender and in total. */
export class ConnectionLimits {
  readonly max: number
  readonly #perSenderMax: number
  readonly #bySender = new Map<string, number>()
  #open = 0

  constructor({ socketsMax, socketsPerAddress, rateLimits, workers }: Config, descriptors = readDescriptorLimit()) {
    // Connections are handed to the workers in turn, so each takes its share. Descriptors are each process's own.
    this.max = Math.min(Math.ceil(socketsMax / workers), Math.floor(descriptors * DESCRIPTORS_SHARE))
    this.#perSenderMax = rateLimits ? Math.ceil(socketsPerAddress / workers) : Number.POSITIVE_INFINITY
  }

  get open(): number {
    return this.#open
  }

  get senders(): number {
    return this.#bySender.size
  }

  /** Takes a slot, to be returned with `release`. A client that gets none can still poll. */
  take(sender: string): void {
    if (this.#open >= this.max) throw new SeatwiseError('OVERLOADED', { retryAfterSeconds: 30 })
    const count = this.#bySender.get(sender) ?? 0
    if (count >= this.#perSenderMax) {
      const message = 'There are too many push connections from your address; polling works as well'
      throw new SeatwiseError('TOO_MANY_REQUESTS', { message, retryAfterSeconds: 60 })
    }
    this.#bySender.set(sender, count + 1)
    this.#open += 1
  }

  release(sender: string): void {
    const count = this.#bySender.get(sender) ?? 0
    if (count === 0) return
    if (count === 1) this.#bySender.delete(sender)
    else this.#bySender.set(sender, count - 1)
    this.#open -= 1
  }
}

/** How many files and sockets this process may have open; infinite where the system does not say. */
function readDescriptorLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
