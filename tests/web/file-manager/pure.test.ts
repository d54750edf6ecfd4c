import { describe, expect, test } from 'bun:test'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import {
  type EntryChoice,
  indexAfterKey,
  noChoice,
  withBox,
  withClick,
  withMove,
} from '../../../web/file-manager/list/choosing.ts'
import { modifiedText } from '../../../web/file-manager/list/dates.ts'
import { heightOf, renderedRange, scrollTopFor, touchedBy } from '../../../web/file-manager/list/rows-in-view.ts'
import { bytesOf, sizeText } from '../../../web/file-manager/list/sizes.ts'
import { nextSorting, sorted } from '../../../web/file-manager/list/sorting.ts'
import { sizeLimitOf, viewModeOf } from '../../../web/file-manager/options.ts'
import { mayMoveInto, parentOf, segmentsOf, shortName } from '../../../web/file-manager/paths.ts'
import {
  boundFrame,
  firstFrame,
  fitOf,
  mayPlacePicture,
  visiblePart,
} from '../../../web/file-manager/viewers/crop-frame.ts'
import { decodeText, textForFile } from '../../../web/file-manager/viewers/text-bytes.ts'
import { canWritePicture, viewerFor } from '../../../web/file-manager/viewers/viewer-kinds.ts'

const plain = { shift: false, ctrl: false }

function node(path: string, more: Partial<FileNode> = {}): FileNode {
  const basename = path.slice(path.lastIndexOf('/') + 1)
  return {
    type: 'file',
    path,
    basename,
    dir: path.slice(0, path.lastIndexOf('/')) || '/',
    extension: '',
    mime_type: '',
    file_size: 0,
    last_modified: 0,
    ...more,
  }
}

describe('paths', () => {
  test.each([
    ['/', []],
    ['/a', ['a']],
    ['/a/b/c/d/e', ['a', 'b', 'c', 'd', 'e']],
    ['/a/b/c/d/e/f', ['..', 'c', 'd', 'e', 'f']],
    ['/a/b/c/d/e/f/g', ['..', 'd', 'e', 'f', 'g']],
  ])('%s has at most five segments', (path, names) => {
    expect(segmentsOf(path).map(({ name }) => name)).toEqual(names)
  })

  test('the shortened segment leads to the folder that it stands for', () => {
    expect(segmentsOf('/a/b/c/d/e/f')[0]).toEqual({ name: '..', path: '/a/b' })
    expect(segmentsOf('/a/b/c/d/e/f').at(-1)?.path).toBe('/a/b/c/d/e/f')
  })

  test.each([
    ['/', '/'],
    ['/a', '/'],
    ['/a/b', '/a'],
  ])('above %s is %s', (path, up) => expect(parentOf(path)).toBe(up))

  test.each([
    ['short.jpg', 'short.jpg'],
    ['fourteen-4.jpg', 'fourteen-4.jpg'],
    ['el_torcal_rocks.jpg', 'el_torcal_rock…'],
    ['👨‍👩‍👧'.repeat(16), `${'👨‍👩‍👧'.repeat(14)}…`],
  ])('%s is shown as %s', (name, shown) => expect(shortName(name)).toBe(shown))

  test.each([
    ['/a', [node('/b/x')], true],
    ['/b', [node('/b/x')], false],
    ['/b/x', [node('/b/x')], false],
    ['/b/x/y', [node('/b/x')], false],
    ['/b/xy', [node('/b/x')], true],
    ['/a', [], false],
  ])('whether entries may be moved into %s', (target, items, may) => expect(mayMoveInto(target, items)).toBe(may))
})

describe('sizes', () => {
  test.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [53_658, '52.4 KiB'],
    [10 * 1024 ** 2, '10 MiB'],
    [300 * 1024 ** 3, '300 GiB'],
  ])('%d bytes are %s', (bytes, text) => expect(sizeText(bytes, 'en')).toBe(text))

  test.each([
    ['10mb', 10 * 1024 ** 2],
    ['1.5 GB', 1.5 * 1024 ** 3],
    ['2048', 2048],
    ['4 KiB', 4096],
    ['much', null],
  ])('%s is read as %p', (text, bytes) => expect(bytesOf(text)).toBe(bytes))

  test('a file has at most 10mb unless the page says otherwise', () => {
    expect(sizeLimitOf({})).toBe(10 * 1024 ** 2)
    expect(sizeLimitOf({ maxFileSize: '1gb' })).toBe(1024 ** 3)
    expect(sizeLimitOf({ maxFileSize: 'nonsense' })).toBe(10 * 1024 ** 2)
  })
})

