import { describe, expect, test } from 'bun:test'
import type { z } from 'zod'
import { calls } from '../../schema/api/calls.ts'
import { newCollection } from '../../schema/api/collections.ts'
import { tagData } from '../../schema/api/tags.ts'
import { profile } from '../../schema/api/users.ts'

const long = 'x'.repeat(30_000)
const property = { name: 'Colour', value: 'red' }

/** Name, schema, input that is too long, and the expected message. */
const cases: [string, z.ZodType, unknown, string][] = [
  ['a keyword', tagData.Keywords, ['sea', long], 'Keywords must be at most 4,000 characters'],
  ['a keyword with its id', tagData.Keywords, [{ id: 1, content: long }], 'Keywords must be at most 4,000 characters'],
  ['a category', tagData.Category, [long], 'Category must be at most 4,000 characters'],
  ['an author', tagData.Author, [long], 'Author must be at most 4,000 characters'],
  ['a description', tagData.Description, long, 'Description must be at most 20,000 characters'],
  [
    'a place',
    tagData.Locations,
    { latitude: 1, longitude: 1, placeName: long },
    'Place name must be at most 500 characters',
  ],
  [
    'the new name of a keyword',
    calls.keystrings.update.body,
    { content: long },
    'Keywords must be at most 4,000 characters',
  ],
  ['an object', calls.objects.create.body, { name: long }, 'Name must be at most 200 characters'],
  [
    'the description of an object',
    calls.objects.create.body,
    { name: 'Bike', description: long },
    'Description must be at most 4,000 characters',
  ],
  ['a property', calls.objects.addProperty.body, { ...property, name: long }, 'Name must be at most 100 characters'],
  [
    'the value of a property',
    calls.objects.addProperty.body,
    { ...property, value: long },
    'Value must be at most 4,000 characters',
  ],
  [
    'a prefix',
    newCollection,
    { name: 'Family', path: '/srv/photos', fileFormat: long },
    'Prefix must be at most 100 characters',
  ],
  [
    'a folder format',
    newCollection,
    { name: 'Family', path: '/srv/photos', folderFormat: long },
    'Folder format must be at most 500 characters',
  ],
  [
    'a password',
    profile,
    { name: 'Mia', email: 'mia@example.org', password: long },
    'Password must be at most 1,024 characters',
  ],
  ['a search', calls.items.list.query, { q: long }, 'Search must be at most 2,000 characters'],
  ['a screen saver', calls.screensavers.create.query, { name: long }, 'Name must be at most 100 characters'],
  ['the title of a slideshow', calls.slideshow.create.query, { title: long }, 'Title must be at most 200 characters'],
]

describe('a text that is too long is refused with its limit', () => {
  for (const [what, schema, input, text] of cases) {
    test(`${what}: ${text}`, () => {
      const parsed = schema.safeParse(input)
      expect(parsed.error?.issues.map(({ message }) => message)).toEqual([text])
    })
  }
})
