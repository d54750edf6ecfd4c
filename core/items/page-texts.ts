/** Pages of lists as JSON text, remembered until anything at all is written to the library. */

/** Characters that are remembered at most; then all is forgotten. A page of 100 has some 60,000. */
const most = 3_000_000

export function createPageTexts() {
  let moment = -1
  let length = 0
  const texts = new Map<string, string>()

  return {
    /**
     * The text of a page, made when it is not remembered. `state` is the database's of this moment; `key` names everything
     * else that the page depends on, the one who asks included.
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
