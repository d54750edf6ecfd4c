/** The specified texts for a video that does not play. */
import { baseTexts } from '../../texts/base.ts'

/** `code` of HTMLMediaElement.error; MEDIA_ERR_ABORTED is 1, then network, decode, source not supported. */
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
