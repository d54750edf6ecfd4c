/** People, their names over time, and their faces. */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { byId, calendarName, endpoint, idNumber, requiredText, unlocked } from './contract.ts'
import { latestYear } from './parts/latest-year.ts'

/** Seconds, local time read as if UTC, like `taken`; null: no start or no end. */
const moment = z.int().nullable()

const personName = z.object({
  id: z.int(),
  person: z.int(),
  name: z.string(),
  active_from: moment,
  active_to: moment,
})
export type PersonName = z.output<typeof personName>

export const person = z.object({
  id: z.int(),
  names: z.array(personName),
  /** 'YYYY-MM-DD'; only for users who may edit. */
  birthdate: z.string().nullable(),
  /** Number of items with the person that the caller can see. */
  itemcount: z.int(),
})
export type Person = z.output<typeof person>

const face = z.object({
  id: z.int(),
  person: z.int(),
  /** The region that shows the face. */
  object: z.int().nullable(),
  /** The vector that describes the face. */
  embedding_data: z.array(z.number()),
  model: z.string(),
})
export type Face = z.output<typeof face>

/** A person's face on an item that the caller sees. */
const shownFace = z.object({
  item: z.object({
    id: z.int(),
    reloads: z.string(),
    thumbhash: z.string().nullable(),
    /** Size and rotation as of items: the size is that of the rotated picture. */
    width: z.int(),
    height: z.int(),
    rotation: z.int(),
  }),
  /** On the picture as shown, in thousandths of its longer edge. */
  box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
})
export type ShownFace = z.output<typeof shownFace>

const seenPerson = z.object({
  id: z.int(),
  /** The present name. */
  name: z.string(),
  /** Number of items that the caller sees; in `with` of a person's page, only of those that show both people. */
  count: z.int(),
  /** The chosen or else the best face on those items; null if none has a position. */
  face: shownFace.nullable(),
})
export type SeenPerson = z.output<typeof seenPerson>

const personPage = seenPerson.extend({
  names: z.array(personName),
  /** 'YYYY-MM-DD'; only for users who may edit. */
  birthdate: z.string().nullable(),
  /** Years of the `calendar`, oldest first, without those that have no items. */
  years: z.array(z.object({ year: z.int(), count: z.int() })),
  /** Most frequent first. */
  places: z.array(z.object({ name: z.string(), count: z.int() })),
  /** The six people who are most often on the same items. */
  with: z.array(seenPerson),
})
export type PersonPage = z.output<typeof personPage>

export const nameText = requiredText('Name', limits.personNameLength)

const { minPersonYear, maxPersonYear } = limits
const nameYears = `Years are ${minPersonYear} to ${maxPersonYear}`
const secondsAt = (year: number) => Date.UTC(year, 0, 1) / 1000
/** The start or end of a name. A name that lasts to the end of a year ends at the start of the next year. */
const nameMoment = z
  .int()
  .min(secondsAt(minPersonYear), nameYears)
  .max(secondsAt(maxPersonYear + 1), nameYears)
  .nullable()

export const birthdate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Birthdate is YYYY-MM-DD')
  .refine(text => {
    // 31 February is parsed as 2 March, so the result is compared with the text.
    const day = Date.parse(`${text}T00:00:00Z`)
    return !Number.isNaN(day) && new Date(day).toISOString().startsWith(text)
  }, 'Birthdate is not a date')
  .refine(
    text => Number(text.slice(0, 4)) >= minPersonYear && Number(text.slice(0, 4)) <= latestYear(),
    `The year of a birthdate is from ${minPersonYear} to this one`,
  )

/** A name with its dates; `start` inclusive, `finish` exclusive. */
const nameInput = z
  .object({ name: nameText, start: nameMoment.optional(), finish: nameMoment.optional() })
  .refine(({ start, finish }) => start == null || finish == null || start < finish, {
    message: 'A name must end after it begins',
    path: ['finish'],
  })

/** The vector with which a model describes a face. */
export const embedding = z.array(z.number()).min(16, 'embedding_data has at least 16 numbers').max(4096)
export const modelName = z.string().trim().min(1).max(100)
const faceInput = z.object({
  object: z.int().positive().nullable().optional(),
  embedding_data: embedding,
  /** Name and version of the model; default: the browser's. */
  model: modelName.optional(),
})

