/** Metadata from ffprobe. */
import { expect, test } from 'bun:test'
import { fromFfprobe } from '../../../core/metadata/ffprobe.ts'

test('ffprobe returns size, duration, codecs, date and position of a video', () => {
  const json = {
    streams: [
      { codec_type: 'video', codec_name: 'png', width: 90, height: 90, disposition: { attached_pic: 1 }, tags: {} },
      {
        codec_type: 'video',
        codec_name: 'hevc',
        width: 1280,
        height: 720,
        avg_frame_rate: '30000/1001',
        side_data_list: [{ side_data_type: 'Display Matrix', rotation: -90 }],
        tags: { creation_time: '2023-09-22T16:34:05.000000Z' },
      },
      { codec_type: 'audio', codec_name: 'aac' },
    ],
    format: {
      duration: '1.166667',
      tags: {
        'com.apple.quicktime.creationdate': '2023-09-22T18:34:05+0200',
        'com.apple.quicktime.location.ISO6709': '+52.4597+013.3220+051.178/',
        'com.apple.quicktime.make': 'Apple',
        'com.apple.quicktime.model': 'iPad mini',
        title: 'Garden',
      },
    },
  }
  expect(fromFfprobe(json)).toEqual({
    duration: 1.167,
    width: 1280,
    height: 720,
    videoCodec: 'hevc',
    audioCodec: 'aac',
    frameRate: 29.97,
    videoRotation: 90,
    dates: [
      { local: '2023-09-22 18:34:05', offset: 120, source: 'quicktime' },
      { local: '2023-09-22 16:34:05', offset: null, source: 'quicktime', milliseconds: 0, utc: true },
    ],
    latitude: 52.4597,
    longitude: 13.322,
    altitude: 51.18,
    camera: { make: 'Apple', model: 'iPad mini' },
    title: 'Garden',
  })
})

test('the old rotation tag turns in the opposite direction of the display matrix', () => {
  const turned = (video: object) => fromFfprobe({ streams: [{ codec_type: 'video', ...video }] }).videoRotation
  expect(turned({ tags: { rotate: '90' } })).toBe(90)
  expect(turned({ side_data_list: [{ rotation: 90 }] })).toBe(270)
  expect(turned({ side_data_list: [{ rotation: 180 }] })).toBe(180)
  expect(turned({})).toBe(0)
})

test('missing and invalid fields are omitted', () => {
  for (const json of [null, 'text', 5, [], {}]) expect(fromFfprobe(json)).toEqual({})
  expect(fromFfprobe({ streams: 'none', format: { duration: 'N/A', tags: { title: 7 } } })).toEqual({})
  expect(fromFfprobe({ streams: [{ codec_type: 'video', avg_frame_rate: '0/0', width: 'wide' }] })).toEqual({
    videoRotation: 0,
  })
})

test('Matroska tags are in upper case', () => {
  const tags = { DATE_RECORDED: '2019-01-24', TITLE: 'A film', DESCRIPTION: 'Küste', LOCATION: '+48.1+011.6/' }
  expect(fromFfprobe({ streams: [], format: { format_name: 'matroska,webm', tags } })).toMatchObject({
    dates: [{ local: '2019-01-24 00:00:00', dayOnly: true }],
    title: 'A film',
    description: 'Küste',
    latitude: 48.1,
    longitude: 11.6,
  })
})

test('AVI has a local time, or only a day', () => {
  const taken = (tags: object) => fromFfprobe({ streams: [], format: { format_name: 'avi', tags } }).dates
  expect(taken({ creation_time: '2003-03-10 15:04:43' })).toEqual([
    { local: '2003-03-10 15:04:43', offset: null, source: 'quicktime' },
  ])
  expect(taken({ date: '2020-08-28' })).toMatchObject([{ dayOnly: true }])
  // In other formats, `date` is the year of publication.
  expect(fromFfprobe({ streams: [], format: { format_name: 'mov', tags: { date: '2020' } } }).dates).toBe(undefined)
})
