/** Which of several suggestions is marked before an arrow was pressed: the one of that very name, or else the first. */
import { sameWord } from './item-form.ts'

export function firstChoice(choices: readonly { name: string }[], typed: string): number {
  const same = choices.findIndex(({ name }) => sameWord(name, typed.trim()))
  return Math.max(0, same)
}
