/** Text bodies of requests. */
import { Failure } from '../../schema/errors.ts'

/** Joins pieces to a text. Counts their bytes, because a sender need not declare the length of a body. */
export async function bodyText(
  pieces: AsyncIterable<Uint8Array> | null,
  longest: number,
  refusal = 'The request is too large.',
): Promise<string> {
  const held: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces ?? []) {
    length += piece.length
    if (length > longest) throw new Failure('tooLarge', refusal)
    held.push(piece)
  }
  return Buffer.concat(held).toString('utf8')
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('invalid', 'The body is not JSON.')
  }
}
