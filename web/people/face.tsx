/** A person's face. Its code is in the part that suggestions load, too, so that the first load does not contain it. */
import { useSignals } from '@preact/signals-react/runtime'
import type { SeenPerson } from '../../schema/api/people.ts'
import { facesPart } from '../faces/part.ts'

export function Face({ size, ...person }: Pick<SeenPerson, 'name' | 'face'> & { size: number }) {
  useSignals()
  const { value } = facesPart
  if (value === null) return <span style={{ width: size, height: size, flex: 'none' }} />
  return <value.RoundFace {...person} size={size} />
}
