/** Pages of lists as JSON text, cached until anything is written to the library. */

/** Maximum number of cached characters; above it, the cache is cleared. A page of 100 items has some 60,000. */
const maxLength = 3_000_000

export function createPageTexts() {
  let moment = -1
  let length = 0
  const texts = new Map<string, string>()

  return {
    /** A page's text, cached or composed. `state`: of the database; `key`: all else, such as what the user sees. */
    of(state: number, key: string, make: () => string): string {
      if (state !== moment || length > maxLength) {
        texts.clear()
        length = 0
        moment = state
      }
      let text = texts.get(key)
      if (text === undefined) {
        text = make()
        texts.set(key, text)
        length += key.length + text.length
      }
      return text
    },
  }
}
