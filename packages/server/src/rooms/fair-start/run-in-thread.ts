import { Worker } from 'node:worker_threads'

/** The answer of a thread that gets one message and answers once. */
export async function runInThread<Answer>(file: URL, name: string, message: unknown): Promise<Answer> {
  const worker = new Worker(file, { name })
  try {
    return await new Promise<Answer>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', (code) => reject(new Error(`The thread ${name} has stopped with ${code}`)))
      worker.postMessage(message)
    })
  } finally {
    await worker.terminate()
  }
}
