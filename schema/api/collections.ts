/** Collections: their settings and rights, and work on their files. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { groupRights } from './access.ts'
import { byId, endpoint, idNumber, rights, shortText, trueOrFalse, unlocked } from './contract.ts'
import { pageMeta, pageQuery } from './items.ts'

const accessGroup = z.object({
  id: z.int(),
  name: z.string(),
  /** Position in the collection's list: 0, the first, is never public; 1, the second, never administers. */
  position: z.int(),
  ...groupRights,
})

const collection = z.object({
  /** 0 is 'All'. */
  id: z.int(),
  name: z.string(),
  /** Only for the collection's administrators; '' for others. */
  path: z.string(),
  pathVariant: z.string(),
  /** ISO time of the last scan's end; '' if no scan has ended. */
  lastscan: z.string(),
  folderFormat: z.string(),
  fileFormat: z.string(),
  managed: z.boolean(),
  readonly: z.boolean(),
  writeBack: z.enum(['off', 'sidecar', 'file']),
  keepPrivate: z.boolean(),
  /** Whether a Live Photo's still and film become one item. */
  pairing: z.boolean(),
  /** Number of items that the caller can see. */
  itemcount: z.int(),
  /** The caller's own rights. */
  rights: z.object(rights),
  access: z.array(accessGroup),
  /** Set if the last scan stopped for safety: the reason, and how many items it would have marked missing. */
  safetyStop: z.object({ reason: z.string(), items: z.int() }).nullable(),
})
export type Collection = z.output<typeof collection>

/** Absolute, with non-empty segments. */
export const collectionPath = z
  .string()
  .min(1, 'Path is required')
  .max(4096, 'Path is invalid')
  .regex(/^\/(?:[^/\0]+(?:\/[^/\0]+)*)$/, 'Path is invalid')
  .refine(path => !path.split('/').some(part => part === '.' || part === '..'), 'Path is invalid')

const name = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .min(3, 'Name must be more than 2 characters')
  .max(200, 'Name must be at most 200 characters')

export const folderTokens = ['Year', 'Month', 'MonthName', 'Category'] as const

/** The error of a folder format, in the specification's words; null for none. */
function folderFormatFault(format: string): string | null {
  let token: string | null = null
  let literal = ''
  const literals: string[] = []
  for (const character of format) {
    if (character === '{') {
      if (token !== null) return 'Overlapping open brackets'
      literals.push(literal)
      literal = ''
      token = ''
    } else if (character === '}') {
      if (token === null) return 'Overlapping close brackets'
      if (!folderTokens.some(known => known === token)) return `Invalid token (${token})`
      token = null
    } else if (token !== null) token += character
    else literal += character
  }
  if (token !== null) return 'Unclosed token'
  literals.push(literal)
  // A folder without a name is invalid.
  if (/^\/|\/\/|\/$/.test(format)) return 'Invalid characters in path'
  return literals.every(text => /^[\w/-]*$/.test(text)) ? null : 'Invalid characters in path'
}

const settings = {
  pathVariant: z.union([z.literal(''), collectionPath]).optional(),
  folderFormat: shortText('Folder format', 500)
    .superRefine((format, context) => {
      const fault = folderFormatFault(format)
      if (fault !== null) context.addIssue({ code: 'custom', message: fault })
    })
    .optional(),
  /** Prefix of file names; a managed collection must have one. */
  fileFormat: shortText('Prefix', 100)
    .regex(/^[^/\\\p{Cc}]*$/u, 'A prefix has no slashes')
    .optional(),
  managed: z.boolean().optional(),
  readonly: z.boolean().optional(),
  writeBack: z.enum(['off', 'sidecar', 'file']).optional(),
  keepPrivate: z.boolean().optional(),
  pairing: z.boolean().optional(),
}

export const newCollection = z.object({ name, path: collectionPath, ...settings })
export type NewCollection = z.output<typeof newCollection>

/** Changes of a collection. The path cannot change. */
export const collectionChanges = z.object({ name: name.optional(), ...settings })
export type CollectionChanges = z.output<typeof collectionChanges>

/** A file that a sort would move or leave in place. Paths are relative to the collection. */
export const plannedMove = z.object({
  item: z.int(),
  from: z.string(),
  /** null: the file stays, for the given reason. */
  to: z.string().nullable(),
  reason: z.string(),
  fails: z.boolean(),
})

const task = z.object({ taskid: z.int() })
const changeRule = {
  who: 'signedIn',
  on: { thing: 'collection', right: 'admin' },
  refused: [400, 401, 403, 404, 409],
} as const

