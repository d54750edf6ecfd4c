/** Faces that the server has found: on one item, in groups of unnamed faces; finding and forgetting them. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { byId, endpoint, idNumber, trueOrFalse, unlocked } from './contract.ts'
import { pageMeta, pageQuery } from './items.ts'
import { embedding, modelName, nameText } from './people.ts'

/** A person whom a face may show. */
const likePerson = z.object({
  person: z.int(),
  /** 0 to 1. */
  similarity: z.number(),
  /** How many of their faces match. */
  matches: z.int(),
})

/** In thousandths of the longer edge of the picture as it is shown. */
const box = { x: z.number(), y: z.number(), width: z.number(), height: z.number() }

const foundFace = z.object({
  id: z.int(),
  ...box,
  /** How sure the detector was, 0 to 1. */
  score: z.number(),
  /** Its region; null: none yet. */
  object: z.int().nullable(),
  /** Whom the region shows; null: unnamed. */
  person: z.int().nullable(),
  group: z.int().nullable(),
  /** Most likely first; empty where the face is named already. */
  suggestions: z.array(likePerson),
  /** The vector that is compared. */
  embedding_data: z.array(z.number()),
  model: z.string(),
})
export type FoundFace = z.output<typeof foundFace>

/** What the server knows of the faces on an item. `looked` null: it has not processed this picture as it is now. */
const itemFaces = z.object({
  looked: z
    .object({
      /** Milliseconds since the epoch. */
      at: z.int(),
      /** Without those below the detector's threshold. */
      confidence: z.number(),
      model: z.string(),
    })
    .nullable(),
  faces: z.array(foundFace),
})
export type ItemFaces = z.output<typeof itemFaces>

/** Whom faces may show that a browser has found on an item. */
const faceSuggestions = z.object({
  /** In the order of the faces: most likely first. */
  suggestions: z.array(z.array(likePerson)),
  /** Regions of the item that teach the model a person's face. */
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
    /** As shown. */
    width: z.int(),
    height: z.int(),
    /** Seconds, local time read as if UTC: the person's name of that day is shown. */
    taken: z.int(),
    /** Part of its picture's address. */
    reloads: z.string(),
  }),
})
export type GroupFace = z.output<typeof groupFace>

const faceGroup = z.object({
  /** Stays the same while the group has a face. */
  id: z.int(),
  /** Its unnamed faces on items that the caller may change. */
  count: z.int(),
  ignored: z.boolean(),
  /** Whom it may show, most likely first: compared by the mean of its faces. */
  suggestions: z.array(likePerson),
  /** Faces closest to the mean first; the list of groups has only a few. */
  faces: z.array(groupFace),
})
export type FaceGroup = z.output<typeof faceGroup>

/** A group as a change has left it, and the step of the history, to undo. */
const changedGroup = z.object({ group: faceGroup, step: z.string() })
export type ChangedGroup = z.output<typeof changedGroup>

const facesOutlook = z.object({
  pictures: z.int(),
  /** Why due pictures would be skipped: a sentence for each collection whose disk is missing. */
  away: z.array(z.string()),
})
export type FacesOutlook = z.output<typeof facesOutlook>

/** A person who was deleted because no item shows them any more. */
const gonePerson = z.object({ id: z.int(), names: z.array(z.string()) })
export type GonePerson = z.output<typeof gonePerson>

const faceStatus = z.object({
  model: z.string(),
  /** Pictures that are processed in their present state, and those that are due. */
  looked: z.int(),
  due: z.int(),
  /** Faces that were found, how many of them are named, and the groups of the others. */
  faces: z.int(),
  named: z.int(),
  groups: z.int(),
  known: z.int(),
  job: z.int().nullable(),
})
export type FaceStatus = z.output<typeof faceStatus>

const chosen = z
  .array(z.int().positive())
  .min(1, 'No faces are chosen')
  .max(limits.faces.atOnce, `At most ${limits.faces.atOnce} faces at once`)
const changing = { who: 'anyUpdate', refused: [400, 401, 403, 404] } as const
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
      /** Name and version of the model that made the vectors: only faces of one model are compared. */
      model: modelName,
      faces: z
        .array(embedding)
        .min(1, 'There are no faces')
        .max(limits.faces.most, `At most ${limits.faces.most} faces at once`),
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
      /** Ignored groups instead. */
      ignored: trueOrFalse.optional(),
      includeHidden: z.string().max(200).optional(),
    }),
    output: z.object({ _meta: pageMeta, groups: z.array(faceGroup) }),
  }),
  group: endpoint('GET /v1/faces/groups/:id', {
    summary: `A group with its faces, at most ${limits.faces.atOnce}.`,
    rule: changing,
    params: byId,
    query: unlocked,
    output: faceGroup,
  }),
  nameGroup: endpoint('POST /v1/faces/groups/:id/name', {
    summary: 'Names these faces of a group; the person is suggested for the others.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: z.object({
      /** A person's id, or the name of a new person, who is created with their first face. */
      person: z.union([z.int().positive(), z.object({ name: nameText })]),
      faces: chosen,
    }),
    /**
     * `step`: of the history, to undo. `left`: faces of the group that are still unnamed. `overtaken`: faces that
     * another user named in the meantime; they stay as they are, and where there are no others the call is refused
     * (409).
     */
    output: z.object({ person: z.int(), named: z.int(), overtaken: z.int(), left: z.int(), step: z.string() }),
  }),
  mergeGroups: endpoint('POST /v1/faces/groups/:id/merge', {
    summary: 'Merges other groups into this one: they show the same person.',
    rule: changing,
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
    rule: changing,
    params: byId,
    body: z.object({ faces: chosen }),
    output: changedGroup,
  }),
  ignoreGroup: endpoint('PUT /v1/faces/groups/:id', {
    summary: 'Ignores a group, or restores it.',
    rule: changing,
    params: byId,
    body: z.object({ ignored: z.boolean() }),
    output: changedGroup,
  }),
  index: endpoint('POST /v1/faces/index', {
    summary: 'Detects faces on new and changed pictures; returns the job.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404, 409] },
    body: z.object({
      /** Only this collection. */
      collection: z.int().positive().optional(),
      /** Includes pictures that were processed before. */
      all: z.boolean().optional(),
    }),
    output: task,
    dryRun: true,
  }),
  due: endpoint('GET /v1/faces/due', {
    summary: 'Number of pictures that face recognition would process.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403] },
    query: z.object({ collection: idNumber.optional(), all: trueOrFalse.optional() }),
    output: facesOutlook,
  }),
  regroup: endpoint('POST /v1/faces/groups', {
    summary: 'Groups unnamed faces; returns the job.',
    rule: { who: 'globalAdmin', refused: [401, 403, 409] },
    output: task,
  }),
  gone: endpoint('GET /v1/faces/gone', {
    summary: 'People who were deleted; the history may keep their faces, until these are forgotten.',
    rule: { who: 'globalAdmin', refused: [401, 403] },
    output: z.array(gonePerson),
  }),
  forget: endpoint('DELETE /v1/faces', {
    summary:
      'Deletes face data of everybody (all=true) or of one person, even a deleted one. Names and regions are kept.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404, 409] },
    /** One of the two is required. */
    query: z.object({ person: idNumber.optional(), all: trueOrFalse.optional() }),
    /** Faces that people were recognised by, and faces that were found. */
    output: z.object({ known: z.int(), found: z.int() }),
    dryRun: true,
  }),
}
