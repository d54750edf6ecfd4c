/** Detects faces on pixels and describes them: with the built-in networks, or with an added model. */
import { readFileSync } from 'node:fs'
import { findFaces } from './detect.ts'
import type { NetworkName, Networks } from './human.ts'
import { openAddedIn } from './models/added.ts'
import { networkFiles } from './network-files.ts'
import { loadOnnx, openOnnx } from './onnx.ts'
import type { Picture } from './pixels.ts'

/** Throws when ONNX Runtime does not run on this machine. */
export async function openNetworks(): Promise<Networks> {
  const onnx = await loadOnnx()
  const open = async (name: NetworkName) => {
    const session = await openOnnx(onnx, readFileSync(networkFiles[name]))
    return { run: (input: Float32Array) => session.run(input, session.inputShape) }
  }
  return { blazeface: await open('blazeface'), facemesh: await open('facemesh'), faceres: await open('faceres') }
}

/** `model`: directory of an added one; '': the built-in networks. */
export async function openRecogniser(model: string) {
  if (model !== '') return openAddedIn(model)
  const networks = await openNetworks()
  return (picture: Picture, confidence: number) => findFaces(networks, picture, confidence)
}

export type Recogniser = Awaited<ReturnType<typeof openRecogniser>>
