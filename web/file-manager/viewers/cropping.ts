/** The cropper over a picture: its frame has a ratio of 795 to 341, and its result exactly that many pixels. */
import Cropper, { type CropperImage, type CropperSelection } from 'cropperjs'
import { fileWidget } from '../../../schema/limits.ts'
import { boundFrame, firstFrame, fitOf, mayPlacePicture, type Rect, visiblePart } from './crop-frame.ts'

const { width: cropWidth, height: cropHeight } = fileWidget.crop
const ratio = cropWidth / cropHeight
/** Minimum width of a frame that is resized by keys, in pixels. */
const minFrame = 24

/** The parts that mouse and touch can use: no rotation, no second frame. */
function templateFor(mode: number): string {
  const fit = fitOf(mode)
  const bound = fit === null ? '' : ` min-fit="${fit}"`
  const handles = ['nw', 'ne', 'sw', 'se']
    .map(at => `<cropper-handle action="${at}-resize" theme-color="#fff"></cropper-handle>`)
    .join('')
  return `<cropper-canvas scale-step="0.1" style="width:100%;height:100%">
    <cropper-image scalable translatable initial-center-size="${mode === 3 ? 'cover' : 'contain'}"${bound}></cropper-image>
    <cropper-shade theme-color="rgba(0, 0, 0, 0.6)"></cropper-shade>
    <cropper-handle action="move" plain></cropper-handle>
    <cropper-selection aspect-ratio="${ratio}" movable resizable precise outlined theme-color="#fff">
      <cropper-grid role="grid" aria-hidden="true" bordered covered theme-color="rgba(255, 255, 255, 0.5)"></cropper-grid>
      <cropper-handle action="move" theme-color="rgba(0, 0, 0, 0)"></cropper-handle>${handles}
    </cropper-selection>
  </cropper-canvas>`
}

function pictureIn(room: Element, image: Element): Rect {
  const outer = room.getBoundingClientRect()
  const { x, y, width, height } = image.getBoundingClientRect()
  return { x: x - outer.x, y: y - outer.y, width, height }
}

function keepWithinLimits(mode: number, room: Element, image: CropperImage, selection: CropperSelection): void {
  const frameNow = (): Rect => ({ x: selection.x, y: selection.y, width: selection.width, height: selection.height })
  selection.addEventListener('change', event => {
    if (!(event instanceof CustomEvent)) return
    const wanted: Rect = event.detail
    const bound = boundFrame(mode, pictureIn(room, image), frameNow(), wanted)
    if (bound === null) return
    event.preventDefault()
    if (bound !== 'no') selection.$change(bound.x, bound.y, bound.width, bound.height)
  })
  image.addEventListener('change', event => {
    if (!(event instanceof CustomEvent)) return
    const next: Rect = event.detail
    const { width, height } = room.getBoundingClientRect()
    const now = pictureIn(room, image)
    if (!mayPlacePicture(mode, { room: { width, height }, frame: frameNow(), now, next })) event.preventDefault()
  })
  const { x, y, width, height } = firstFrame(visiblePart(pictureIn(room, image), room.getBoundingClientRect()), ratio)
  selection.$change(x, y, width, height)
}

export interface Cropping {
  /** Moves the frame by screen pixels, within its limits. */
  move(x: number, y: number): void
  /** Resizes the frame around its centre. */
  grow(by: number): void
  /** Returns the part in the frame, 795 by 341. */
  picture(type: string): Promise<Blob>
  end(): void
}

/** Shows the cropper; resolves when the picture is loaded. `onMoved`: the frame or the picture was moved. */
export async function startCropping(
  of: Blob,
  room: HTMLElement,
  { mode, onMoved }: { mode: number; onMoved: () => void },
): Promise<Cropping> {
  const address = URL.createObjectURL(of)
  try {
    return await startWith(address, room, { mode, onMoved })
  } catch (error) {
    URL.revokeObjectURL(address)
    throw error
  }
}

async function startWith(
  address: string,
  room: HTMLElement,
  { mode, onMoved }: { mode: number; onMoved: () => void },
): Promise<Cropping> {
  const source = document.createElement('img')
  source.src = address
  source.alt = ''
  const cropper = new Cropper(source, { container: room, template: templateFor(mode) })
  const image = cropper.getCropperImage()
  const selection = cropper.getCropperSelection()
  if (image === null || selection === null) throw new Error('the cropper did not start')
  await image.$ready()
  // Otherwise the cropper would centre the picture later, away from the frame.
  image.$center(mode === 3 ? 'cover' : 'contain')
  await new Promise(requestAnimationFrame)
  keepWithinLimits(mode, room, image, selection)
  for (const moved of [selection, image]) moved.addEventListener('change', event => event.defaultPrevented || onMoved())
  return {
    move: (x, y) => void selection.$move(x, y),
    grow(by) {
      const { x, y, width } = selection
      const wanted = Math.max(minFrame, width + by)
      selection.$change(x - (wanted - width) / 2, y - (wanted - width) / ratio / 2, wanted, wanted / ratio)
    },
    async picture(type) {
      const drawn = await selection.$toCanvas({
        width: cropWidth,
        beforeDraw: context => {
          context.imageSmoothingQuality = 'high'
        },
      })
      const canvas = document.createElement('canvas')
      canvas.width = cropWidth
      canvas.height = cropHeight
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('the browser draws no pictures')
      if (type === 'image/jpeg') {
        // JPEG has no transparency, so the area beside the picture becomes white.
        context.fillStyle = '#fff'
        context.fillRect(0, 0, cropWidth, cropHeight)
      }
      context.drawImage(drawn, 0, 0, cropWidth, cropHeight)
      const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, type, 0.92))
      if (blob === null || blob.type !== type) throw new Error('the browser cannot write such a picture')
      return blob
    },
    end() {
      cropper.destroy()
      URL.revokeObjectURL(address)
    },
  }
}
