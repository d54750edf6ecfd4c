import { expect, test } from 'bun:test'
import { fields } from '../../../core/filter/language/fields.ts'
import { parseFilterText } from '../../../core/filter/language/language.ts'
import { isQueryText, queryFields, readFault } from '../../../web/app/typed-text.ts'

const lookups = {
  keystring: () => null,
  keystringsNamed: () => [],
  peopleNamed: () => [],
  objectsNamed: () => [],
  collectionsNamed: () => [],
  favourites: () => null,
  album: () => null,
  albumsNamed: () => [],
  foldersNamed: () => [],
  cameras: () => [],
}

function refusal(text: string): string {
  try {
    parseFilterText(text, ['Keywords'], lookups)
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return ''
}

test('the search box knows the fields of the text language', () => {
  expect(Object.keys(fields).filter(name => !isQueryText(`${name}:`))).toEqual([])
  expect(Object.keys(fields).sort()).toEqual([...queryFields].map(String).sort())
})

test('the search box finds the position of an error', () => {
  const marked = (text: string) => readFault(refusal(text)).line?.error
  expect(marked('sea rating:banana snow')).toBe('banana')
  expect(marked('sea (camra:nikon OR snow)')).toBe('camra:nikon')
  expect(marked('(sea')).toBe('(')
  expect(marked('sea OR')).toBe(' ')
  const far = readFault(refusal(`${'snow '.repeat(100)}rating:banana ${'sea '.repeat(100)}`))
  expect(far.line?.error).toBe('banana')
  expect(far.text).toContain('at character 508')
})
