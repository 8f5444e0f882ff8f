import { onAnswers, open } from './http-socket.ts'

export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** A connection that is kept open, for a visitor who needs each answer before the next request. */
export interface Conversation {
  ask(request: Buffer): Promise<Answer>
  end(): void
}

export async function converse(url: URL): Promise<Conversation> {
  const socket = await open(url)
  let pieces: Buffer[] = []
  let asked: PromiseWithResolvers<Answer> | null = null
  const fail = (error: Error): void => asked?.reject(error)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error(`${url.origin} closed a connection`)))
  onAnswers(
    socket,
    (status, readHead) => {
      const body = Buffer.concat(pieces).toString()
      pieces = []
      asked?.resolve({ status, head: readHead(), body })
    },
    (piece) => pieces.push(Buffer.from(piece)),
  )
  return {
    async ask(request) {
      asked = Promise.withResolvers()
      socket.write(request)
      return await asked.promise
    },
    end: () => socket.removeListener('error', fail).destroy(),
  }
}

/** Holds this many conversations at once, each with one visitor after the other, until `next` returns null. */
export async function converseAll<Someone>(
  url: URL,
  connections: number,
  next: () => Someone | null,
  talk: (conversation: Conversation, someone: Someone) => Promise<void>,
): Promise<void> {
  const conversations = await Promise.all(Array.from({ length: connections }, () => converse(url)))
  try {
    await Promise.all(
      conversations.map(async (conversation) => {
        for (let someone = next(); someone !== null; someone = next()) await talk(conversation, someone)
      }),
    )
  } finally {
    for (const conversation of conversations) conversation.end()
  }
}