export const collectionCalls = {
  list: endpoint('GET /v1/collection', {
    summary: "The caller's collections with their counts; the first is 'All'.",
    rule: { who: 'all', refused: [] },
    query: unlocked,
    output: z.array(collection),
  }),
  create: endpoint('POST /v1/collection', {
    summary: 'Creates a collection from a directory.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 409] },
    body: newCollection,
    output: collection,
    status: 201,
    dryRun: true,
  }),
  scan: endpoint('PUT /v1/collection/scan/:id', {
    summary: 'Starts a scan; returns the job. acceptMissing skips the safety stop.',
    rule: { who: 'signedIn', on: { thing: 'collection', right: 'admin' }, refused: [400, 401, 403, 404, 409] },
    params: byId,
    query: z.object({ acceptMissing: trueOrFalse.optional(), full: trueOrFalse.optional() }),
    output: task,
    dryRun: true,
  }),
  update: endpoint('PUT /v1/collection/:id', {
    summary: 'Change a collection. Its directory cannot be changed.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: collectionChanges,
    output: collection,
    dryRun: true,
  }),
  remove: endpoint('DELETE /v1/collection/:id', {
    summary: 'Forget a collection with its items; its files are never touched.',
    rule: { who: 'globalAdmin', refused: [401, 403, 404, 409] },
    params: byId,
    status: 204,
    dryRun: true,
  }),
  previewRemoval: endpoint('GET /v1/collection/:id/removal', {
    summary: 'What removing a collection would lose: its items, and how many have changes by users.',
    rule: { who: 'globalAdmin', refused: [401, 403, 404] },
    params: byId,
    output: z.object({ items: z.int(), edited: z.int() }),
  }),
  safetyFiles: endpoint('GET /v1/collection/:id/safety-stop', {
    summary: 'Files that the last scan did not find when it stopped for safety, by path.',
    rule: { who: 'signedIn', on: { thing: 'collection', right: 'admin' }, refused: [400, 401, 403, 404] },
    params: byId,
    query: pageQuery.pick({ limit: true, page: true }),
    output: z.object({
      _meta: pageMeta,
      files: z.array(
        z.object({
          item: z.int(),
          /** Relative to the collection. */
          path: z.string(),
          taken_at: z.string(),
          /** Bytes. */
          size: z.int(),
        }),
      ),
    }),
  }),
  sortPlan: endpoint('GET /v1/collection/sort/:id', {
    summary: 'Plans a sort: what it would move.',
    rule: { ...changeRule, refused: [401, 403, 404, 409] },
    params: byId,
    query: z.object({ guess: trueOrFalse.optional(), includeHidden: z.string().max(200).optional() }),
    output: z.object({ moves: z.array(plannedMove), total: z.int() }),
  }),
  sort: endpoint('PUT /v1/collection/sort/:id', {
    summary:
      'Sort the files of a managed collection into its folders; with guess=true also items dated only by their file.',
    rule: changeRule,
    params: byId,
    query: z.object({ guess: trueOrFalse.optional() }),
    /** `step`: id of the history step, to undo the work. */
    output: task.extend({ step: z.string() }),
    dryRun: true,
  }),
  importMetadata: endpoint('PUT /v1/collection/meta/import/:id', {
    summary: 'Reads the metadata of all files again, replacing values of users. Can be undone.',
    rule: changeRule,
    params: byId,
    output: task,
    dryRun: true,
  }),
  exportMetadata: endpoint('PUT /v1/collection/meta/export/:id', {
    summary: 'Writes tags into sidecars, or into files if the collection is set to.',
    rule: changeRule,
    params: byId,
    output: task,
    dryRun: true,
  }),
  import: endpoint('PUT /v1/collection/import/:id/:otherId', {
    summary: 'Copy what the other collection has and this one lacks, with tags and sidecars.',
    rule: changeRule,
    params: z.object({ id: idNumber, otherId: idNumber }),
    output: task,
    dryRun: true,
  }),
  transfer: endpoint('PUT /v1/collection/transfer/:id', {
    summary:
      'Moves items into this collection with their files; fails as a whole if the caller may not move one of them.',
    rule: { who: 'signedIn', on: { thing: 'collection', right: 'create' }, refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: z.object({ items: z.array(z.int().positive()).min(1, 'No items available').max(limits.maxTransferItems) }),
    /** `step`: id of the history step, to undo the work. */
    output: task.extend({ step: z.string() }),
    dryRun: true,
  }),
  listFolders: endpoint('GET /v1/paths', {
    summary: 'Folders that the server can read, for choosing one.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404] },
    query: z.object({ path: z.string().max(4096).optional() }),
    output: z.object({
      path: z.string(),
      parent: z.string().nullable(),
      folders: z.array(z.object({ name: z.string(), path: z.string() })),
    }),
  }),
}
