/** Pictures on terminals: bytes of kitty's protocol, half blocks in 256 or all colours, pixels from a worker process. */
import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Terminal } from '@xterm/headless'
import sharp from 'sharp'
import { createPixelMaker } from '../../core/media/decode/pixels.ts'
import {
  confirmsGraphics,
  fittedCells,
  graphicsQuery,
  halfBlocks,
  paletteIndex,
  pictureMode,
  placePicture,
  removePicture,
  sendPicture,
} from '../../ink-tui/pictures/pictures.ts'
import { programCommand } from '../support/command.ts'
import { createKittyGraphics } from '../support/kitty-graphics.ts'
import { temporaryDirectory } from '../support/temporary.ts'

describe('the graphics protocol', () => {
  const replies: string[] = []
  const terminal = createKittyGraphics({
    responds: true,
    cursor: () => ({ column: 0, row: 0 }),
    reply: text => replies.push(text),
  })
  const write = (text: string) => {
    for (const { picture } of terminal.partsOf(text)) if (picture !== null) terminal.handle(picture)
  }

  test('a terminal that supports it replies to the query', () => {
    write(graphicsQuery)
    expect(replies).toHaveLength(1)
    expect(confirmsGraphics((replies[0] ?? '').slice(1))).toBe(true)
    expect(confirmsGraphics('[?62;4c')).toBe(false)
  })

  test('sends a picture in pieces of at most 4096 characters, moves it if it is placed again, and removes it completely', () => {
    const bytes = crypto.getRandomValues(new Uint8Array(10_000))
    const sent = sendPicture(9, bytes)
    for (const piece of sent.split('\u001b\\')) expect((piece.split(';')[1] ?? '').length).toBeLessThanOrEqual(4096)
    write(sent)
    expect(terminal.images.get(9)?.data.equals(Buffer.from(bytes))).toBe(true)
    write(placePicture(9, { column: 3, row: 2, columns: 20, rows: 10 }))
    write(placePicture(9, { column: 3, row: 2, columns: 30, rows: 15 }))
    expect([...terminal.placements.values()].map(({ columns, rows }) => [columns, rows])).toEqual([[30, 15]])
    write(removePicture(9))
    expect(terminal.placements.size).toBe(0)
    expect(terminal.images.size).toBe(0)
  })
})

describe('half blocks', () => {
  async function drawn(width: number, height: number, pixels: number[], colours: 256 | 16_777_216) {
    const terminal = new Terminal({ cols: 20, rows: 5, allowProposedApi: true })
    const lines = halfBlocks({ width, height, data: Uint8Array.from(pixels) }, colours)
    await new Promise<void>(resolve => terminal.write(lines.map(line => line.drawn).join('\r\n'), resolve))
    const cell = (x: number, y: number) => terminal.buffer.active.getLine(y)?.getCell(x)
    return { lines, cell }
  }

  test('two pixels share a cell: the upper one is its foreground, the lower one its background', async () => {
    const { lines, cell } = await drawn(2, 2, [255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3], 16_777_216)
    expect(lines.map(({ width }) => width)).toEqual([2])
    expect(cell(0, 0)?.getChars()).toBe('▀')
    expect([cell(0, 0)?.getFgColor(), cell(0, 0)?.getBgColor()]).toEqual([0xff0000, 0x0000ff])
    expect([cell(1, 0)?.getFgColor(), cell(1, 0)?.getBgColor()]).toEqual([0x00ff00, 0x010203])
  })

  test('below an odd last row of pixels, the screen keeps its background', async () => {
    const { lines, cell } = await drawn(1, 3, [255, 0, 0, 0, 255, 0, 0, 0, 255], 16_777_216)
    expect(lines).toHaveLength(2)
    expect(cell(0, 1)?.getFgColor()).toBe(0x0000ff)
    expect(cell(0, 1)?.isBgDefault()).toBe(true)
  })

  test('with 256 colours each pixel gets the nearest colour of the palette', async () => {
    const { cell } = await drawn(1, 2, [255, 0, 0, 128, 128, 128], 256)
    expect([cell(0, 0)?.getFgColor(), cell(0, 0)?.getBgColor()]).toEqual([196, 244])
    // A colour of the palette maps to itself.
    const steps = [0, 95, 135, 175, 215, 255]
    for (const [r, red] of steps.entries())
      for (const [g, green] of steps.entries())
        for (const [b, blue] of steps.entries()) {
          const index = paletteIndex(red, green, blue)
          if (index < 232) expect(index).toBe(16 + 36 * r + 6 * g + b)
        }
    for (let n = 0; n < 24; n++) {
      const level = 8 + 10 * n
      const index = paletteIndex(level, level, level)
      if (index >= 232) expect(index).toBe(232 + n)
    }
  })
})

