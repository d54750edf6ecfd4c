/** The texts of the pages. Each area has its own file, so that a page only loads what it shows. */
import { createElement, Fragment, type ReactNode } from 'react'
import { figure } from '../../schema/figures.ts'
import { language, type Message } from './language/language.ts'

/** The names of the placeholders in a text, such as `{name}`. */
type Gaps<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Gaps<Rest> : never
type GapsOf<M extends Message> = M extends string
  ? Gaps<M>
  : M extends { other: infer Text extends string }
    ? Gaps<Text>
    : never
type Values<Names extends string, Value> = { [Name in Names]: Name extends 'count' ? number : Value }

interface Filled<Names extends string> {
  (values: Values<Names, string | number>): string
  (values: Values<Names, ReactNode>): ReactNode
}

/** A string, or a function if the text has placeholders. */
type Texts<Messages extends Record<string, Message>> = {
  readonly [Key in keyof Messages]: [GapsOf<Messages[Key]>] extends [never] ? string : Filled<GapsOf<Messages[Key]>>
}

const rules = new Intl.PluralRules(language.code)

/** The English texts of the areas that are loaded; tests compare translations with them. */
export const english: Record<string, Readonly<Record<string, Message>>> = {}

/** A string, or a fragment if an element was filled in. Numbers use the digits of the page's language. */
function fill(text: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const pieces = text.split(/\{(\w+)\}/).map((piece, at): ReactNode => {
    const value = at % 2 === 0 ? piece : values[piece]
    return typeof value === 'number' ? figure(value) : value
  })
  return pieces.every(piece => typeof piece === 'string') ? pieces.join('') : createElement(Fragment, null, ...pieces)
}

function ready(message: Message): string | ((values: Readonly<Record<string, ReactNode>>) => ReactNode) {
  if (typeof message !== 'string') {
    return values => fill(message[rules.select(Number(values.count))] ?? message.other, values)
  }
  return message.includes('{') ? values => fill(message, values) : message
}

/**
 * The texts of an area in the page's language, or in English if there is no translation. Those with placeholders become
 * functions of their values, such as `{ name: 'a.jpg' }`.
 */
export function texts<const Messages extends Record<string, Message>>(
  area: string,
  messages: Messages,
): Texts<Messages> {
  english[area] = messages
  const translated = language.texts?.areas[area] ?? []
  return Object.fromEntries(
    Object.entries(messages).map(([key, message], at) => [key, ready(translated[at] ?? message)]),
  ) as Texts<Messages>
}
