/** Pictures on a terminal: by kitty's graphics protocol if supported, else half blocks in the available colours. */
import type { Colours, Drawn } from '../line.ts'

export type PictureMode = 'kitty' | 'blocks' | 'none'

const esc = '\u001b'
const sequenceEnd = `${esc}\\`

/** Id of the query for the protocol; terminals that support it respond with this id and OK. */
const graphicsQueryId = 31
export const graphicsQuery = `${esc}_Gi=${graphicsQueryId},s=1,v=1,a=q,t=d,f=24;AAAA${sequenceEnd}`

/** Whether a response (without its first escape) confirms the protocol. */
export function confirmsGraphics(answer: string): boolean {
  return answer.startsWith(`_Gi=${graphicsQueryId};OK`)
}

function command(control: Record<string, string | number>, payload = ''): string {
  const keys = Object.entries(control).map(([key, value]) => `${key}=${value}`)
  return `${esc}_G${keys.join(',')}${payload === '' ? '' : `;${payload}`}${sequenceEnd}`
}

/** Maximum bytes of base64 in one command. */
const maxChunk = 4096

/** The sequence that stores a PNG under an id; q=2 suppresses the response. */
export function sendPicture(id: number, png: Uint8Array): string {
  const text = Buffer.from(png).toString('base64')
  const parts: string[] = []
  for (let at = 0; at < text.length; at += maxChunk) {
    const more = at + maxChunk < text.length ? 1 : 0
    const control: Record<string, string | number> = at === 0 ? { a: 't', f: 100, t: 'd', i: id, q: 2 } : { q: 2 }
    parts.push(command({ ...control, m: more }, text.slice(at, at + maxChunk)))
  }
  return parts.join('')
}

/** A rectangle in cells; 0, 0 is the screen's top left. */
export interface Rectangle {
  column: number
  row: number
  columns: number
  rows: number
}

/** The sequence that shows a stored picture, stretched over the rectangle, or moves it there; the cursor stays. */
export function placePicture(id: number, { column, row, columns, rows }: Rectangle): string {
  const at = `${esc}[${row + 1};${column + 1}H`
  // C=1: the cursor does not move past the picture, which would scroll the screen.
  return `${esc}7${at}${command({ a: 'p', i: id, p: 1, c: columns, r: rows, C: 1, q: 2 })}${esc}8`
}

/** The sequence that removes a picture from the screen and from the terminal's memory. */
export function removePicture(id: number): string {
  return command({ a: 'd', d: 'I', i: id, q: 2 })
}

/** The largest rectangle of cells in `room` with the picture's aspect ratio; cells are twice as high as wide. */
export function fittedCells(
  picture: { width: number; height: number },
  room: { columns: number; rows: number },
): { columns: number; rows: number } {
  if (picture.width <= 0 || picture.height <= 0 || room.columns <= 0 || room.rows <= 0) return { columns: 0, rows: 0 }
  const scale = Math.min(room.columns / picture.width, (room.rows * 2) / picture.height)
  return {
    columns: Math.max(1, Math.min(room.columns, Math.round(picture.width * scale))),
    rows: Math.max(1, Math.min(room.rows, Math.round((picture.height * scale) / 2))),
  }
}

/** The levels of the 256-colour cube. */
const steps = [0, 95, 135, 175, 215, 255] as const

function stepOf(value: number): number {
  return value < 48 ? 0 : value < 115 ? 1 : Math.min(5, Math.floor((value - 35) / 40))
}

/** The nearest of 256 colours, in the cube or the greys. */
export function paletteIndex(red: number, green: number, blue: number): number {
  const [r, g, b] = [stepOf(red), stepOf(green), stepOf(blue)]
  const grey = Math.max(0, Math.min(23, Math.round((red + green + blue) / 3 / 10 - 0.8)))
  const level = 8 + 10 * grey
  const squaredDistance = (x: number, y: number, z: number) => (x - red) ** 2 + (y - green) ** 2 + (z - blue) ** 2
  const ofCube = squaredDistance(steps[r] ?? 0, steps[g] ?? 0, steps[b] ?? 0)
  return squaredDistance(level, level, level) < ofCube ? 232 + grey : 16 + 36 * r + 6 * g + b
}

interface Raster {
  width: number
  height: number
  /** Three bytes per pixel, row by row. */
  data: Uint8Array
}

/** Two pixels per cell, one above the other, so that two rows make one line. */
export function halfBlocks({ width, height, data }: Raster, colours: Colours): Drawn[] {
  const exact = colours > 256
  const codeAt = (x: number, y: number): string | null => {
    if (y >= height) return null
    const at = (y * width + x) * 3
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    return exact ? `2;${red};${green};${blue}` : `5;${paletteIndex(red, green, blue)}`
  }
  const lines: Drawn[] = []
  for (let y = 0; y < height; y += 2) {
    let drawn = ''
    let last = ''
    for (let x = 0; x < width; x++) {
      const [upper, lower] = [codeAt(x, y), codeAt(x, y + 1)]
      const look = `${esc}[38;${upper}${lower === null ? ';49' : `;48;${lower}`}m`
      drawn += look === last ? '▀' : `${look}▀`
      last = look
    }
    lines.push({ drawn: `${drawn}${esc}[0m`, width })
  }
  return lines
}

/** Why there is no picture, for the line shown instead. */
export function whyNoPicture(colours: Colours, unicode: boolean): string {
  if (!unicode) return 'No preview: this terminal shows only plain characters.'
  return colours === 0 ? 'No preview without colours.' : 'No preview in 16 colours.'
}

export function pictureMode(can: { kitty: boolean; colours: Colours; unicode: boolean }): PictureMode {
  if (can.kitty) return 'kitty'
  return can.colours >= 256 && can.unicode ? 'blocks' : 'none'
}
