/** Files of the built-in model by name, converted at installation. The executable embeds them instead. */
import { join } from 'node:path'

const directory = join(import.meta.dir, '../../../node_modules/.keepsake/faces')
const names = ['model.json', 'blazeface.onnx', 'facemesh.onnx', 'faceres.onnx']

export const builtInFiles: Readonly<Record<string, string>> = Object.fromEntries(
  names.map(name => [name, join(directory, name)]),
)
