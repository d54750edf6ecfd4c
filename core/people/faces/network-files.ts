/** The built-in networks as ONNX files, converted at installation. The executable embeds them instead. */
import { join } from 'node:path'
import type { NetworkName } from './human.ts'

const converted = join(import.meta.dir, '../../../node_modules/.keepsake/faces')

export const networkFiles: Readonly<Record<NetworkName, string>> = {
  blazeface: join(converted, 'blazeface.onnx'),
  facemesh: join(converted, 'facemesh.onnx'),
  faceres: join(converted, 'faceres.onnx'),
}
