import { expect, test } from 'bun:test'
import { problemText } from '../../../core/media/decode/problem-text.ts'

test('the text has the attempt, the reason and a remedy', () => {
  expect(problemText('undecodable', 'Unsupported feature: Unsupported codec', 'image/heic')).toBe(
    'It could not be decoded as HEIC: Unsupported feature: Unsupported codec. Open it with another program: if that fails too, put a good copy in its place.',
  )
  expect(problemText('no-ffmpeg', 'ffmpeg is not installed: no poster', 'video/mp4')).toBe(
    'ffmpeg is not installed: no poster. Install what is missing and scan again, or keep a copy as JPEG (of a video: as MP4) beside it.',
  )
})

test.each(['Success', 'success.', '', ' OK '])(
  'a message of a codec library that says nothing (%p) is not used as the reason',
  words => {
    expect(problemText('undecodable', words, undefined)).toStartWith(
      'It could not be decoded as a picture or a video: its data are damaged. Open it',
    )
  },
)
