/** Screen savers: their filters and settings, and the tokens of the devices that play them. */
import { z } from 'zod'
import { byId, calendarName, endpoint, numberText, requiredText, trueOrFalse } from './contract.ts'
import { filterQuery, item } from './items.ts'

const minSeconds = 2
const maxSeconds = 60

export const saverFilters = z.object({
  collectionId: z.int().optional(),
  startMonth: z.int().optional(),
  /** The calendar of `startMonth` and of the present day; `gregorian` unless given. */
  calendar: calendarName.optional(),
  dateStart: z.int().optional(),
  dateEnd: z.int().optional(),
  /** IANA time zone. If it is set, only items of its present day in any year are shown. */
  onthisdayTz: z.string().optional(),
  filtergroups: z.string().optional(),
  searchInTags: z.string().optional(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  radius: z.number().optional(),
  q: z.string().optional(),
  /** Id of an album. Once its owner does not see it any more, the saver shows nothing. */
  album: z.int().optional(),
})
export type SaverFilters = z.output<typeof saverFilters>

export const screensaver = z.object({
  id: z.int(),
  name: z.string(),
  /** Username; '' for a visitor's saver. */
  owner: z.string(),
  random: z.boolean(),
  seconds: z.int(),
  filters: saverFilters,
})
export type Screensaver = z.output<typeof screensaver>

const secondsWords = `seconds is ${minSeconds} to ${maxSeconds}`
const secondsText = numberText(
  /^\d{1,2}$/,
  secondsWords,
  z.int().min(minSeconds, secondsWords).max(maxSeconds, secondsWords),
)

const filters = filterQuery
  .omit({ includeHidden: true })
  .extend({ includeHidden: z.string().max(200).optional(), onthisdayTz: z.string().max(60).optional() })

const ownerRule = { who: 'all', on: { thing: 'screensaver', right: 'owner' } } as const

export const screensaverCalls = {
  list: endpoint('GET /v1/screensaver', {
    summary: 'The caller’s screen savers; a device gets the one it is bound to.',
    rule: { who: 'all', refused: [401] },
    output: z.array(screensaver),
  }),
  create: endpoint('POST /v1/screensaver/create', {
    summary: 'Creates a screen saver with these filters.',
    // A device may not do this; it gets 401.
    rule: { who: 'all', refused: [400, 401, 409, 429] },
    query: filters.extend({
      name: requiredText('Name', 100),
      random: trueOrFalse.optional(),
      seconds: secondsText.optional(),
    }),
    output: screensaver,
    status: 201,
    sameOrigin: true,
  }),
  save: endpoint('PUT /v1/screensaver/save/:id', {
    summary: 'Change a screen saver: its name, seconds and order and, with setfilters=true, its filters.',
    rule: { ...ownerRule, refused: [400, 404] },
    params: byId,
    query: filters.extend({
      setfilters: trueOrFalse.optional(),
      name: requiredText('Name', 100).optional(),
      random: trueOrFalse.optional(),
      seconds: secondsText.optional(),
    }),
    output: screensaver,
    sameOrigin: true,
  }),
  remove: endpoint('DELETE /v1/screensaver/:id', {
    summary: 'Delete a screen saver.',
    rule: { ...ownerRule, refused: [404] },
    params: byId,
    status: 204,
    sameOrigin: true,
  }),
  next: endpoint('GET /v1/screensaver/next/:id', {
    summary: 'The next items to show; none is repeated before all were shown.',
    rule: { ...ownerRule, refused: [404] },
    params: byId,
    output: z.array(item),
  }),
}

export const deviceToken = z.object({
  id: z.int(),
  name: z.string(),
  type: z.enum(['ScreenSaver']),
  /** '…' and the last four characters, by which users recognise the device; only the token's hash is stored. */
  value: z.string(),
  screensaverid: z.int().nullable(),
  /** Seconds since the epoch. */
  created: z.int(),
  used: z.int().nullable(),
})
export type DeviceToken = z.output<typeof deviceToken>

const name = requiredText('Name', 100)

/** A token without its value. Times are seconds. */
const issuedToken = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  type: z.enum(['ScreenSaver', 'api']),
  created: z.int(),
  expires: z.int().nullable(),
  used: z.int().nullable(),
})

export const tokenCalls = {
  issued: endpoint('GET /v1/tokens/issued', {
    summary: 'Tokens of devices and scripts, without their values: the caller’s own, all of them for global admins.',
    rule: { who: 'signedIn', refused: [401] },
    output: z.array(issuedToken),
  }),
  revoke: endpoint('DELETE /v1/tokens/issued/:id', {
    summary: 'Revokes a token at once: one’s own, anybody’s for global admins.',
    rule: { who: 'signedIn', on: { thing: 'token', right: 'owner' }, refused: [400, 401, 404] },
    params: byId,
    status: 204,
    dryRun: true,
  }),
  list: endpoint('GET /v1/tokens', {
    summary: 'The caller’s devices.',
    rule: { who: 'signedIn', refused: [401] },
    output: z.array(deviceToken),
  }),
  create: endpoint('POST /v1/tokens', {
    summary: 'Register a device by the token that it shows.',
    rule: { who: 'signedIn', refused: [400, 401, 409] },
    body: z.object({
      /** At least 128 bits: 22 characters of base64url, or 32 of hex. */
      value: z.string().regex(/^[\w-]{22,200}$/, 'value must be a token of at least 128 bits'),
      name,
      type: z.literal('ScreenSaver').optional(),
      screensaverid: z.int().positive().nullable().optional(),
    }),
    output: deviceToken,
    status: 201,
  }),
  save: endpoint('PUT /v1/tokens/save/:id', {
    summary: 'Rename a device, or let it show another screen saver.',
    rule: { who: 'signedIn', on: { thing: 'token', right: 'owner' }, refused: [400, 401, 404] },
    params: byId,
    body: z.object({
      token: z.object({ name: name.optional(), screensaverid: z.int().positive().nullable().optional() }),
    }),
    output: deviceToken,
  }),
  remove: endpoint('DELETE /v1/tokens/:id', {
    summary: 'Removes a device; its token ends at once.',
    rule: { who: 'signedIn', on: { thing: 'token', right: 'owner' }, refused: [401, 404] },
    params: byId,
    status: 204,
  }),
}
