/** Paths of the built-in model's files, converted here by the installation; the executable's build embeds copies. */
import { join } from 'node:path'

const directory = join(import.meta.dir, '../../../node_modules/.keepsake/faces')
const names = ['model.json', 'blazeface.onnx', 'facemesh.onnx', 'faceres.onnx']

export const builtInFiles: Readonly<Record<string, string>> = Object.fromEntries(
  names.map(name => [name, join(directory, name)]),
)
