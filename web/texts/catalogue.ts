/** Makes the texts of an area from its English texts. Each area has its own file, so that a page only loads what it shows. */
import { createElement, Fragment, type ReactNode } from 'react'
import { figure } from '../../schema/figures.ts'
import { language, type Message } from './language/language.ts'

/** The names of the placeholders in a text, such as `{name}`. */
type PlaceholdersIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersIn<Rest>
  : never
type PlaceholdersOf<M extends Message> = M extends string
  ? PlaceholdersIn<M>
  : M extends { other: infer Text extends string }
    ? PlaceholdersIn<Text>
    : never
type Values<Names extends string, Value> = { [Name in Names]: Name extends 'count' ? number : Value }

interface FillIn<Names extends string> {
  (values: Values<Names, string | number>): string
  (values: Values<Names, ReactNode>): ReactNode
}

/** A string, or a function if the text has placeholders. */
type Texts<Messages extends Record<string, Message>> = {
  readonly [Key in keyof Messages]: [PlaceholdersOf<Messages[Key]>] extends [never]
    ? string
    : FillIn<PlaceholdersOf<Messages[Key]>>
}

const pluralRules = new Intl.PluralRules(language.code)

/** The English texts of the areas that are loaded. Tests compare the translations with them. */
export const english: Record<string, Readonly<Record<string, Message>>> = {}

/** Returns a string, or a fragment if an element was filled in. Numbers are written in the digits of the page's language. */
function fill(text: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const pieces = text.split(/\{(\w+)\}/).map((piece, at): ReactNode => {
    const value = at % 2 === 0 ? piece : values[piece]
    return typeof value === 'number' ? figure(value) : value
  })
  return pieces.every(piece => typeof piece === 'string') ? pieces.join('') : createElement(Fragment, null, ...pieces)
}

/** A string for a text without placeholders, else the function that fills them in. */
function textOrFunction(message: Message): string | ((values: Readonly<Record<string, ReactNode>>) => ReactNode) {
  if (typeof message !== 'string') {
    return values => fill(message[pluralRules.select(Number(values.count))] ?? message.other, values)
  }
  return message.includes('{') ? values => fill(message, values) : message
}

/**
 * The texts of an area in the page's language; those without a translation in English. Those with placeholders become
 * functions of the values, such as `{ name: 'a.jpg' }`.
 */
export function texts<const Messages extends Record<string, Message>>(
  area: string,
  messages: Messages,
): Texts<Messages> {
  english[area] = messages
  const translated = language.texts?.areas[area] ?? []
  return Object.fromEntries(
    Object.entries(messages).map(([key, message], at) => [key, textOrFunction(translated[at] ?? message)]),
  ) as Texts<Messages>
}