test('a picture keeps its proportions in cells that are twice as high as wide', () => {
  expect(fittedCells({ width: 480, height: 360 }, { columns: 40, rows: 40 })).toEqual({ columns: 40, rows: 15 })
  expect(fittedCells({ width: 360, height: 480 }, { columns: 40, rows: 12 })).toEqual({ columns: 18, rows: 12 })
  expect(fittedCells({ width: 5000, height: 10 }, { columns: 40, rows: 12 })).toEqual({ columns: 40, rows: 1 })
  expect(fittedCells({ width: 0, height: 10 }, { columns: 40, rows: 12 })).toEqual({ columns: 0, rows: 0 })
})

test('shows pictures in the best way that a terminal supports', () => {
  expect(pictureMode({ kitty: true, colours: 256, unicode: true })).toBe('kitty')
  expect(pictureMode({ kitty: false, colours: 256, unicode: true })).toBe('blocks')
  expect(pictureMode({ kitty: false, colours: 16, unicode: true })).toBe('none')
  expect(pictureMode({ kitty: false, colours: 256, unicode: false })).toBe('none')
  expect(pictureMode({ kitty: false, colours: 0, unicode: true })).toBe('none')
})

describe('pixels of a rendition', () => {
  const maker = createPixelMaker({ command: [...programCommand(), 'worker', 'pixels'] })
  afterAll(() => maker.close())
  const path = join(temporaryDirectory(), 'small.webp')

  test('fit the requested size, rotated, as bytes or as a PNG', async () => {
    const red = { r: 250, g: 10, b: 10 }
    writeFileSync(
      path,
      await sharp({ create: { width: 480, height: 240, channels: 3, background: red } })
        .webp()
        .toBuffer(),
    )
    const request = { from: path, rotation: 0, width: 40, height: 40, format: 'rgb' } as const
    const upright = await maker.load(request)
    expect([upright?.width, upright?.height, upright?.data.length]).toEqual([40, 20, 2400])
    expect((upright?.data[0] ?? 0) > 230 && (upright?.data[1] ?? 255) < 30).toBe(true)
    const turned = await maker.load({ ...request, rotation: 90 })
    expect([turned?.width, turned?.height]).toEqual([20, 40])
    const png = await maker.load({ ...request, from: await Bun.file(path).bytes(), format: 'png' })
    expect((await sharp(png?.data).metadata()).format).toBe('png')
  })

  test('of many requests at once, only the first and the newest get a result', async () => {
    const request = { from: path, rotation: 0, height: 40, format: 'rgb' } as const
    const results = await Promise.all([10, 20, 30, 40].map(width => maker.load({ ...request, width })))
    expect(results.map(result => result?.width ?? null)).toEqual([10, null, null, 40])
  })

  test('a file that is not a picture causes an error, and the next request works', async () => {
    const request = { rotation: 0, width: 10, height: 10, format: 'rgb' } as const
    expect(maker.load({ ...request, from: new TextEncoder().encode('no picture') })).rejects.toThrow()
    expect(maker.load({ ...request, from: '/nowhere/at/all.webp' })).rejects.toThrow()
    expect((await maker.load({ ...request, from: path }))?.width).toBe(10)
  })
})
