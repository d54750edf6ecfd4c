/** Detects faces on pixels and describes them, with the built-in model or an added one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtInFiles } from './built-in-files.ts'
import { type FaceModel, findFacesWith } from './detect.ts'
import type { FoundBox } from './detected-boxes.ts'
import { openHuman } from './human.ts'
import { openAdded } from './models/added.ts'
import { modelFileHash, type NetworkFile, readAnyManifest } from './models/manifest.ts'
import type { Picture } from './pixels.ts'

function builtIn(name: string): string {
  const path = builtInFiles[name]
  if (path === undefined) throw new Error(`there is no built-in file ${name}`)
  return path
}

/** `model`: an added one's directory, or '' (built in). Throws if a file is damaged or ONNX Runtime does not run. */
export async function openFaceModel(model: string): Promise<FaceModel<FoundBox>> {
  const read = (name: string) => readFileSync(model === '' ? builtIn(name) : join(model, name))
  const remedy = model === '' ? 'Install Keepsake again' : 'Remove the model and add it again'
  const manifest = readAnyManifest(read('model.json').toString())
  if (typeof manifest === 'string') throw new Error(manifest)
  const fileOf = ({ file, sha256 }: NetworkFile) => {
    const bytes = read(file)
    // Otherwise the results of a damaged network would be stored as those of the intact one.
    if (modelFileHash(bytes) !== sha256.toLowerCase())
      throw new Error(`the file ${file} of the model '${manifest.name}' is damaged. ${remedy}`)
    return bytes
  }
  return 'mesh' in manifest ? openHuman(manifest, fileOf) : openAdded(manifest, fileOf)
}

export async function openRecogniser(model: string) {
  const faceModel = await openFaceModel(model)
  return (picture: Picture, confidence: number) => findFacesWith(faceModel, picture, confidence)
}

export type Recogniser = Awaited<ReturnType<typeof openRecogniser>>
