import { expect, test } from 'bun:test'
import { videoErrorText } from '../../web/items/pictures/video-errors.ts'

test('each kind of film error has its own message', () => {
  expect([1, 2, 3, 4, undefined].map(videoErrorText)).toEqual([
    'The video playback was aborted.',
    'A network error caused the video download to fail.',
    'The video playback was aborted due to a corruption problem or because the video used features your browser did not support.',
    'The video could not be loaded, either because the server or network failed or because the format is not supported.',
    'An unknown error occurred.',
  ])
})
