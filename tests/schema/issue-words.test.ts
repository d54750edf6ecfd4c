import { expect, test } from 'bun:test'
import { z } from 'zod'
import { invalidFailure } from '../../schema/issue-words.ts'

const shape = z.strictObject({
  name: z.string().min(1).max(5).optional(),
  pages: z.array(z.int()).min(2).max(3).optional(),
  seconds: z.number().min(2).max(60).multipleOf(2).optional(),
  least: z.number().gt(3).optional(),
  kind: z.enum(['a', 'b']).optional(),
  one: z.literal(1).optional(),
  is: z.boolean().optional(),
  at: z.iso.date().optional(),
  mail: z.email().optional(),
  code: z.string().regex(/^x/).optional(),
  either: z.union([z.literal('yes'), z.int()]).optional(),
  within: z.object({ deep: z.string() }).optional(),
  own: z.string().min(3, 'own is at least three').optional(),
})

test.each<[unknown, string, string]>([
  [{ name: 3 }, "'name' must be text", 'name'],
  [{ name: '' }, "'name' must not be empty", 'name'],
  [{ name: 'too long' }, "'name' must have at most 5 characters", 'name'],
  [{ pages: 1 }, "'pages' must be a list", 'pages'],
  [{ pages: [1] }, "'pages' must have at least 2 entries", 'pages'],
  [{ pages: [1, 2, 3, 4] }, "'pages' must have at most 3 entries", 'pages'],
  [{ pages: [1, 2.5] }, "'pages.1' must be a whole number", 'pages.1'],
  [{ seconds: 'x' }, "'seconds' must be a number", 'seconds'],
  [{ seconds: 1 }, "'seconds' must be at least 2", 'seconds'],
  [{ seconds: 61 }, "'seconds' must be at most 60", 'seconds'],
  [{ seconds: 3 }, "'seconds' must be a multiple of 2", 'seconds'],
  [{ least: 3 }, "'least' must be more than 3", 'least'],
  [{ kind: 'c' }, "'kind' must be one of a, b", 'kind'],
  [{ one: 2 }, "'one' must be 1", 'one'],
  [{ is: 'x' }, "'is' must be true or false", 'is'],
  [{ at: 'x' }, "'at' must be a date such as 2019-08-01", 'at'],
  [{ mail: 'x' }, "'mail' must be an e-mail address", 'mail'],
  [{ code: 'y' }, "'code' has the wrong format", 'code'],
  [{ either: 'no' }, "'either' is not valid", 'either'],
  [{ within: {} }, "'within.deep' is missing", 'within.deep'],
  [{ other: 1 }, "there is no 'other'", ''],
  [{ own: 'x' }, 'own is at least three', 'own'],
  ['x', 'The request must be an object', ''],
  [undefined, 'The request is missing', ''],
])('%j is refused with a readable message', (value, message, field) => {
  const parsed = shape.safeParse(value)
  if (parsed.success) throw new Error('it was not refused')
  const failure = invalidFailure(parsed.error)
  expect([failure.message, failure.field ?? '']).toEqual([message, field])
})

test('the sentence keeps its values apart from its pattern, for translations', () => {
  const parsed = shape.safeParse({ name: 'too long' })
  if (parsed.success) throw new Error('it was not refused')
  expect(invalidFailure(parsed.error).sentence).toEqual({
    pattern: "'{0}' {1}",
    values: ['name', { pattern: 'must have at most {0}', values: [{ pattern: '{0} characters', values: ['5'] }] }],
  })
})
