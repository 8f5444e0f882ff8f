/** Most requests in one script call: bounds how long it blocks Redis, and what Lua can pass to one command. */
const REQUESTS_MAX = 500

/** Runs requests in calls of bounded size, one after the other, and returns all answers in order. */
export async function inBatches<Request, Reply>(
  requests: readonly Request[],
  run: (batch: readonly Request[]) => Promise<readonly Reply[]>,
): Promise<Reply[]> {
  const replies: Reply[] = []
  // Also without requests: the call finds out whether the line is lost.
  for (let from = 0; from === 0 || from < requests.length; from += REQUESTS_MAX) {
    replies.push(...(await run(requests.slice(from, from + REQUESTS_MAX))))
  }
  return replies
}
