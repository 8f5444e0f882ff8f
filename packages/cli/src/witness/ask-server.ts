/** A server that does not answer must not keep a job of cron for ever. */
const ANSWER_MS_MAX = 30_000

/** GETs JSON below a server. */
export function askServer(url: URL): (path: string) => Promise<unknown> {
  return async (path) => {
    const address = new URL(path, url)
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    if (!answer.ok) throw new Error(`${address.href} was answered ${answer.status}`)
    return await answer.json()
  }
}
