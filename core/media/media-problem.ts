/** The kinds of media, and codes of problems. */

export type MediaKind = 'image' | 'video'

export type ProblemCode =
  /** The system does not let us read it. */
  | 'unreadable'
  | 'empty'
  /** Neither picture nor film, whatever its name. */
  | 'not-media'
  /** It claims to be a picture or film, but nothing of it can be shown. */
  | 'undecodable'
  /** It is shown, but not everything in it is right. */
  | 'damaged'
  /** More pixels than the limit for decoding. */
  | 'too-large'
  | 'metadata'
  | 'timeout'
  /** It has crashed the decode worker three times. */
  | 'crashed'
  /** Nothing here can decode this format. */
  | 'unsupported'
  /** ffmpeg could, but is not installed. */
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

/** An error of media: its reason is in the file or in what is installed, and it becomes a problem row. */
export class MediaProblem extends Error {
  override readonly name = 'MediaProblem'
  readonly code: ProblemCode

  constructor(code: ProblemCode, reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
