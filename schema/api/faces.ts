/** Faces that the server has found: on one item, and in groups of unnamed faces; finding and forgetting them. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { byId, endpoint, idNumber, trueOrFalse, unlocked } from './contract.ts'
import { pageMeta, pageQuery } from './items.ts'
import { embedding, modelName, nameText } from './people.ts'

/** A person whom a face may show. */
const suggestedPerson = z.object({
  person: z.int(),
  /** 0 to 1. */
  similarity: z.number(),
  /** Number of the person's faces that match. */
  matches: z.int(),
})

/** In thousandths of the longer edge of the picture as shown. */
const box = { x: z.number(), y: z.number(), width: z.number(), height: z.number() }

const foundFace = z.object({
  id: z.int(),
  ...box,
  /** The detector's confidence, 0 to 1. */
  score: z.number(),
  /** Id of its region; null if none yet. */
  object: z.int().nullable(),
  /** The person that the region shows; null if unnamed. */
  person: z.int().nullable(),
  group: z.int().nullable(),
  /** Most likely first; empty if the face is already named. */
  suggestions: z.array(suggestedPerson),
  /** The vector used for comparisons. */
  embedding_data: z.array(z.number()),
  model: z.string(),
})
export type FoundFace = z.output<typeof foundFace>

/** The server's data about faces on an item. `looked` is null until it has processed the present picture. */
const itemFaces = z.object({
  looked: z
    .object({
      /** Milliseconds since the epoch. */
      at: z.int(),
      /** Faces with a lower confidence are left out. */
      confidence: z.number(),
      model: z.string(),
    })
    .nullable(),
  faces: z.array(foundFace),
})
export type ItemFaces = z.output<typeof itemFaces>

/** Suggestions for faces that a browser has found on an item. */
const faceSuggestions = z.object({
  /** Suggestions for each face, in the order of the faces; most likely first. */
  suggestions: z.array(z.array(suggestedPerson)),
  /** Regions of the item that are references for a person's face. */
  known: z.array(z.int()),
})
export type FaceSuggestions = z.output<typeof faceSuggestions>

const groupFace = z.object({
  id: z.int(),
  ...box,
  score: z.number(),
  item: z.object({
    id: z.int(),
    collection_id: z.int(),
    name: z.string(),
    /** Size as shown. */
    width: z.int(),
    height: z.int(),
    /** Seconds, local time read as if UTC; determines which of a person's names is shown. */
    taken: z.int(),
    /** Part of the picture's address. */
    reloads: z.string(),
  }),
})
export type GroupFace = z.output<typeof groupFace>

const faceGroup = z.object({
  /** Does not change while the group has a face. */
  id: z.int(),
  /** Number of its unnamed faces on items that the caller may change. */
  count: z.int(),
  ignored: z.boolean(),
  /** People whom the group may show, most likely first: the mean of its faces is compared with theirs. */
  suggestions: z.array(suggestedPerson),
  /** Faces closest to the mean first; lists of groups contain only a few. */
  faces: z.array(groupFace),
})
export type FaceGroup = z.output<typeof faceGroup>

/** A group after a change, and the id of the history step, to undo the change. */
const changedGroup = z.object({ group: faceGroup, step: z.string() })
export type ChangedGroup = z.output<typeof changedGroup>

const duePictures = z.object({
  pictures: z.int(),
  /** Why due pictures would be skipped: one sentence for each collection whose disk is missing. */
  away: z.array(z.string()),
})
export type DuePictures = z.output<typeof duePictures>

/** A person who was deleted because no item shows them any more. */
const deletedPerson = z.object({ id: z.int(), names: z.array(z.string()) })
export type DeletedPerson = z.output<typeof deletedPerson>

const faceStatus = z.object({
  model: z.string(),
  /** Number of pictures that were processed in their present state. */
  looked: z.int(),
  /** Number of pictures still to be processed. */
  due: z.int(),
  /** Number of found faces. */
  faces: z.int(),
  /** How many of the found faces are named. */
  named: z.int(),
  /** Number of groups of unnamed faces. */
  groups: z.int(),
  /** Number of reference faces of people. */
  known: z.int(),
  job: z.int().nullable(),
})
export type FaceStatus = z.output<typeof faceStatus>

const chosenFaces = z
  .array(z.int().positive())
  .min(1, 'No faces are chosen')
  .max(limits.faces.atOnce, `At most ${limits.faces.atOnce} faces at once`)
const changeRule = { who: 'anyUpdate', refused: [400, 401, 403, 404] } as const
const task = z.object({ taskid: z.int() })

