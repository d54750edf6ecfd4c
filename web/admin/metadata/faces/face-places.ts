/** Which found faces are in boxes already, and which are new. Pure. */
import { likeness } from '../../../../schema/boxes.ts'
import type { LikePerson } from '../../../../schema/faces.ts'
import type { SeenFace } from '../../../faces/face-messages.ts'
import type { Size } from '../../../items/pictures/zoom.ts'
import { turnedBox } from '../boxes/box-rules.ts'
import { type FormBox, isProposal } from '../item-form.ts'

/** A face with its model: only faces of one model are compared. */
export interface ModelFace extends SeenFace {
  model: string
  /** The server's suggestions, most likely first; null: not asked, or the face is named. */
  people: readonly LikePerson[] | null
  /** The server's id of it: it learns whom it shows as soon as its box is named; null: found here. */
  found: number | null
}

export interface PlacedFaces<Face> {
  /** A face, and its box: each belongs to one other. */
  matched: { face: Face; box: FormBox }[]
  fresh: Face[]
  /** Unnamed boxes of earlier runs without a face now. */
  stale: FormBox[]
}

/** Boxes are the same within the specified tolerance, or where they overlap enough; the most similar first. */
export function placeFaces<Face extends SeenFace>(
  faces: readonly Face[],
  boxes: readonly FormBox[],
): PlacedFaces<Face> {
  const people = boxes.filter(({ kind }) => kind === 'person')
  const pairs = faces
    .flatMap(face => people.map(box => ({ face, box, alike: likeness(face.box, box) })))
    .filter(({ alike }) => alike > 0)
    .sort((a, b) => b.alike - a.alike)
  const matched: PlacedFaces<Face>['matched'] = []
  for (const { face, box } of pairs) {
    if (!matched.some(pair => pair.face === face || pair.box === box)) matched.push({ face, box })
  }
  return {
    matched,
    fresh: faces.filter(face => !matched.some(pair => pair.face === face)),
    stale: people.filter(box => isProposal(box) && !matched.some(pair => pair.box === box)),
  }
}

/** Faces of this browser that are in none of the server's boxes. */
export function fainterThan<Face extends SeenFace>(server: readonly SeenFace[], browser: readonly Face[]): Face[] {
  return browser.filter(({ box }) => !server.some(face => likeness(face.box, box) > 0))
}

const tidy = (length: number) => Math.round(length * 1000) / 1000

/** Places the face within the picture, rotated as the picture was meanwhile. `sides`: of the processed picture. */
export function faceOn<Face extends SeenFace>(face: Face, sides: Size, degrees: number): Face {
  const x = Math.max(0, face.box.x)
  const y = Math.max(0, face.box.y)
  const box = {
    x: tidy(x),
    y: tidy(y),
    width: tidy(Math.min(face.box.x + face.box.width, sides.width) - x),
    height: tidy(Math.min(face.box.y + face.box.height, sides.height) - y),
  }
  return { ...face, box: turnedBox(box, degrees, sides) }
}
