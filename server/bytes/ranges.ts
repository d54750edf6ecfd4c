/** Responds with one range of a file (RFC 9110, 14), with 416 for a range outside it, and else with the whole file. */

/** The requested bytes; `end` is exclusive. 'whole' if there is no usable Range, 'outside' for 416. */
type RangeRequest = { start: number; end: number } | 'whole' | 'outside'

/** Parses a Range header for `size` bytes. Anything but one plain range of bytes means the whole. */
function rangeOf(header: string | undefined, size: number): RangeRequest {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (match === null) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    // `-500` means the last 500 bytes.
    const length = Math.min(Number(last), size)
    return length === 0 ? 'outside' : { start: size - length, end: size }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  if (start >= size) return 'outside'
  return end <= start ? 'whole' : { start, end }
}

/** A file, or `from`–`to` of it (a film inside a motion photo), as a response that supports ranges and HEAD. */
export function respondWithFile(
  request: Request,
  file: { path: string; size: number },
  headers: Record<string, string>,
  { from = 0, to = file.size }: { from?: number; to?: number } = {},
): Response {
  const size = to - from
  const all = { ...headers, 'Accept-Ranges': 'bytes' }
  // A range of another version of the file would be spliced into what the browser has: RFC 9110, 13.1.5.
  const condition = request.headers.get('if-range')
  const isRangeUsable = condition === null || condition === headers.ETag
  const requested = isRangeUsable ? rangeOf(request.headers.get('range') ?? undefined, size) : 'whole'
  if (requested === 'outside') {
    return new Response(null, { status: 416, headers: { ...all, 'Content-Range': `bytes */${size}` } })
  }
  const part = requested === 'whole' ? { start: 0, end: size } : requested
  const range: Record<string, string> =
    requested === 'whole' ? {} : { 'Content-Range': `bytes ${part.start}-${part.end - 1}/${size}` }
  const described = {
    status: requested === 'whole' ? 200 : 206,
    headers: { ...all, ...range, 'Content-Length': String(part.end - part.start) },
  }
  if (request.method === 'HEAD') return new Response(null, described)
  return new Response(Bun.file(file.path).slice(from + part.start, from + part.end), described)
}