export const faceCalls = {
  ofItem: endpoint('GET /v1/item/:id/faces', {
    summary: 'Faces that the server has detected on an item, with suggestions.',
    rule: { who: 'signedIn', on: { thing: 'item', right: 'update' }, refused: [400, 401, 403, 404] },
    params: byId,
    output: itemFaces,
  }),
  suggest: endpoint('POST /v1/item/:id/faces/suggestions', {
    summary: 'Suggests people for faces that a browser has detected on an item. Nothing is stored.',
    rule: { who: 'signedIn', on: { thing: 'item', right: 'update' }, refused: [400, 401, 403, 404] },
    params: byId,
    body: z.object({
      /** Name and version of the model that made the vectors; only faces of the same model are compared. */
      model: modelName,
      faces: z
        .array(embedding)
        .min(1, 'There are no faces')
        .max(limits.faces.maxPerPicture, `At most ${limits.faces.maxPerPicture} faces at once`),
    }),
    output: faceSuggestions,
  }),
  status: endpoint('GET /v1/faces/status', {
    summary: 'Progress of face recognition.',
    rule: { who: 'anyUpdate', refused: [401, 403] },
    output: faceStatus,
  }),
  groups: endpoint('GET /v1/faces/groups', {
    summary: 'Groups of unnamed faces on items that the caller may change, largest first.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403] },
    query: pageQuery.pick({ limit: true, page: true }).extend({
      /** Returns ignored groups instead. */
      ignored: trueOrFalse.optional(),
      includeHidden: z.string().max(200).optional(),
    }),
    output: z.object({ _meta: pageMeta, groups: z.array(faceGroup) }),
  }),
  group: endpoint('GET /v1/faces/groups/:id', {
    summary: `A group with its faces, at most ${limits.faces.atOnce}.`,
    rule: changeRule,
    params: byId,
    query: unlocked,
    output: faceGroup,
  }),
  nameGroup: endpoint('POST /v1/faces/groups/:id/name', {
    summary: 'Names these faces of a group; the person is suggested for the others.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: z.object({
      /** A person's id, or the name of a new person, created with the first face. */
      person: z.union([z.int().positive(), z.object({ name: nameText })]),
      faces: chosenFaces,
    }),
    /**
     * `step`: id of the history step. `left`: how many unnamed faces remain in the group. `overtaken`: how many faces
     * another user has named meanwhile; they stay unchanged. If this is true of all faces, the call returns 409.
     */
    output: z.object({ person: z.int(), named: z.int(), overtaken: z.int(), left: z.int(), step: z.string() }),
  }),
  mergeGroups: endpoint('POST /v1/faces/groups/:id/merge', {
    summary: 'Merges other groups into this one: they show the same person.',
    rule: changeRule,
    params: byId,
    body: z.object({
      groups: z
        .array(z.int().positive())
        .min(1, 'No groups are chosen')
        .max(limits.faces.groupsAtOnce, `At most ${limits.faces.groupsAtOnce} groups at once`),
    }),
    output: changedGroup,
  }),
  splitGroup: endpoint('POST /v1/faces/groups/:id/split', {
    summary: 'Moves these faces of a group to a new group, which is returned.',
    rule: changeRule,
    params: byId,
    body: z.object({ faces: chosenFaces }),
    output: changedGroup,
  }),
  ignoreGroup: endpoint('PUT /v1/faces/groups/:id', {
    summary: 'Ignores a group, or restores it.',
    rule: changeRule,
    params: byId,
    body: z.object({ ignored: z.boolean() }),
    output: changedGroup,
  }),
  index: endpoint('POST /v1/faces/index', {
    summary: 'Detects faces on new and changed pictures; returns the job.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404, 409] },
    body: z.object({
      /** Limits the job to this collection. */
      collection: z.int().positive().optional(),
      /** Whether to include pictures that were already processed. */
      all: z.boolean().optional(),
    }),
    output: task,
    dryRun: true,
  }),
  due: endpoint('GET /v1/faces/due', {
    summary: 'Number of pictures that face recognition would process.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403] },
    query: z.object({ collection: idNumber.optional(), all: trueOrFalse.optional() }),
    output: duePictures,
  }),
  regroup: endpoint('POST /v1/faces/groups', {
    summary: 'Groups unnamed faces; returns the job.',
    rule: { who: 'globalAdmin', refused: [401, 403, 409] },
    output: task,
  }),
  gone: endpoint('GET /v1/faces/gone', {
    summary: 'People who were deleted; the history may keep their faces, until these are forgotten.',
    rule: { who: 'globalAdmin', refused: [401, 403] },
    output: z.array(deletedPerson),
  }),
  forget: endpoint('DELETE /v1/faces', {
    summary:
      'Deletes face data of everybody (all=true) or of one person, even a deleted one. Names and regions are kept.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404, 409] },
    /** One of the two is required. */
    query: z.object({ person: idNumber.optional(), all: trueOrFalse.optional() }),
    /** Number of reference faces, and of found faces. */
    output: z.object({ known: z.int(), found: z.int() }),
    dryRun: true,
  }),
}
