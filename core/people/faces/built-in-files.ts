/**
 * Paths of the built-in face model's files by name. Installation converts the model into this directory; in the
 * executable the build replaces this module with embedded copies.
 */
import { join } from 'node:path'

const directory = join(import.meta.dir, '../../../node_modules/.keepsake/faces')
const names = ['model.json', 'blazeface.onnx', 'facemesh.onnx', 'faceres.onnx']

export const builtInFiles: Readonly<Record<string, string>> = Object.fromEntries(
  names.map(name => [name, join(directory, name)]),
)
