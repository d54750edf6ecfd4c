/** Where the networks' files lie: in the packages that they came with. The executable carries them, and replaces this module. */
import { join } from 'node:path'

const packages = join(import.meta.dir, '../../../node_modules')

/** Each: what is reckoned, and its weights. */
export const modelFiles: Readonly<Record<string, string>> = {
  'blazeface.json': join(packages, '@vladmandic/human/models/blazeface.json'),
  'blazeface.bin': join(packages, '@vladmandic/human/models/blazeface.bin'),
  'facemesh.json': join(packages, '@vladmandic/human/models/facemesh.json'),
  'facemesh.bin': join(packages, '@vladmandic/human/models/facemesh.bin'),
  'faceres.json': join(packages, '@vladmandic/human/models/faceres.json'),
  'faceres.bin': join(packages, '@vladmandic/human/models/faceres.bin'),
  'tfjs-backend-wasm-simd.wasm': join(packages, '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm'),
}
