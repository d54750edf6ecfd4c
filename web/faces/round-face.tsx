/** A person's face in a circle, cropped from a picture; initials where no face is known. */
import type { SeenPerson } from '../../schema/api/people.ts'
import { pictureOf } from '../api.ts'
import { useBroken } from '../app/loading/use-broken.ts'
import { placeholderUrl } from '../items/pictures/thumbhash.ts'
import { cropOf } from './crop.ts'

/** Longer edges of the renditions, in pixels. */
const smallEdge = 480
const mediumEdge = 960
/** A picture is never enlarged beyond this. */
const maxScale = 2

/** The first letters of a name's first and last words: 'Mia Ferrer' → 'MF'. */
export function initialsOf(name: string): string {
  const words = name
    .split(/\s+/)
    .map(word => word.replace(/^[^\p{L}\p{N}]+/u, ''))
    .filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(word => [...(word ?? '')][0] ?? '')
  // Arabic letters would join to what looks like a word.
  return letters.join('\u200c').toLocaleUpperCase()
}

/** `size`: pixels. */
export function RoundFace({ name, face, size }: Pick<SeenPerson, 'name' | 'face'> & { size: number }) {
  const crop =
    face === null ? null : cropOf(face.box, face.item, { least: (size * 1000) / (mediumEdge * maxScale), fills: true })
  // The longer edge of the whole picture at this size, on the screen's own pixels.
  const edge =
    crop === null ? 0 : (Math.max(Number.parseFloat(crop.width), Number.parseFloat(crop.height)) * size) / 100
  const source = face === null ? '' : pictureOf(face.item, edge * devicePixelRatio > smallEdge ? 'medium' : 'small')
  const { broken, onError } = useBroken(source)
  const stand = face === null ? null : placeholderUrl(face.item.thumbhash, face.item.rotation)
  return (
    <span className="face" style={{ width: size, height: size, fontSize: size * 0.36 }} aria-hidden="true">
      {crop === null || broken ? (
        initialsOf(name)
      ) : (
        <span
          className="face-crop"
          style={{ ...crop, ...(stand === null ? {} : { backgroundImage: `url(${stand})` }) }}
        >
          <img key={source} src={source} alt="" loading="lazy" decoding="async" draggable={false} onError={onError} />
        </span>
      )}
    </span>
  )
}
