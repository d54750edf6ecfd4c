import { expect, test } from 'bun:test'
import { Failure, sentence } from '../../schema/errors.ts'

test('a message with values has an English text, and its pattern and values for translations', () => {
  const failure = new Failure('notFound', sentence`There is no directory ${'/a{1}'} with ${12} files.`)
  expect(failure.message).toBe('There is no directory /a{1} with 12 files.')
  expect(failure.sentence).toEqual({ pattern: 'There is no directory {0} with {1} files.', values: ['/a{1}', 12] })
})

test('a message may contain another', () => {
  const failure = new Failure('conflict', sentence`${sentence`${'/a'} is not empty.`} ${2} of ${3} were moved.`)
  expect(failure.message).toBe('/a is not empty. 2 of 3 were moved.')
  expect(failure.sentence.values[0]).toEqual({ pattern: '{0} is not empty.', values: ['/a'] })
})

test('a message without values is its own pattern, with braces as they are', () => {
  const failure = new Failure('invalid', 'Prefixes may contain {0} and {year}.')
  expect(failure.message).toBe('Prefixes may contain {0} and {year}.')
  expect(failure.sentence).toEqual({ pattern: failure.message, values: [] })
})
