import { expect, test } from 'bun:test'
import { folderOfPath } from '../../web/kit/dropped-tree.ts'
import {
  dueUploads,
  mayBePicture,
  outcomeOf,
  type Queue,
  skippedText,
  summaryOf,
  summaryText,
  type Upload,
  type UploadState,
  uploadPercent,
  uploadText,
  withChange,
} from '../../web/uploads/upload-queue.ts'

function file(id: number, state: UploadState, more: Partial<Upload> = {}): Upload {
  return {
    id,
    collection: 1,
    collectionName: 'Family',
    name: `${id}.jpg`,
    folder: '',
    size: 100,
    sent: 0,
    state,
    reason: '',
    ...more,
  }
}

function queue(...states: UploadState[]): Queue {
  return states.map((state, place) => file(place + 1, state))
}

const ids = (uploads: readonly Upload[]) => uploads.map(({ id }) => id)

test('sends two files at once, in order; a file that the server is processing counts', () => {
  expect(ids(dueUploads(queue('waiting', 'waiting', 'waiting')))).toEqual([1, 2])
  expect(ids(dueUploads(queue('done', 'sending', 'waiting', 'waiting')))).toEqual([3])
  expect(ids(dueUploads(queue('keeping', 'sending', 'waiting')))).toEqual([])
  expect(ids(dueUploads(queue('failed', 'duplicate', 'done')))).toEqual([])
})

test('a change affects one file, and does not bring back a removed one', () => {
  const before = queue('sending', 'waiting')
  expect(withChange(before, 1, { sent: 40 }).map(({ sent }) => sent)).toEqual([40, 0])
  expect(withChange(before, 9, { state: 'done' })).toEqual([...before])
})

test('shows 100 % only when the server has stored the file', () => {
  expect(uploadPercent(file(1, 'sending', { sent: 50 }))).toBe(50)
  expect(uploadPercent(file(1, 'keeping', { sent: 100 }))).toBe(99)
  expect(uploadPercent(file(1, 'done', { sent: 100 }))).toBe(100)
  expect(uploadPercent(file(1, 'sending', { sent: 0, size: 0 }))).toBe(0)
})

test('the heading counts finished files, and reports the result at the end', () => {
  expect(summaryText(summaryOf(queue('sending', 'sending', 'waiting')))).toBe('Uploading 1 of 3')
  expect(summaryText(summaryOf(queue('done', 'done', 'sending')))).toBe('Uploading 3 of 3')
  expect(summaryText(summaryOf(queue('done', 'done')))).toBe('2 uploaded')
  expect(summaryText(summaryOf(queue('done', 'duplicate', 'failed', 'failed')))).toBe(
    '1 uploaded, 1 was there already, 2 failed',
  )
  expect(summaryText(summaryOf(queue('duplicate', 'duplicate')))).toBe('2 were there already')
})

test('calculates the share by bytes', () => {
  const some = [file(1, 'done', { size: 300 }), file(2, 'sending', { size: 100, sent: 50 }), file(3, 'waiting')]
  expect(summaryOf(some).share).toBe(350 / 500)
  expect(summaryOf([]).share).toBe(0)
})

test('describes the state of each file', () => {
  expect(uploadText(file(1, 'waiting'))).toBe('Waiting')
  expect(uploadText(file(1, 'sending', { sent: 42 }))).toBe('42 %')
  expect(uploadText(file(1, 'duplicate', { reason: 'beach.jpg' }))).toBe('is there already as beach.jpg')
  expect(uploadText(file(1, 'duplicate'))).toBe('is there already')
  expect(uploadText(file(1, 'failed', { reason: 'The disk is full.' }))).toBe('The disk is full.')
})

test('reads a response as stored, as a duplicate with its name, or as a reason', () => {
  const conflict = (more: object) =>
    JSON.stringify({ error: "'Family' has this file already: a.jpg", code: 'conflict', ...more })
  expect(outcomeOf(201, '{}')).toEqual({ state: 'done', reason: '' })
  expect(outcomeOf(409, conflict({ current: { id: 4, name: 'a.jpg' } }))).toEqual({
    state: 'duplicate',
    reason: 'a.jpg',
  })
  // A response without a name: the user may not see the item.
  expect(outcomeOf(409, JSON.stringify({ error: "'Family' has this file already.", code: 'conflict' }))).toEqual({
    state: 'duplicate',
    reason: '',
  })
  const reasons: [number, string, string][] = [
    [409, JSON.stringify({ error: 'A folder has that name.', code: 'conflict' }), 'A folder has that name.'],
    [
      400,
      JSON.stringify({ error: 'a.txt is not a picture or video.', code: 'invalid' }),
      'a.txt is not a picture or video.',
    ],
    [
      413,
      JSON.stringify({ error: 'A file can have at most 10 MB here.', code: 'tooLarge' }),
      'A file can have at most 10 MB here.',
    ],
    [413, '<html>413</html>', 'The file is too large for a proxy in front of the server'],
    [401, '{}', 'You are no longer signed in'],
    [502, '<html>', 'Keepsake server is currently not available'],
    [500, JSON.stringify({ error: 'Unknown server error', code: 'unexpected' }), 'Unknown server error'],
    [418, 'teapot', 'Unknown server error'],
  ]
  for (const [status, body, reason] of reasons) expect(outcomeOf(status, body)).toEqual({ state: 'failed', reason })
})

test('does not send files that cannot be pictures or films, but sends unknown types', () => {
  const sent = ['a.jpg', 'A.HEIC', 'b.cr3', 'c.mts', 'noending', 'd.ts.mp4', 'new.format']
  const kept = ['.DS_Store', 'Thumbs.db', 'desktop.ini', 'a.xmp', 'a.JSON', 'list.txt', 'all.zip', '.hidden.jpg']
  expect(sent.filter(name => !mayBePicture(name, 1))).toEqual([])
  expect(kept.filter(name => mayBePicture(name, 1))).toEqual([])
  expect(mayBePicture('empty.jpg', 0)).toBe(false)
  expect(skippedText(1)).toBe('1 file is neither picture nor video and was left out')
  expect(skippedText(3)).toBe('3 files are neither picture nor video and were left out')
})

test('reads the folder from the path that a browser reports', () => {
  expect(folderOfPath('/Summer/beach/1.jpg')).toBe('Summer/beach')
  expect(folderOfPath('Summer/1.jpg')).toBe('Summer')
  expect(folderOfPath('/1.jpg')).toBe('')
  expect(folderOfPath('')).toBe('')
})
