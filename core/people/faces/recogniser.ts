/** Whatever finds faces on pixels and describes them: the model that is built in, or one that was added. */
import { openEngine } from './engines.ts'
import { lookAt } from './look.ts'
import { openAddedIn } from './models/added.ts'
import type { Picture } from './pixels.ts'
import type { LookStart } from './workers/worker-messages.ts'

export async function openRecogniser({ engine, model }: Pick<LookStart, 'engine' | 'model'>) {
  if (model !== '') return { engine: 'onnx' as const, look: await openAddedIn(model) }
  const { name, networks, why } = await openEngine(engine)
  const look = (picture: Picture, confidence: number) => lookAt(networks, picture, confidence)
  return { engine: name, look, ...(why === undefined ? {} : { why }) }
}

export type Recogniser = Awaited<ReturnType<typeof openRecogniser>>
