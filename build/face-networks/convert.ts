/**
 * Converts the networks of @vladmandic/human to ONNX, once for each installation, and writes their manifest:
 * `bun build/face-networks/convert.ts`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtInFiles } from '../../core/people/faces/built-in-files.ts'
import { networks } from '../../core/people/faces/human.ts'
import { type BuiltInManifest, modelFileHash } from '../../core/people/faces/models/manifest.ts'
import { limits } from '../../schema/limits.ts'
import { foldGraph } from './fold.ts'
import { readGraph } from './graph.ts'
import { onnxOf } from './to-onnx.ts'

const models = join(import.meta.dir, '../../node_modules/@vladmandic/human/models')

function write(name: string, content: string | Uint8Array): void {
  const path = builtInFiles[name] ?? ''
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** Writes one network; returns its entry of the manifest. */
function convert(name: keyof typeof networks) {
  const json: unknown = JSON.parse(readFileSync(join(models, `${name}.json`), 'utf8'))
  const graph = readGraph(json, readFileSync(join(models, `${name}.bin`)), networks[name])
  const bytes = onnxOf(foldGraph(graph))
  write(`${name}.onnx`, bytes)
  return { file: `${name}.onnx`, sha256: modelFileHash(bytes) }
}

/** Writes the files of `core/people/faces/built-in-files.ts`. Throws when the package's files are incomplete. */
export function convertNetworks(): void {
  const manifest: BuiltInManifest = {
    name: limits.faceModel,
    detector: { ...convert('blazeface'), kind: 'human' },
    mesh: convert('facemesh'),
    embedder: convert('faceres'),
  }
  write('model.json', JSON.stringify(manifest))
}

if (import.meta.main) convertNetworks()