test('shows dates before 1970, and none for a folder without one', () => {
  expect(modifiedText(-100_000_000, 'en-GB')).toContain('1966')
  expect(modifiedText(0, 'en-GB')).toBe('')
})

describe('sorting', () => {
  const nodes = [
    node('/b.txt', { file_size: 2, last_modified: 3 }),
    node('/Zoo', { type: 'dir' }),
    node('/A.txt', { file_size: 9, last_modified: 1 }),
    node('/alps', { type: 'dir', last_modified: 5 }),
    node('/c.txt', { file_size: 2, last_modified: 2 }),
  ]
  const names = (list: readonly FileNode[]) => list.map(({ basename }) => basename).join(' ')

  test('a column switches between unsorted, ascending and descending', () => {
    const first = nextSorting(null, 'basename')
    const second = nextSorting(first, 'basename')
    expect([first, second, nextSorting(second, 'basename')]).toEqual([
      { column: 'basename', order: 'asc' },
      { column: 'basename', order: 'desc' },
      null,
    ])
    expect(nextSorting(second, 'file_size')).toEqual({ column: 'file_size', order: 'asc' })
  })

  test.each([
    [null, 'b.txt Zoo A.txt alps c.txt'],
    [{ column: 'basename', order: 'asc' }, 'alps Zoo A.txt b.txt c.txt'],
    [{ column: 'basename', order: 'desc' }, 'Zoo alps c.txt b.txt A.txt'],
    [{ column: 'file_size', order: 'asc' }, 'Zoo alps b.txt c.txt A.txt'],
    [{ column: 'file_size', order: 'desc' }, 'Zoo alps A.txt b.txt c.txt'],
    [{ column: 'last_modified', order: 'desc' }, 'alps Zoo b.txt c.txt A.txt'],
  ] as const)('by %p: %s', (sorting, order) => expect(names(sorted(nodes, sorting))).toBe(order))
})

describe('selecting', () => {
  const of = (...at: number[]): EntryChoice => ({ selected: new Set(at), active: at.at(-1) ?? -1, anchor: at[0] ?? -1 })
  const places = ({ selected }: EntryChoice) => [...selected].sort((a, b) => a - b)

  test('a click selects one entry, Ctrl toggles, Shift selects a range', () => {
    const one = withClick(of(1, 2), 5, plain)
    expect(places(one)).toEqual([5])
    const two = withClick(one, 7, { shift: false, ctrl: true })
    expect(places(two)).toEqual([5, 7])
    expect(places(withClick(two, 5, { shift: false, ctrl: true }))).toEqual([7])
    const range = withClick(two, 9, { shift: true, ctrl: false })
    expect(places(range)).toEqual([7, 8, 9])
    expect(places(withClick(range, 5, { shift: true, ctrl: false }))).toEqual([5, 6, 7])
    expect(places(withClick(range, 5, { shift: true, ctrl: true }))).toEqual([5, 6, 7, 8, 9])
  })

  test('keys move the selection, extend it with Shift, and move only the focus with Ctrl', () => {
    expect(places(withMove(of(3), 4, plain))).toEqual([4])
    expect(places(withMove(of(3), 5, { shift: true, ctrl: false }))).toEqual([3, 4, 5])
    const moved = withMove(of(3), 5, { shift: false, ctrl: true })
    expect([places(moved), moved.active]).toEqual([[3], 5])
  })

  test('a box selects what it touches, in addition to the selection with Ctrl', () => {
    expect(places(withBox(noChoice, [2, 3], { ctrl: false }))).toEqual([2, 3])
    expect(places(withBox(of(1), [2, 3], { ctrl: true }))).toEqual([1, 2, 3])
    expect(places(withBox(of(1), [], { ctrl: false }))).toEqual([])
  })

  const grid = { count: 10, columns: 4, page: 2, rtl: false }
  test.each([
    ['ArrowDown', 0, 4],
    ['ArrowDown', 7, 9],
    ['ArrowDown', 9, 9],
    ['ArrowUp', 2, 2],
    ['ArrowRight', 3, 4],
    ['ArrowLeft', 0, 0],
    ['Home', 7, 0],
    ['End', 2, 9],
    ['PageDown', 1, 9],
    ['PageUp', 9, 1],
    ['PageUp', 5, 0],
    ['ArrowDown', -1, 0],
    ['x', 3, null],
  ])('%s goes from %d to %p', (key, from, to) => expect(indexAfterKey(key, from, grid)).toBe(to))

  test('left and right arrows are mirrored in right-to-left text, and do nothing in a list', () => {
    expect(indexAfterKey('ArrowLeft', 1, { ...grid, rtl: true })).toBe(2)
    expect(indexAfterKey('ArrowRight', 1, { ...grid, columns: 1 })).toBeNull()
    expect(indexAfterKey('ArrowDown', 0, { ...grid, count: 0 })).toBeNull()
  })
})

