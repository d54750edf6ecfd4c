/** Problems of files as sentences for administrators: what failed, why, and the remedy. */
import type { ProblemCode } from '../media-problem.ts'

const goodCopy = 'put a good copy in its place'
const install = 'Install what is missing and scan again, or keep a copy as JPEG (of a video: as MP4) beside it.'

const remedies: Record<ProblemCode, string> = {
  unreadable: 'See to the permissions and the disk, then scan again.',
  empty: `Where there is a backup, ${goodCopy}.`,
  'not-media': 'Give it the extension of what it is, or take it out of the collection.',
  undecodable: `Open it with another program: if that fails too, ${goodCopy}.`,
  damaged: `If it does not look right, ${goodCopy}.`,
  'too-large': 'A smaller copy of it can be shown.',
  metadata: 'Its picture is shown all the same. Another program may be able to repair its metadata.',
  timeout: `Scan again when the machine is idle. If that fails too, ${goodCopy}.`,
  crashed: `Open it with another program: if that fails too, ${goodCopy}.`,
  unsupported: install,
  'no-ffmpeg': install,
}

/** The failed step, for errors whose text is a library's message; other codes have complete sentences. */
const tried: Partial<Record<ProblemCode, (name: string) => string>> = {
  undecodable: name => `It could not be decoded as ${name}`,
  damaged: name => `Not all of it could be decoded as ${name}`,
}

/** The name of a media type: 'HEIC', 'CANON CR2'. */
function nameOfType(mime: string): string {
  const [, subtype = mime] = mime.split('/')
  return subtype
    .replace(/^(?:x-|vnd\.)|\+xml$/g, '')
    .replaceAll(/[-.+]/g, ' ')
    .toUpperCase()
}

/** `found`: the error, possibly a library's message; `mime` is undefined if unknown. */
export function problemText(code: ProblemCode, found: string, mime: string | undefined): string {
  const message = found.trim().replace(/\.$/, '')
  const reason = message === '' || /^(?:success|ok|no error)$/i.test(message) ? 'its data are damaged' : message
  const before = tried[code]?.(mime === undefined ? 'a picture or a video' : nameOfType(mime))
  return `${before === undefined ? reason : `${before}: ${reason}`}. ${remedies[code]}`
}
