/** Figures as people read them; a dash where there is none. */
export function count(value: number | null): string {
  return value === null ? '–' : Math.round(value).toLocaleString('en')
}

export function duration(milliseconds: number | null): string {
  if (milliseconds === null) return '–'
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  if (milliseconds < 1_000) return `${milliseconds.toFixed(0)} ms`
  if (milliseconds < 120_000) return `${(milliseconds / 1_000).toFixed(1)} s`
  return `${(milliseconds / 60_000).toFixed(1)} min`
}

export function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`
}

export function megabytes(bytes: number | null): string {
  return bytes === null ? '–' : `${(bytes / 2 ** 20).toFixed(0)} MB`
}
