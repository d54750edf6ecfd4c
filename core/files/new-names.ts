/** Rules for names of new files and folders. */

/** Characters that make a name look like another one, without the joiners that Persian needs. */
export const deceivingMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/u

/** A name that looks empty: spaces, control characters, and invisible ones; U+2800 is Braille without dots. */
const nothing = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]*$/u

export function isInvisible(name: string): boolean {
  return nothing.test(name)
}
