/** Texts for a video that does not play, as specified. */
import { baseTexts } from '../../texts/base.ts'

/** `code` of HTMLMediaElement.error: 1 aborted, 2 network, 3 decoding, 4 source not supported. */
export function videoErrorText(code: number | undefined): string {
  switch (code) {
    case 1:
      return baseTexts.videoPlaybackWasAborted
    case 2:
      return baseTexts.videoNetworkError
    case 3:
      return baseTexts.videoPlaybackWasCorrupt
    case 4:
      return baseTexts.videoNotLoaded
    default:
      return baseTexts.unknownErrorOccurred
  }
}
