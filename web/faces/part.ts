/** Faces beside names that are suggested: loaded when the user starts to search. */
import { createPart } from '../app/loading/part.ts'

export const { part: facesPart, load: loadFacesPart } = createPart(async () => (await import('./lazy.tsx')).loadFaces())
