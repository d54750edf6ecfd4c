/** Access groups: their rights, their members, and the collections that they open. */
import { z } from 'zod'
import { atMost, byId, endpoint, idNumber, requiredText, rights } from './contract.ts'

export const groupRights = {
  admin: z.boolean(),
  public: z.boolean(),
  view: z.boolean(),
  create: z.boolean(),
  update: z.boolean(),
}

const groupInput = z.object({
  name: requiredText('Name', 200),
  ...z.object(groupRights).partial().shape,
})
export type GroupInput = z.output<typeof groupInput>

const groupFlags = ['admin', 'public', 'view', 'create', 'update'] as const

const shownGroup = z.object({
  /** Usernames. */
  members: z.array(z.string().max(100)).max(100_000),
  allows: z.array(z.enum(groupFlags)),
})
export type ShownGroup = z.output<typeof shownGroup>

export const member = z.object({ id: z.int(), username: z.string(), name: z.string() })

const username = z
  .string()
  .min(1, 'Username is required')
  .max(...atMost('Username', 100))

/** What matters about a group: what it allows, and whether the user is a member. */
const consideredGroup = z.object({
  id: z.int(),
  name: z.string(),
  /** The rights that the group gives, such as ['view', 'update']. */
  allows: z.array(z.enum(groupFlags)),
  member: z.boolean(),
})

/** Whether a user sees an item, and why. */
const accessExplanation = z.object({
  /** null for a visitor. */
  username: z.string().nullable(),
  item: z.int(),
  name: z.string(),
  collection: z.object({ id: z.int(), name: z.string() }),
  sees: z.boolean(),
  /** Complete sentences, in the order of the decision. */
  reasons: z.array(z.string()),
  rights: z.object(rights),
  groups: z.array(consideredGroup),
})
export type AccessExplanation = z.output<typeof accessExplanation>

export const accessCalls = {
  loose: endpoint('GET /v1/access/loose', {
    summary:
      'Groups that no collection uses, by id: all of them for global admins, their own for other administrators.',
    rule: { who: 'anyAdmin', refused: [401, 403] },
    output: z.array(z.object({ id: z.int(), name: z.string(), ...groupRights })),
  }),
  explain: endpoint('GET /v1/access/explain', {
    summary: 'Explains why a user sees an item or not. Without a username: a visitor.',
    rule: { who: 'globalAdmin', refused: [400, 401, 403, 404] },
    query: z.object({ username: username.optional(), item: idNumber }),
    output: accessExplanation,
  }),
  matrix: endpoint('GET /v1/access/matrix', {
    summary: 'Rights of all users in all collections; the first row is that of visitors.',
    rule: { who: 'globalAdmin', refused: [401, 403] },
    output: z.array(
      z.object({
        /** null for visitors. */
        username: z.string().nullable(),
        globaladmin: z.boolean(),
        disabled: z.boolean(),
        rights: z.array(z.object({ ...rights, collection: z.int(), name: z.string() })),
      }),
    ),
  }),
  create: endpoint('POST /v1/access', {
    summary: 'Creates an access group. It belongs to the caller until a collection uses it.',
    rule: { who: 'anyAdmin', refused: [400, 401, 403] },
    body: z.object({ group: groupInput }),
    output: z.object({ id: z.int() }),
    status: 201,
    dryRun: true,
  }),
  update: endpoint('PUT /v1/access/:id', {
    summary: 'Changes the rights of a group; for admins of every collection that uses it.',
    rule: { who: 'signedIn', on: { thing: 'group', right: 'admin' }, refused: [400, 401, 403, 404, 409] },
    params: byId,
    body: z.object({ group: groupInput.partial() }),
    output: z.object({ id: z.int() }),
    dryRun: true,
  }),
  members: endpoint('GET /v1/users/access/:accessId', {
    summary: 'Members of a group.',
    rule: { who: 'signedIn', on: { thing: 'group', right: 'admin' }, refused: [401, 403, 404] },
    params: z.object({ accessId: idNumber }),
    output: z.array(member),
  }),
  addMember: endpoint('PUT /v1/users/access/:accessId/:username', {
    summary: 'Adds a user to a group.',
    rule: { who: 'signedIn', on: { thing: 'group', right: 'admin' }, refused: [400, 401, 403, 404] },
    params: z.object({ accessId: idNumber, username }),
    output: z.array(member),
    dryRun: true,
  }),
  removeMember: endpoint('DELETE /v1/users/access/:accessId/:username', {
    summary: 'Removes a user from a group.',
    rule: { who: 'signedIn', on: { thing: 'group', right: 'admin' }, refused: [401, 403, 404] },
    params: z.object({ accessId: idNumber, username }),
    output: z.array(member),
    dryRun: true,
  }),
  attach: endpoint('PUT /v1/collection/access/:collectionId/:accessId', {
    summary:
      'Attaches a group to a collection. With `shown`, the group as the caller saw it: 409 if it has changed since.',
    rule: { who: 'signedIn', on: { thing: 'collection', right: 'admin' }, refused: [400, 401, 403, 404, 409] },
    params: z.object({ collectionId: idNumber, accessId: idNumber }),
    body: z.object({ shown: shownGroup.optional() }),
    status: 204,
    dryRun: true,
  }),
  detach: endpoint('DELETE /v1/collection/access/:collectionId/:accessId', {
    summary: 'Detaches a group from a collection; the last admin group cannot be detached.',
    rule: { who: 'signedIn', on: { thing: 'collection', right: 'admin' }, refused: [401, 403, 404, 409] },
    params: z.object({ collectionId: idNumber, accessId: idNumber }),
    status: 204,
    dryRun: true,
  }),
}
