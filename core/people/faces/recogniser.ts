/** Whatever finds faces on pixels and describes them: the model that is built in, or one that was added. */
import { type EngineName, openEngine } from './engines.ts'
import type { Described } from './human.ts'
import { lookAt } from './look.ts'
import { openAddedIn } from './models/added.ts'
import type { Picture } from './pixels.ts'

export interface Recogniser {
  engine: EngineName
  /** Why it is not the faster engine. */
  why?: string
  look(picture: Picture, confidence: number): Promise<Described[]>
}

export async function openRecogniser({
  engine,
  model,
}: {
  engine: EngineName | 'auto'
  /** Directory of a model that was added; '': the one that is built in. */
  model: string
}): Promise<Recogniser> {
  if (model !== '') return { engine: 'onnx', look: await openAddedIn(model) }
  const { name, networks, why } = await openEngine(engine)
  return {
    engine: name,
    ...(why === undefined ? {} : { why }),
    look: (picture, confidence) => lookAt(networks, picture, confidence),
  }
}
