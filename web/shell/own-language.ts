/** The language that the user has chosen: stored in the browser and, for users with an account, in their profile. */
import { api } from '../api.ts'
import { attempt } from '../app/messages.ts'
import { chosenLanguage, setOptions } from '../app/options.ts'
import { user } from '../app/session.ts'
import { language } from '../texts/language/language.ts'
import { shellTexts } from '../texts/shell.ts'

/** The language's own name, such as 'Deutsch'. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

/** Stores a language and loads the page again in it; '' follows the browser. */
export async function setLanguage(code: string): Promise<void> {
  const { value } = user
  if (value !== null) {
    const body = { user: { id: value.id, language: code } }
    if (!(await attempt(shellTexts.failedToSaveTheLanguage, () => api.users.put({ body })))) return
  }
  setOptions({ language: code, profileLanguage: value === null ? '' : code })
  location.reload()
}

/**
 * Applies the language of the user's profile. Signing out takes effect when the page is opened again: it may hold
 * unsaved work.
 */
export function applyUserLanguage(): void {
  const profileLanguage = user.value?.language ?? ''
  const before = chosenLanguage.peek()
  setOptions({ profileLanguage })
  if (user.value !== null && chosenLanguage.peek() !== before && profileLanguage !== language.code) location.reload()
}
