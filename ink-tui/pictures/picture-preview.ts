/** The picture beside an item's details. It is loaded shortly after the cursor stops. */
import { useEffect, useState } from 'react'
import type { Rotation } from '../../core/media/cache/renditions.ts'
import type { PixelMaker } from '../../core/media/decode/pixels.ts'
import { reasonOf } from '../../schema/errors.ts'
import type { Line } from '../line.ts'
import { type Ui, useUi } from '../ui.ts'
import {
  confirmsGraphics,
  fittedCells,
  graphicsQuery,
  halfBlocks,
  type PictureMode,
  pictureMode,
  placePicture,
  type Rectangle,
  removePicture,
  sendPicture,
  whyNoPicture,
} from './pictures.ts'

/** Milliseconds before a picture is loaded, so that items passed while scrolling load none. */
const restMs = 60
/** Milliseconds to wait for the terminal's response; without one, it does not support the protocol. */
const answerMs = 400
/** Milliseconds to wait, so that the picture is sent after its frame. */
const afterFrameMs = 50
/** Maximum edge of a picture that the terminal draws. */
const sentEdge = 480

let kitty: Promise<boolean> | null = null
let maker: Promise<PixelMaker> | null = null
let nextId = 4480

/** Queries the terminal once. In tmux and screen, positions differ from the terminal's, so half blocks are used. */
function supportsKitty(ui: Ui): Promise<boolean> {
  const { abilities } = ui.terminal
  kitty ??= new Promise(resolve => {
    if (abilities.colours < 256 || !abilities.unicode || abilities.multiplexer !== null) return resolve(false)
    const end = (speaks: boolean) => {
      clearTimeout(timer)
      stop()
      resolve(speaks)
    }
    const timer = setTimeout(() => end(false), answerMs)
    const stop = ui.onAnswer(sequence => {
      if (confirmsGraphics(sequence)) end(true)
      // Every terminal sends this response; one that supports the protocol has confirmed that before.
      else if (/^\[\?[\d;]*c$/.test(sequence)) end(false)
    })
    ui.terminal.send(`${graphicsQuery}\u001b[c`)
  })
  return kitty
}

async function startMaker(): Promise<PixelMaker> {
  const { createPixelMaker } = await import('../../core/media/decode/pixels.ts')
  const { ownCommand } = await import('../../core/kernel/worker-command.ts')
  return createPixelMaker({ command: [...ownCommand(), 'worker', 'pixels'] })
}

/** The small rendition from the cache, or a message if there is none. */
async function findSmallRendition(ui: Ui, id: number): Promise<{ path: string; rotation: Rotation } | string> {
  const { library, viewer } = ui.session
  const { readyRendition } = await import('../../core/media/cache/ready-rendition.ts')
  const item = library.items.findForBytes(viewer, id)
  if (item === null) return 'The item no longer exists.'
  if (item.problem !== null || item.content === '') return 'It has no picture.'
  return readyRendition(library.cache, item, 'small') ?? 'No preview yet: scan the collection.'
}

/** How this terminal can draw pictures; null while it is being queried. */
export function usePictureMode(): PictureMode | null {
  const ui = useUi()
  const [kitty, setKitty] = useState<boolean | null>(null)
  useEffect(() => void supportsKitty(ui).then(setKitty), [ui])
  const { colours, unicode } = ui.terminal.abilities
  return kitty === null ? null : pictureMode({ kitty, colours, unicode })
}

interface ShownPicture {
  lines: readonly Line[]
  /** The picture that the terminal has stored. */
  sent: { id: number; columns: number; rows: number } | null
}

const noPicture: ShownPicture = { lines: [], sent: null }

/**
 * Lines of the picture within the rectangle (cells of the whole screen); empty if the terminal itself draws it. The
 * item's `key` changes when its picture looks different.
 */
export function usePicture(
  item: { id: number; key: string } | null,
  room: Rectangle,
  mode: PictureMode | null,
): readonly Line[] {
  const ui = useUi()
  const [shown, setShown] = useState<ShownPicture>(noPicture)
  const { columns, rows, column, row } = room
  const id = item?.id ?? 0
  const key = item?.key ?? ''
  const hasRoom = columns >= 8 && rows > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes when the same item looks different
  useEffect(() => {
    if (id === 0 || mode === null || !hasRoom) return setShown(noPicture)
    if (mode === 'none') {
      const { colours, unicode } = ui.terminal.abilities
      return setShown({ lines: [[{ text: whyNoPicture(colours, unicode), style: 'dim' }]], sent: null })
    }
    let isOn = true
    const report = (text: string) => isOn && setShown({ lines: [[{ text, style: 'dim' }]], sent: null })
    const timer = setTimeout(async () => {
      try {
        const small = await findSmallRendition(ui, id)
        if (typeof small === 'string') return report(small)
        maker ??= startMaker()
        const { load } = await maker
        const { path: from, rotation } = small
        if (mode === 'kitty') {
          const picture = await load({ from, rotation, width: sentEdge, height: sentEdge, format: 'png' })
          if (picture === null || !isOn) return
          const pictureId = nextId++
          ui.terminal.send(sendPicture(pictureId, picture.data))
          setShown({ lines: [], sent: { id: pictureId, ...fittedCells(picture, { columns, rows }) } })
        } else {
          const picture = await load({ from, rotation, width: columns, height: rows * 2, format: 'rgb' })
          if (picture === null || !isOn) return
          const drawn = halfBlocks(picture, ui.terminal.abilities.colours)
          setShown({ lines: drawn.map(line => [line]), sent: null })
        }
      } catch (error) {
        report(`The picture could not be read: ${reasonOf(error)}`)
      }
    }, restMs)
    return () => {
      isOn = false
      clearTimeout(timer)
    }
  }, [ui, mode, id, key, columns, rows, hasRoom])

  const { sent } = shown
  // Text drawn over cells may erase the picture, so place it again after each frame of this screen.
  useEffect(() => {
    if (sent === null) return
    const place = placePicture(sent.id, { column, row, columns: sent.columns, rows: sent.rows })
    const timer = setTimeout(() => ui.terminal.send(place), afterFrameMs)
    return () => clearTimeout(timer)
  })
  useEffect(() => {
    if (sent === null) return
    return () => ui.terminal.send(removePicture(sent.id))
  }, [sent, ui])
  return shown.lines
}
