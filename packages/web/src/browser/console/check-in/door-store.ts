import type { SignedDoorPage } from '@seatwise/domain'

const NAME = 'seatwise-door'
const LISTS = 'lists'
const SCANS = 'scans'

/** The list of an event as this device got it, with the keys that verify it. */
export interface KeptList {
  readonly eventId: string
  readonly keys: readonly PublicKey[]
  readonly pages: readonly SignedDoorPage[]
  readonly keptAt: number
}

export interface PublicKey {
  readonly kid: string
  readonly x: string
}

/** A holder whom this device let in without asking. */
export interface KeptScan {
  readonly id: string
  readonly eventId: string
  readonly door: string
  readonly eticketId: string
  readonly generation: number
  readonly at: string
  readonly isSent: boolean
}

/** What the device keeps over a lost connection, a reload and a flat battery. */
export interface DoorStore {
  readList(eventId: string): Promise<KeptList | null>
  writeList(list: KeptList): Promise<void>
  scansOf(eventId: string): Promise<KeptScan[]>
  writeScan(scan: KeptScan): Promise<void>
  forget(eventId: string): Promise<void>
  /** Takes lists away that are older, with their scans; not those with scans that the server does not have. */
  forgetBefore(keptAt: number): Promise<void>
}

export async function openDoorStore(): Promise<DoorStore> {
  const opening = indexedDB.open(NAME, 1)
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(LISTS, { keyPath: 'eventId' })
    opening.result.createObjectStore(SCANS, { keyPath: 'id' }).createIndex('eventId', 'eventId')
  }
  const database = await answerOf(opening)
  const write = async (store: string, value: object): Promise<void> => {
    const transaction = database.transaction(store, 'readwrite', { durability: 'strict' })
    transaction.objectStore(store).put(value)
    await endOf(transaction)
  }
  const scansOf = (eventId: string): Promise<KeptScan[]> =>
    answerOf(database.transaction(SCANS).objectStore(SCANS).index('eventId').getAll(eventId))
  const forget = async (eventId: string): Promise<void> => {
    const scans = await scansOf(eventId)
    const transaction = database.transaction([LISTS, SCANS], 'readwrite')
    transaction.objectStore(LISTS).delete(eventId)
    for (const { id } of scans) transaction.objectStore(SCANS).delete(id)
    await endOf(transaction)
  }
  return {
    async readList(eventId) {
      const found: KeptList | undefined = await answerOf(database.transaction(LISTS).objectStore(LISTS).get(eventId))
      return found ?? null
    },
    writeList: (list) => write(LISTS, list),
    scansOf,
    writeScan: (scan) => write(SCANS, scan),
    forget,
    async forgetBefore(keptAt) {
      const lists: KeptList[] = await answerOf(database.transaction(LISTS).objectStore(LISTS).getAll())
      for (const { eventId } of lists.filter((list) => list.keptAt < keptAt)) {
        const scans = await scansOf(eventId)
        if (scans.every(({ isSent }) => isSent)) await forget(eventId)
      }
    },
  }
}

function answerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
}
