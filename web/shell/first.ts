/**
 * Runs before anything is painted or another script starts: applies the theme and language of this browser. The build
 * puts this script into the page itself, so that they need no request.
 */
import { chooseLanguage } from '../../schema/choose-language.ts'

/** Addresses of the scripts with texts, by language; English has none. Defined by the build. */
declare const languageFiles: Readonly<Record<string, string>>

function storedOptions(): { theme?: unknown; language?: unknown; profileLanguage?: unknown } {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem('keepsake.options') ?? '{}')
    return typeof stored === 'object' && stored !== null ? stored : {}
  } catch {
    return {}
  }
}

const files = languageFiles
const { theme, language, profileLanguage } = storedOptions()
const root = document.documentElement
if (theme === 'light') root.dataset.theme = 'keepsake-light'
const codes = ['en', ...Object.keys(files)]
const stored = profileLanguage || language
const chosen = chooseLanguage(typeof stored === 'string' ? stored : '', navigator.languages, codes)
root.lang = chosen.locale
root.dir = chosen.direction
globalThis.pageLanguage = { code: chosen.code, codes }
const file = files[chosen.code]
// Written, not appended: deferred scripts of the document run in order, so the texts are there before the page's script.
if (file !== undefined) document.write(`<script defer src="${file}"></script>`)
