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
  setOptions({ language: code })
  location.reload()
}

/** Applies the language of the user's profile if none was chosen in this browser. */
export function applyUserLanguage(): void {
  const own = user.value?.language ?? ''
  if (own === '' || chosenLanguage.peek() !== '') return
  setOptions({ language: own })
  if (own !== language.code) location.reload()
}