export const peopleCalls = {
  list: endpoint('GET /v1/person', {
    summary: 'People on items that the caller sees; all people, with birthdates, for editors.',
    rule: { who: 'all', refused: [] },
    query: unlocked,
    output: z.array(person),
  }),
  names: endpoint('GET /v1/person/names', {
    summary: 'Names of the people that GET /v1/person returns, with the time in which each is used.',
    rule: { who: 'all', refused: [] },
    query: unlocked,
    output: z.array(personName),
  }),
  overview: endpoint('GET /v1/person/overview', {
    summary: 'People on items that the caller sees, most frequent first, each with a face.',
    rule: { who: 'all', refused: [] },
    query: unlocked,
    output: z.array(seenPerson),
  }),
  page: endpoint('GET /v1/person/:id/overview', {
    summary: 'One person: names over time, years, places, and with whom.',
    rule: { who: 'all', refused: [404] },
    params: byId,
    query: unlocked.extend({ calendar: calendarName.optional() }),
    output: personPage,
  }),
  ofAlbum: endpoint('GET /v1/albums/:id/people', {
    summary: 'The five people who are most often on the items of an album, and how many people are on them in all.',
    rule: { who: 'all', on: { thing: 'album', right: 'view' }, refused: [404] },
    params: byId,
    query: unlocked,
    output: z.object({ people: z.array(seenPerson), total: z.int() }),
  }),
  faces: endpoint('GET /v1/person/faces', {
    summary: 'Face vectors, for recognising people.',
    rule: { who: 'anyUpdate', refused: [401, 403] },
    output: z.array(face),
  }),
  create: endpoint('POST /v1/person', {
    summary: 'Creates a person with these names.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403] },
    body: z.object({
      names: z
        .array(z.union([nameText, nameInput]))
        .min(1, 'A person has at least one name')
        .max(50),
      birthdate: birthdate.nullable().optional(),
    }),
    output: person,
    status: 201,
  }),
  update: endpoint('PUT /v1/person/:id', {
    summary: 'Change a person. `cover`: an item that shows the person; null for an automatic face.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 404] },
    params: byId,
    body: z.object({
      birthdate: birthdate.nullable().optional(),
      cover: z.int().positive().nullable().optional(),
    }),
    output: person,
  }),
  unused: endpoint('GET /v1/person/unused', {
    summary: 'Ids of people who are on no item, not even a recycled or missing one.',
    rule: { who: 'globalAdmin', refused: [401, 403] },
    output: z.array(z.int()),
  }),
  removeUnused: endpoint('DELETE /v1/person/unused', {
    summary: 'Delete people who are on no item, not even a recycled or missing one.',
    rule: { who: 'globalAdmin', refused: [401, 403] },
    output: z.object({ removed: z.int() }),
    dryRun: true,
  }),
  merge: endpoint('POST /v1/person/:id/merge/:otherId', {
    summary: 'Merges the other person into this one, including names.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404, 409] },
    params: z.object({ id: idNumber, otherId: idNumber }),
    /** `step`: id of the history step, to undo the merge. */
    output: z.object({ taskid: z.int(), step: z.string() }),
    dryRun: true,
  }),
  addName: endpoint('POST /v1/person/:id/names', {
    summary: 'Adds a name to a person.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 404] },
    params: byId,
    body: nameInput,
    output: personName,
    status: 201,
    dryRun: true,
  }),
  updateName: endpoint('PUT /v1/person/:id/names/:nameId', {
    summary: 'Change a name.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 404] },
    params: z.object({ id: idNumber, nameId: idNumber }),
    body: nameInput,
    output: personName,
    dryRun: true,
  }),
  removeName: endpoint('DELETE /v1/person/:id/names/:nameId', {
    summary: 'Deletes a name; the last one cannot be deleted.',
    rule: { who: 'anyUpdate', refused: [401, 403, 404, 409] },
    params: z.object({ id: idNumber, nameId: idNumber }),
    status: 204,
  }),
  addFace: endpoint('POST /v1/person/:id/faces', {
    summary: 'Adds a face to a person.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 404] },
    params: byId,
    body: faceInput,
    output: face,
    status: 201,
  }),
  updateFace: endpoint('PUT /v1/person/:id/faces/:faceId', {
    summary: 'Change a face.',
    rule: { who: 'anyUpdate', refused: [400, 401, 403, 404] },
    params: z.object({ id: idNumber, faceId: idNumber }),
    body: faceInput,
    output: face,
  }),
  removeFace: endpoint('DELETE /v1/person/:id/faces/:faceId', {
    summary: 'Deletes a face.',
    rule: { who: 'anyUpdate', refused: [401, 403, 404] },
    params: z.object({ id: idNumber, faceId: idNumber }),
    status: 204,
  }),
}
