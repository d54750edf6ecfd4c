/** Which of the faces that were found are in boxes already, and which are new. Pure. */
import { likeness } from '../../../../schema/boxes.ts'
import type { LikePerson } from '../../../../schema/faces.ts'
import type { SeenFace } from '../../../faces/face-messages.ts'
import type { Size } from '../../../items/pictures/zoom.ts'
import { turnedBox } from '../boxes/box-rules.ts'
import { type FormBox, isProposal } from '../item-form.ts'

/** A face, and by whose eyes it was seen: only those of one model are compared. */
export interface ModelFace extends SeenFace {
  model: string
  /** Whom the server takes it for, the likeliest first; null: it has not been asked, or says nothing of a named face. */
  people: readonly LikePerson[] | null
  /** The server's number of it, which learns by itself whom it shows, as soon as its box has a name; null: found here. */
  found: number | null
}

export interface PlacedFaces<Face> {
  /** A face, and the box that it is in: each belongs to one. */
  matched: { face: Face; box: FormBox }[]
  fresh: Face[]
  /** Boxes of earlier tries that nobody has named, and no face is in now. */
  stale: FormBox[]
}

/** Boxes are the same within the tolerance of the specification, or where they overlap enough; the most alike first. */
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

/** Those of this browser that lie on none of the server's. */
export function fainterThan<Face extends SeenFace>(server: readonly SeenFace[], browser: readonly Face[]): Face[] {
  return browser.filter(({ box }) => !server.some(face => likeness(face.box, box) > 0))
}

const tidy = (length: number) => Math.round(length * 1000) / 1000

/** The face within the picture, and turned as the picture was meanwhile. `sides` are those of the picture looked at. */
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
