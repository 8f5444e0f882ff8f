/** Finds a QR code in what a video shows; null while there is none. */
export type CodeReader = (video: HTMLVideoElement) => Promise<string | null>

/** What browsers that can read codes offer; the compiler does not know it yet. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]>
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

declare global {
  interface Window {
    readonly BarcodeDetector?: DetectorClass
  }
}

/** Larger pictures take longer and are read no better at arm's length. */
const WIDTH_PX_MAX = 640

/** The browser's own reader where it has one. Most have none, iPhones among them: they load ours. */
export async function openCodeReader(): Promise<CodeReader> {
  return (await ownReader()) ?? (await loadedReader())
}

async function ownReader(): Promise<CodeReader | null> {
  const { BarcodeDetector } = window
  if (BarcodeDetector === undefined) return null
  // Some browsers have the class and nothing behind it.
  const formats = await BarcodeDetector.getSupportedFormats()
  if (!formats.includes('qr_code')) return null
  const detector = new BarcodeDetector({ formats: ['qr_code'] })
  return async (video) => (await detector.detect(video))[0]?.rawValue ?? null
}

async function loadedReader(): Promise<CodeReader> {
  // Written before there were modules: its function is its own default.
  const { default: readCode } = (await import('jsqr')).default
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (video) => {
    const scale = Math.min(1, WIDTH_PX_MAX / video.videoWidth)
    const [width, height] = [Math.floor(video.videoWidth * scale), Math.floor(video.videoHeight * scale)]
    if (context === null || width === 0) return null
    canvas.width = width
    canvas.height = height
    context.drawImage(video, 0, 0, width, height)
    const { data } = context.getImageData(0, 0, width, height)
    return readCode(data, width, height, { inversionAttempts: 'dontInvert' })?.data ?? null
  }
}
