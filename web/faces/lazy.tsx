/** Faces of people, loaded when they are first shown. */
import { useSignals } from '@preact/signals-react/runtime'
import { User } from 'lucide-react'
import { loadStyle } from '../kit/load-style.ts'
import { cropOf } from './crop.ts'
import style from './faces.css' with { type: 'file' }
import { peopleSeen } from './people-seen.ts'
import { RoundFace } from './round-face.tsx'

/** The face beside a suggested name; the icon of people as long as none is known. */
function SuggestedFace({ person }: { person: number }) {
  useSignals()
  const known = peopleSeen.read().find(({ id }) => id === person)
  if (known === undefined || known.face === null) return <User size={16} className="soft shrink-0" aria-hidden="true" />
  return <RoundFace {...known} size={20} />
}

export async function loadFaces() {
  await loadStyle(style)
  return { RoundFace, SuggestedFace, cropOf }
}