describe('rows in view', () => {
  const list = { count: 100_000, columns: 1, row: 40, cell: 500, inset: 0 }
  const grid = { count: 11, columns: 4, row: 126, cell: 120, inset: 12 }

  test('of a hundred thousand entries, draws only the visible ones and 300 px more', () => {
    expect(renderedRange(list, { top: 0, height: 400, ahead: 300 })).toEqual({ from: 0, to: 18 })
    expect(renderedRange(list, { top: 2_000_000, height: 400, ahead: 300 })).toEqual({ from: 49_992, to: 50_018 })
    expect(renderedRange(list, { top: 3_999_600, height: 400, ahead: 300 }).to).toBe(100_000)
    expect(renderedRange({ ...list, count: 0 }, { top: 0, height: 400, ahead: 300 })).toEqual({ from: 0, to: 0 })
    expect(heightOf(list)).toBe(4_000_000)
    expect(heightOf(grid)).toBe(3 * 126 + 24)
  })

  test('scrolls to an entry only when it is not visible', () => {
    expect(scrollTopFor(list, 5, { top: 0, height: 400 })).toBe(0)
    expect(scrollTopFor(list, 10, { top: 0, height: 400 })).toBe(40)
    expect(scrollTopFor(list, 3, { top: 400, height: 400 })).toBe(120)
  })

  test('a box touches the cells that it crosses', () => {
    expect(touchedBy(grid, { left: 100, right: 140, top: 20, bottom: 30 })).toEqual([0, 1])
    expect(touchedBy(grid, { left: 380, right: 900, top: 130, bottom: 137 })).toEqual([3])
    expect(touchedBy(grid, { left: 380, right: 900, top: 130, bottom: 250 })).toEqual([3, 7])
    expect(touchedBy(list, { left: 3, right: 9, top: 39, bottom: 41 })).toEqual([0, 1])
  })
})

