/** The kinds of media, and codes of problems. */

export type MediaKind = 'image' | 'video'

export type ProblemCode =
  /** The file cannot be opened or read. */
  | 'unreadable'
  | 'empty'
  /** The file is neither a picture nor a film, whatever its name. */
  | 'not-media'
  /** The file claims to be a picture or film, but nothing of it can be shown. */
  | 'undecodable'
  /** The picture is shown, but parts of it may be wrong. */
  | 'damaged'
  /** The picture has more pixels than the limit for decoding. */
  | 'too-large'
  | 'metadata'
  | 'timeout'
  /** The file has crashed the decode worker three times. */
  | 'crashed'
  /** No installed decoder supports this format. */
  | 'unsupported'
  /** ffmpeg could decode the file, but is not installed. */
  | 'no-ffmpeg'

/** Codes that leave the item with a placeholder. */
export const placeholderCodes: ReadonlySet<string> = new Set<ProblemCode>([
  'empty',
  'not-media',
  'unreadable',
  'undecodable',
  'too-large',
  'timeout',
  'crashed',
  'unsupported',
  'no-ffmpeg',
])

export interface Problem {
  code: ProblemCode
  /** A sentence for the administrator. */
  reason: string
}

/** An error whose cause is in the file or in what is installed. It becomes a problem row. */
export class MediaProblem extends Error {
  override readonly name = 'MediaProblem'
  readonly code: ProblemCode

  constructor(code: ProblemCode, reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
