/** Converts the networks of @vladmandic/human to ONNX, once for each installation: `bun build/face-networks/convert.ts`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type NetworkName, networks } from '../../core/people/faces/human.ts'
import { networkFiles } from '../../core/people/faces/network-files.ts'
import { foldGraph } from './fold.ts'
import { readGraph } from './graph.ts'
import { onnxOf } from './to-onnx.ts'

const models = join(import.meta.dir, '../../node_modules/@vladmandic/human/models')

export const networkNames: readonly NetworkName[] = ['blazeface', 'facemesh', 'faceres']

/** Writes the files that `core/people/faces/network-files.ts` names. Throws when the package's files are incomplete. */
export function convertNetworks(): void {
  for (const name of networkNames) {
    const json: unknown = JSON.parse(readFileSync(join(models, `${name}.json`), 'utf8'))
    const graph = readGraph(json, readFileSync(join(models, `${name}.bin`)), networks[name])
    mkdirSync(dirname(networkFiles[name]), { recursive: true })
    writeFileSync(networkFiles[name], onnxOf(foldGraph(graph)))
  }
}

if (import.meta.main) convertNetworks()