describe('cropping', () => {
  const picture = { x: 10, y: 10, width: 800, height: 400 }
  const now = { x: 20, y: 20, width: 200, height: 100 }

  test('the first frame keeps its ratio, centred and inside the picture', () => {
    const frame = firstFrame(picture, 795 / 341)
    expect(frame.width / frame.height).toBeCloseTo(795 / 341, 5)
    expect(frame.x + frame.width / 2).toBeCloseTo(410)
    expect(frame.y + frame.height / 2).toBeCloseTo(210)
    expect(boundFrame(1, picture, frame, frame)).toBeNull()
  })

  test('a frame stays on the picture, except in mode 0', () => {
    const out = { ...now, x: -50, y: 390 }
    expect(boundFrame(0, picture, now, out)).toBeNull()
    expect(boundFrame(1, picture, now, out)).toEqual({ ...now, x: 10, y: 310 })
    expect(boundFrame(1, picture, now, { ...now, width: 900, height: 450 })).toBe('no')
    expect(boundFrame(1, picture, now, { ...now, x: 700, width: 220, height: 110 })).toBe('no')
    expect(boundFrame(3, picture, now, { ...now, x: 30 })).toBeNull()
  })

  test.each([
    [-1, 0],
    [0, 0],
    [1.4, 1],
    [3, 3],
    [9, 3],
    [Number.NaN, 0],
  ])('view mode %d is clamped to %d', (given, mode) => expect(viewModeOf(given)).toBe(mode))

  test('the modes decide how the picture fits its area', () => {
    expect([0, 1, 2, 3].map(fitOf)).toEqual([null, null, 'contain', 'cover'])
  })

  const room = { width: 1000, height: 400 }
  const frame = { x: 300, y: 100, width: 400, height: 200 }
  const whole = { x: 0, y: -50, width: 1000, height: 500 }
  test.each([
    ['outside the frame', { ...whole, x: 350, width: 600, height: 300, y: 80 }, [true, false, false, false]],
    ['smaller than the area', { x: 200, y: 50, width: 600, height: 300 }, [true, true, true, false]],
    ['from one side to the other', { x: 0, y: 50, width: 1000, height: 300 }, [true, true, true, false]],
    ['wider, and away from one side', { x: 20, y: 50, width: 1100, height: 300 }, [true, true, false, false]],
    ['over all of it', { x: -10, y: -20, width: 1100, height: 500 }, [true, true, true, true]],
    ['over all of it but a side', { x: 10, y: -20, width: 1100, height: 500 }, [true, true, false, false]],
  ])('limits a picture by mode: %s', (_, next, may) => {
    expect([0, 1, 2, 3].map(mode => mayPlacePicture(mode, { room, frame, now: whole, next }))).toEqual(may)
  })

  test('only the visible part of a picture that covers the area counts', () => {
    expect(visiblePart({ x: -100, y: -50, width: 1200, height: 500 }, room)).toEqual({
      x: 0,
      y: 0,
      width: 1000,
      height: 400,
    })
    expect(visiblePart({ x: 10, y: 20, width: 100, height: 50 }, room)).toEqual({
      x: 10,
      y: 20,
      width: 100,
      height: 50,
    })
  })

  test('a picture outside its limits may move anywhere', () => {
    const away = { x: 900, y: 300, width: 50, height: 50 }
    expect(mayPlacePicture(3, { room, frame, now: away, next: { ...away, x: 800 } })).toBe(true)
  })
})

describe('viewers', () => {
  test.each([
    ['text/plain', 'text'],
    ['text/html', 'text'],
    ['image/svg+xml', 'image'],
    ['image/heic', 'image'],
    ['video/mp4', 'video'],
    ['video/webm', 'default'],
    ['audio/mpeg', 'audio'],
    ['audio/ogg', 'default'],
    ['application/pdf', 'pdf'],
    ['application/zip', 'default'],
    ['inode/symlink', 'default'],
    ['', 'default'],
  ] as const)('%s has the viewer for %s', (type, kind) => expect(viewerFor(type)).toBe(kind))

  test('only picture types that browsers can write can be cropped', () => {
    expect(['image/jpeg', 'image/png', 'image/webp'].every(canWritePicture)).toBe(true)
    expect(['image/gif', 'image/heic', 'image/svg+xml'].some(canWritePicture)).toBe(false)
  })

  const bytes = (text: string) => new TextEncoder().encode(text).buffer
  test.each(['one\ntwo', 'one\r\ntwo\r\n', '\u{FEFF}marked\r\nwith', '', 'خط'])(
    '%j is read and written unchanged',
    text => {
      const read = decodeText(bytes(text))
      expect(read.isUtf8).toBe(true)
      expect(read.text).not.toContain('\r')
      expect(textForFile(read.text, read)).toBe(text)
    },
  )

  test('mixed line ends are detected, and unified when the text is saved', () => {
    const written = [
      ['a\r\nb\nc', 'a\r\nb\r\nc'],
      ['a\rb\nc', 'a\nb\nc'],
      ['a\rb', 'a\nb'],
      ['a\n\r\nb', 'a\r\n\r\nb'],
    ] as const
    for (const [text, expected] of written) {
      const read = decodeText(bytes(text))
      expect(read.isMixed).toBe(true)
      expect(textForFile(read.text, read)).toBe(expected)
    }
    expect(['a\r\nb\r\n', 'a\n', ''].filter(text => decodeText(bytes(text)).isMixed)).toEqual([])
  })

  test('text that is not UTF-8 is shown but cannot be saved', () => {
    expect(decodeText(new Uint8Array([0x61, 0xff, 0x62]).buffer)).toMatchObject({ text: 'a\u{FFFD}b', isUtf8: false })
  })
})
