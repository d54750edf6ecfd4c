/** Which found faces already have a box, and which are new. Pure. */
import { boxSimilarity } from '../../../../schema/boxes.ts'
import type { LikePerson } from '../../../../schema/faces.ts'
import type { SeenFace } from '../../../faces/face-messages.ts'
import type { Size } from '../../../items/pictures/zoom.ts'
import { rotatedBox } from '../boxes/box-rules.ts'
import { type FormBox, isProposal } from '../item-form.ts'

/** A face with its model, because only faces of the same model are compared. */
export interface ModelFace extends SeenFace {
  model: string
  /** The server's suggestions, most likely first; null if the face is named. */
  people: readonly LikePerson[] | null
  /** The server's id of a face that it found itself; null if this browser found the face. */
  found: number | null
}

export interface PlacedFaces<Face> {
  /** Pairs of a face and its box; each face and each box is in one pair at most. */
  matched: { face: Face; box: FormBox }[]
  newFaces: Face[]
  /** Unnamed boxes of earlier runs that have no face now. */
  lostBoxes: FormBox[]
}

/** Boxes match within the specified tolerance, or if they overlap enough; the most similar ones are paired first. */
export function placeFaces<Face extends SeenFace>(
  faces: readonly Face[],
  boxes: readonly FormBox[],
): PlacedFaces<Face> {
  const people = boxes.filter(({ kind }) => kind === 'person')
  const pairs = faces
    .flatMap(face => people.map(box => ({ face, box, alike: boxSimilarity(face.box, box) })))
    .filter(({ alike }) => alike > 0)
    .sort((a, b) => b.alike - a.alike)
  const matched: PlacedFaces<Face>['matched'] = []
  for (const { face, box } of pairs) {
    if (!matched.some(pair => pair.face === face || pair.box === box)) matched.push({ face, box })
  }
  return {
    matched,
    newFaces: faces.filter(face => !matched.some(pair => pair.face === face)),
    lostBoxes: people.filter(box => isProposal(box) && !matched.some(pair => pair.box === box)),
  }
}

/** Faces found by this browser that match none of the server's. */
export function missedByServer<Face extends SeenFace>(server: readonly SeenFace[], browser: readonly Face[]): Face[] {
  return browser.filter(({ box }) => !server.some(face => boxSimilarity(face.box, box) > 0))
}

const tidy = (length: number) => Math.round(length * 1000) / 1000

/** Converts a face to the picture as it is now, after a rotation by `degrees`. `sides`: the picture's size before. */
export function faceAfterRotation<Face extends SeenFace>(face: Face, sides: Size, degrees: number): Face {
  const x = Math.max(0, face.box.x)
  const y = Math.max(0, face.box.y)
  const box = {
    x: tidy(x),
    y: tidy(y),
    width: tidy(Math.min(face.box.x + face.box.width, sides.width) - x),
    height: tidy(Math.min(face.box.y + face.box.height, sides.height) - y),
  }
  return { ...face, box: rotatedBox(box, degrees, sides) }
}
