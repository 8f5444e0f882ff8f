/** A body as text; null when it is longer than `bytesMax`, of which no more is then read. */
export async function readText(
  chunks: AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<string | null> {
  if (chunks === null) return ''
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let text = ''
  let length = 0
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
    length += bytes.length
    if (length > bytesMax) return null
    text += decoder.decode(bytes, { stream: true })
  }
  return text + decoder.decode()
}
