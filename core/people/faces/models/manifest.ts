/** The manifest of a model: its files, and the inputs and outputs of its networks. */
import { createHash } from 'node:crypto'
import { z } from 'zod'

const file = {
  /** A file name beside the manifest, or an address. */
  file: z.string().min(1).max(2000),
  sha256: z.string().regex(/^[0-9a-f]{64}$/i, 'sha256 has 64 hexadecimal digits'),
}

export type NetworkFile = { file: string; sha256: string }

/** The built-in model, which `human.ts` runs. The mesh network finds points, and rejects boxes without a face. */
const builtInManifest = z.strictObject({
  name: z.string(),
  detector: z.strictObject({ ...file, kind: z.literal('human') }),
  mesh: z.strictObject(file),
  embedder: z.strictObject(file),
})
export type BuiltInManifest = z.output<typeof builtInManifest>

const three = z.tuple([z.number(), z.number(), z.number()])

/** Normalization of a picture for a network: (value - mean) · scale, in three consecutive planes. */
const input = {
  channels: z.enum(['rgb', 'bgr']).default('rgb'),
  mean: three.default([0, 0, 0]),
  scale: z
    .number()
    .refine(scale => scale !== 0, 'a scale of 0 makes every picture the same')
    .default(1),
}

const side = z.int().min(16).max(4096)

/**
 * A detector with anchors. Each kind of output has a name for each stride, and a row for each anchor of each cell, from
 * the top left.
 * - `yunet`: score: root of `scores` · `objects`; boxes: offset of the centre, logarithm of the sides.
 * - `scrfd`: boxes are distances of the edges from the cell's corner.
 */
export const detector = z
  .strictObject({
    ...file,
    ...input,
    kind: z.enum(['yunet', 'scrfd']),
    width: side.default(640),
    height: side.default(640),
    strides: z.array(z.int().min(1).max(256)).min(1).max(8).default([8, 16, 32]),
    anchors: z.int().min(1).max(16).optional(),
    outputs: z.strictObject({
      scores: z.array(z.string()),
      objects: z.array(z.string()).optional(),
      boxes: z.array(z.string()),
      /** Outputs with the points: eyes, nose, corners of the mouth; of each pair, the left one in the picture first. */
      points: z.array(z.string()),
    }),
    /** Boxes that overlap this much are of one face. */
    overlap: z.number().min(0.05).max(0.95).default(0.4),
  })
  .refine(({ strides, outputs }) => Object.values(outputs).every(names => names.length === strides.length), {
    message: 'each kind of output has a name for every stride',
    path: ['outputs'],
  })
  .refine(({ kind, outputs }) => kind === 'scrfd' || outputs.objects !== undefined, {
    message: 'yunet has outputs called objects',
    path: ['outputs', 'objects'],
  })

/** An embedder. Its input is an aligned face: eyes, nose and mouth are at fixed positions. */
const embedder = z.strictObject({
  ...file,
  ...input,
  side: side.default(112),
  /** Name of the output; default: the first. */
  output: z.string().optional(),
  /** Cosine from which two faces count as one person, according to the model's authors. */
  match: z.number().min(-0.5).max(0.99).default(0.36),
})

export const modelManifest = z.strictObject({
  /** Name including the version: faces of models with the same name are compared. */
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{1,60}$/, 'a name has small letters, digits and . _ - only')
    .refine(name => !name.startsWith('human-'), 'names that begin with human- are taken'),
  about: z.string().max(500).default(''),
  licence: z.string().max(200).default(''),
  detector,
  embedder,
})
export type ModelManifest = z.output<typeof modelManifest>
export type DetectorManifest = ModelManifest['detector']
export type EmbedderManifest = ModelManifest['embedder']

/** SHA-256 of a model's file, from a manifest. */
export const modelFileHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Parses the manifest of an added model: returns it, or one sentence with what is wrong. */
export function readManifest(text: string): ModelManifest | string {
  return parse(modelManifest, text)
}

/** Parses any manifest, also that of the built-in model. */
export function readAnyManifest(text: string): ModelManifest | BuiltInManifest | string {
  const builtIn = parse(builtInManifest, text)
  return typeof builtIn === 'string' ? readManifest(text) : builtIn
}

function parse<T>(schema: z.ZodType<T>, text: string): T | string {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'The manifest is no JSON.'
  }
  const { data, error } = schema.safeParse(json)
  if (data !== undefined) return data
  const [issue] = error?.issues ?? []
  return `The manifest is not right: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}.`
}
