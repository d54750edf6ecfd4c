/** Words of tags: equality, and the maximum length. Pure. */

import { tooLong } from '../../schema/api/contract.ts'
import { limits } from '../../schema/limits.ts'
import { ownLocale } from '../../schema/locale.ts'
import { language } from '../texts/language/language.ts'
import { serverMessage } from '../texts/language/server-message.ts'

/** Commas as keyboards of several languages write them. */
export const commas = /[,،，]/

const comma = { fa: '، ', 'zh-Hans': '、' }[language.code] ?? ', '

/** 'Family, summer, 2 pictures': a list without 'and'. */
export const listText = (parts: readonly string[]): string => parts.join(comma)

/** A name of the pages in the middle of a sentence: lower-case, but for German nouns. */
export const inSentence = (name: string): string => (language.code === 'de' ? name : name.toLocaleLowerCase(ownLocale))

/** Words are compared case-insensitively, in NFC. */
export const wordKey = (word: string): string => word.trim().normalize('NFC').toLowerCase()
export const sameWord = (a: string, b: string): boolean => wordKey(a) === wordKey(b)

export function isTooLong(word: string): boolean {
  return word.trim().length > limits.keystringLength
}

/** The words of a comma-separated text that are too long; '' if there are none. */
export function tooLongWords(typed: string): string {
  return typed
    .split(commas)
    .map(word => word.trim())
    .filter(isTooLong)
    .join(', ')
}

/** The error of a text that is longer than `limit` characters. */
export const tooLongText = (what: string, limit: number): string => serverMessage(tooLong(what, limit))

/** The error of a comma-separated text for this tag; null if there is none. */
export function lengthFault(tag: string, typed: string): string | null {
  return tooLongWords(typed) === '' ? null : tooLongText(tag, limits.keystringLength)
}
