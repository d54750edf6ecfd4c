/** Words of a tag that are too long to be one: they stay where they were typed. Pure. */
import { tooLong } from '../../schema/api/contract.ts'
import { limits } from '../../schema/limits.ts'

export function isLong(word: string): boolean {
  return word.trim().length > limits.keystringLength
}

/** What of a text with commas is too long; '' where nothing is. */
export function longOnes(typed: string): string {
  return typed
    .split(',')
    .map(word => word.trim())
    .filter(isLong)
    .join(', ')
}

/** What is wrong with a text with commas, as the words of this tag; null where nothing is. */
export function lengthFault(tag: string, typed: string): string | null {
  return longOnes(typed) === '' ? null : tooLong(tag, limits.keystringLength)
}
