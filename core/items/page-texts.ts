/** Pages of lists as JSON text, cached until anything is written to the library. */

/** Maximum number of cached characters; above it, the cache is cleared. A page of 100 has some 60,000. */
const most = 3_000_000

export function createPageTexts() {
  let moment = -1
  let length = 0
  const texts = new Map<string, string>()

  return {
    /**
     * The text of a page, from the cache or composed. `state` is the current state of the database; `key` identifies
     * everything else that the page depends on, including the user.
     */
    of(state: number, key: string, make: () => string): string {
      if (state !== moment || length > most) {
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
