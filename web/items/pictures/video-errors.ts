/** The specified texts for a video that does not play. */

/** `code` of HTMLMediaElement.error; MEDIA_ERR_ABORTED is 1, then network, decode, source not supported. */
export function videoErrorText(code: number | undefined): string {
  switch (code) {
    case 1:
      return 'The video playback was aborted.'
    case 2:
      return 'A network error caused the video download to fail.'
    case 3:
      return 'The video playback was aborted due to a corruption problem or because the video used features your browser did not support.'
    case 4:
      return 'The video could not be loaded, either because the server or network failed or because the format is not supported.'
    default:
      return 'An unknown error occurred.'
  }
}
