/** A small chime of our own making: nothing is loaded for it. */
export interface Sound {
  readonly isOn: boolean
  /** Must be called from a press of a button, or browsers keep silent. Plays it once, as a check. */
  turnOn(): void
  play(): void
}

/** Two falling thirds, as at the end of an interval in a theatre. */
const NOTES = [784, 659, 784, 1047]
const NOTE_SECONDS = 0.22

export function createSound(onChange: () => void): Sound {
  let context: AudioContext | null = null
  const play = (): void => {
    if (context === null) return
    for (const [index, note] of NOTES.entries()) ring(context, note, context.currentTime + index * NOTE_SECONDS)
  }
  return {
    get isOn() {
      return context !== null
    },
    play,
    turnOn() {
      context ??= new AudioContext()
      void context.resume()
      play()
      askToNotify()
      onChange()
    },
  }
}

function ring(context: AudioContext, frequency: number, at: number): void {
  const tone = context.createOscillator()
  const volume = context.createGain()
  tone.type = 'triangle'
  tone.frequency.value = frequency
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(0.25, at + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.001, at + 1.1)
  tone.connect(volume).connect(context.destination)
  tone.start(at)
  tone.stop(at + 1.2)
}

/** A visitor who turns the sound on may also want a notification while the page is in the background. */
function askToNotify(): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'default') return
  void Notification.requestPermission()
}
