/** Thrown when an answer missed its deadline. Whether the operation took effect is then unknown. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'

  constructor(what: string, deadlineMs: number) {
    super(`${what} did not answer within ${deadlineMs} ms`)
  }
}

/** Waits for `answer`, at most `deadlineMs`. The operation itself is not cancelled. */
export async function withDeadline<Answer>(answer: Promise<Answer>, deadlineMs: number, what: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlinePassed(what, deadlineMs)), deadlineMs)
  })
  try {
    return await Promise.race([answer, deadline])
  } finally {
    clearTimeout(timer)
  }
}
