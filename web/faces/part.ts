/** Faces beside names that are suggested: loaded when the user starts to search. */
import { createElement, type ReactNode } from 'react'
import type { Suggestion } from '../../schema/suggestion-match.ts'
import { createPart } from '../app/loading/part.ts'

export const { part: facesPart, load: loadFacesPart } = createPart(async () => (await import('./lazy.tsx')).loadFaces())

/** What suggestions show before a name: a person's face once it is loaded, undefined for the icon. Reads signals. */
export function faceForSuggestion({ kind, id }: Pick<Suggestion, 'kind' | 'id'>): ReactNode {
  const { value } = facesPart
  return value !== null && kind === 'People' ? createElement(value.SuggestedFace, { person: id }) : undefined
}
