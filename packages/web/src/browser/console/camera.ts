/** What browsers that can read codes offer; the compiler does not know it yet. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]>
}
type DetectorClass = new (options: { formats: string[] }) => Detector

const LOOK_MS = 200
/** A code that stays before the camera is one scan. */
const SAME_MS = 3_000

export const canReadCodes = (): boolean => 'BarcodeDetector' in window && navigator.mediaDevices !== undefined

/** Shows what the camera sees, and tells each code once; ends when the returned function is called. */
export function readCodes(video: HTMLVideoElement, onCode: (code: string) => void, onProblem: () => void): () => void {
  const { BarcodeDetector } = window as unknown as { BarcodeDetector: DetectorClass }
  const detector = new BarcodeDetector({ formats: ['qr_code'] })
  let stream: MediaStream | null = null
  let isOver = false
  let last = { code: '', at: 0 }
  const stop = (): void => {
    isOver = true
    for (const track of stream?.getTracks() ?? []) track.stop()
  }
  const look = async (): Promise<void> => {
    if (isOver) return
    const [found] = await detector.detect(video).catch(() => [])
    const now = Date.now()
    if (found !== undefined && (found.rawValue !== last.code || now - last.at > SAME_MS)) onCode(found.rawValue)
    if (found !== undefined) last = { code: found.rawValue, at: now }
    setTimeout(look, LOOK_MS)
  }
  const start = async (): Promise<void> => {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
    if (isOver) return stop()
    video.srcObject = stream
    await video.play()
    await look()
  }
  start().catch(() => {
    stop()
    onProblem()
  })
  return stop
}
