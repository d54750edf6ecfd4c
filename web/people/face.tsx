/** A person's face. Its code is the part that suggestions load too: shared modules would be in the first load. */
import { useSignals } from '@preact/signals-react/runtime'
import type { SeenPerson } from '../../schema/api/people.ts'
import { facesPart } from '../faces/part.ts'

export function Face({ size, ...person }: Pick<SeenPerson, 'name' | 'face'> & { size: number }) {
  useSignals()
  const { value } = facesPart
  if (value === null) return <span style={{ width: size, height: size, flex: 'none' }} />
  return <value.RoundFace {...person} size={size} />
}
