/** Words of tags: which are the same, and which are too long and stay where they were typed. Pure. */
import { tooLong } from '../../schema/api/contract.ts'
import { limits } from '../../schema/limits.ts'

/** Words are the same whatever their case; 'é' in one or two characters is one. */
export const wordKey = (word: string): string => word.trim().normalize('NFC').toLowerCase()
export const sameWord = (a: string, b: string): boolean => wordKey(a) === wordKey(b)

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
