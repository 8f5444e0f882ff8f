/** What went wrong, for a person: the sentences of the error and of what caused it, without a stack. */
export function explainFailure(error: unknown): string {
  const sentences: string[] = []
  // Bounded, because a chain of causes may be a circle.
  for (let current = error, depth = 0; current !== undefined && current !== null && depth < 5; depth += 1) {
    const sentence = sentenceOf(current)
    if (sentence !== '' && !sentences.includes(sentence)) sentences.push(sentence)
    current = current instanceof Error ? current.cause : undefined
  }
  return hideCredentials(sentences.join('\n  because: '))
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE')
    return 'The port is taken by another program. Set PORT to another one, or stop that program.'
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return 'This user may not listen on that port.'
  if (code === 'ENOTSUP' && 'syscall' in error && error.syscall === 'listen')
    return 'This system cannot spread the connections of one port over processes: set SEATWISE_WORKERS=1.'
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentenceOf).join('; ')
  return error.message === '' ? error.name : error.message
}

/** Messages of drivers may repeat the URL they were given. */
function hideCredentials(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/"@]+@/gi, '$1[hidden]@')
}
