/** The built-in networks as they came, with what can be reckoned beforehand reckoned. */
import { readFileSync } from 'node:fs'
import { type NetworkName, networks } from '../human.ts'
import { modelFiles } from '../model-files.ts'
import { foldGraph } from './fold.ts'
import { type Graph, readGraph } from './graph.ts'

function file(name: string): Uint8Array {
  const path = modelFiles[name]
  if (path === undefined) throw new Error(`there is no file ${name}`)
  return readFileSync(path)
}

/** Throws where its files are not whole. */
export function graphOf(name: NetworkName): Graph {
  const json: unknown = JSON.parse(new TextDecoder().decode(file(`${name}.json`)))
  return foldGraph(readGraph(json, file(`${name}.bin`), networks[name]))
}
