import { type Answer, type Conversation, converse } from '../http/converse.ts'

/** Connections that a proxy in front of the server keeps open and shares between its visitors. */
export interface Lines extends AsyncDisposable {
  readonly url: string
  /** Waits for a free connection. */
  ask(request: Buffer): Promise<Answer>
}

export async function openLines(url: string, connections: number): Promise<Lines> {
  const all = await Promise.all(Array.from({ length: connections }, () => converse(new URL(url))))
  const free: Conversation[] = [...all]
  const waiting: ((line: Conversation) => void)[] = []
  const take = async (): Promise<Conversation> =>
    free.pop() ?? (await new Promise<Conversation>((resolve) => waiting.push(resolve)))
  const giveBack = (line: Conversation): void => {
    const next = waiting.shift()
    if (next === undefined) free.push(line)
    else next(line)
  }
  return {
    url,
    async ask(request) {
      const line = await take()
      try {
        return await line.ask(request)
      } finally {
        giveBack(line)
      }
    },
    async [Symbol.asyncDispose]() {
      for (const line of all) line.end()
    },
  }
}
