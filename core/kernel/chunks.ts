/** Splits an iterable into chunks of one size; the last may be smaller. */
export function* chunksOf<T>(all: Iterable<T>, size: number): Generator<T[]> {
  let chunk: T[] = []
  for (const one of all) {
    chunk.push(one)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
