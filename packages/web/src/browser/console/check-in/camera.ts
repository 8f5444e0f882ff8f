import { openCodeReader } from './code-reader.ts'

const LOOK_MS = 200
/** A code that stays before the camera is one scan. */
const SAME_MS = 3_000

/** Browsers give a camera only to pages that came by https, or from the same machine. */
export const hasCamera = (): boolean => navigator.mediaDevices !== undefined

/** Shows what the camera sees, and tells each code once; ends when the returned function is called. */
export function readCodes(video: HTMLVideoElement, onCode: (code: string) => void, onProblem: () => void): () => void {
  let stream: MediaStream | null = null
  let isOver = false
  let last = { code: '', at: 0 }
  const stop = (): void => {
    isOver = true
    for (const track of stream?.getTracks() ?? []) track.stop()
  }
  const start = async (): Promise<void> => {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
    if (isOver) return stop()
    video.srcObject = stream
    await video.play()
    const read = await openCodeReader()
    const look = async (): Promise<void> => {
      if (isOver) return
      const code = await read(video).catch(() => null)
      const now = Date.now()
      if (code !== null && (code !== last.code || now - last.at > SAME_MS)) onCode(code)
      if (code !== null) last = { code, at: now }
      setTimeout(look, LOOK_MS)
    }
    await look()
  }
  start().catch(() => {
    stop()
    onProblem()
  })
  return stop
}
