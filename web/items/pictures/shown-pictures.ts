/** Pictures of the gallery that the browser has, so that the viewer begins with one of them. */

const most = 400
const shown = new Map<number, string>()

export function notePicture(itemId: number, address: string): void {
  shown.delete(itemId)
  shown.set(itemId, address)
  const [oldest] = shown.keys()
  if (shown.size > most && oldest !== undefined) shown.delete(oldest)
}

/** Address of the picture that the gallery showed last; undefined if it showed none. */
export const notedPicture = (itemId: number): string | undefined => shown.get(itemId)
